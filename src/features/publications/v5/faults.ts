import { Conflict, type FieldError, Invalid } from '../../../errors.ts'
import { flatPath } from './flat.ts'
import type { Translated } from './translate.ts'

const ofLocale: Record<string, string> = {
  status: 'status',
  slug: 'slug',
  publish_on: 'published_on',
  expire_on: 'unpublish_on',
}

/** The path under which version 5 knows what is wrong. */
const pathIn = (path: string, { locale, nameField }: Translated): string => {
  const [name, second, api_id, ...rest] = path.split('.')
  if (name === 'items' && second === locale && api_id !== undefined)
    return (api_id === nameField ? 'name' : api_id) + flatPath(rest.map((part) => `.${part}`).join(''))
  if (second === locale && Object.hasOwn(ofLocale, name!)) return ofLocale[name!]!
  const linked = /^(channel|container)s(?:\.\d+(\.id)?)?$/.exec(path)
  return linked ? `${linked[1]}${linked[2] ?? ''}` : path
}

const renamed = (errors: FieldError[], translated: Translated): FieldError[] =>
  errors.map(({ path, message }) => ({ path: pathIn(path, translated), message }))

/** Runs a write, and tells what is wrong with it in the words of version 5. */
export const inWordsOfV5 = async <T>(translated: Translated, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Invalid && error.errors) throw new Invalid(renamed(error.errors, translated))
    if (error instanceof Conflict && error.errors) throw new Conflict(renamed(error.errors, translated))
    throw error
  }
}
