import type { V5 } from 'marquee-sdk'
import type { Values } from './SourceForm.tsx'

const orNull = (text: string): string | null => text.trim() || null

/** Before a port, a path or anything else that is not the name of a host. */
const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).host || address : address

const common = (values: Values) => ({
  shortname: orNull(values.shortname),
  tag: orNull(values.tag),
  favorite: values.favorite,
  active: values.active,
  ...(values.interval === '' ? { adaptive: true } : { interval: Number(values.interval) }),
})

const ofFolder = ({ label, username, password }: Values) =>
  label === 'Ftp' ? { username: orNull(username), ...(password && { password }) } : {}

/** People write @ and # as they are used to. */
export const createBody = (values: Values): V5.CreateSourceBody => {
  const { label } = values
  const target = values.target.trim().replace(label.startsWith('Microblog') ? /^[@#]/ : /^$/, '')
  const name = values.name.trim()
  const what =
    label === 'MicroblogAccount'
      ? { screen_name: target }
      : label === 'MicroblogHashtag'
        ? { body: target }
        : { url: target, name: name || hostOf(target) }
  return { label, ...what, ...(name && { name }), ...common(values), ...ofFolder(values) }
}

export const changeBody = (values: Values, url: string | null): V5.UpdateSourceBody => ({
  ...common(values),
  ...ofFolder(values),
  name: values.name.trim(),
  ...(url !== null && { url: values.target.trim() }),
})
