import { type Static, Type } from 'typebox'
import { Body, base, Changes, NewSlug, Slug, Text } from '../../http/schemas.ts'

const fields = { body: Text(200, { examples: ['Politics'] }), slug: Slug('politics') }

export const TagBody = Body({ body: fields.body, slug: NewSlug('politics') })
export const TagChanges = Changes(fields)
export type TagBody = Static<typeof TagBody>
export type TagChanges = Static<typeof TagChanges>

export const Tag = Type.Object({ ...base('Tag'), ...fields }, { title: 'Tag' })
