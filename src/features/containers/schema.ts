import { type Static, Type } from 'typebox'
import { Body, base, Changes, NewSlug, NullableText, Slug, Text } from '../../http/schemas.ts'

const fields = {
  body: Text(200, { examples: ['Elections'] }),
  slug: Slug('elections'),
  description: NullableText(10_000, { examples: ['Everything about the vote of this autumn'] }),
}

const { body, slug, description } = fields
export const ContainerChanges = Changes(fields)
export const ContainerBody = Body({ ...ContainerChanges.properties, body, slug: NewSlug('elections') })
export type ContainerBody = Static<typeof ContainerBody>
export type ContainerChanges = Static<typeof ContainerChanges>

export const Description = description
export const Container = Type.Object({ ...base('Container'), body, slug }, { title: 'Container' })
