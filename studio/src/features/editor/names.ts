import { localeName } from '../../components/format.ts'

/** English, where the environment has only one of them; else American English. */
export const shortName = (locale: string, all: string[]): string => {
  const [bare] = locale.split('-')
  const isOnly = all.filter((one) => one.split('-')[0] === bare).length === 1
  return localeName(isOnly ? bare! : locale)
}
