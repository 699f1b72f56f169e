import type { Gram } from '../model/gram.ts'
import { type Model, noCorrections } from '../model/model.ts'
import { withIndex } from '../model/sessions.ts'

type Numbers = Int32Array | Float32Array

/** What is stored under which name, as numbers lie in memory: every machine this runs on is little-endian. */
export type Section = { name: string; body: Buffer }

const bytes = ({ buffer, byteOffset, byteLength }: Numbers): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

/** What predictions need. */
export const modelSections = ({ ids, speaks, content, popularity, support, sessions }: Model): Section[] => [
  { name: 'ids', body: Buffer.from(ids.join('\n')) },
  { name: 'speaks.starts', body: bytes(speaks.starts) },
  { name: 'speaks.columns', body: bytes(speaks.columns) },
  { name: 'speaks.values', body: bytes(speaks.values) },
  { name: 'content.starts', body: bytes(content.starts) },
  { name: 'content.columns', body: bytes(content.columns) },
  { name: 'content.values', body: bytes(content.values) },
  { name: 'popularity', body: bytes(popularity) },
  { name: 'support', body: bytes(support) },
  { name: 'sessions.starts', body: bytes(sessions.starts) },
  { name: 'sessions.items', body: bytes(sessions.items) },
]

/** What corrections need besides. */
export const gramSections = ({ starts, columns, values, diagonal }: Gram): Section[] => [
  { name: 'gram.starts', body: bytes(starts) },
  { name: 'gram.columns', body: bytes(columns) },
  { name: 'gram.values', body: bytes(values) },
  { name: 'gram.diagonal', body: bytes(diagonal) },
]

/** Copied to a place of its own: numbers must begin at a multiple of four. */
const aligned = (body: Buffer): ArrayBuffer => new Uint8Array(body).buffer as ArrayBuffer

type Sections = Map<string, Buffer>

const integers = (sections: Sections, name: string): Int32Array =>
  new Int32Array(aligned(sections.get(name)!))
const floats = (sections: Sections, name: string): Float32Array =>
  new Float32Array(aligned(sections.get(name)!))

const sparse = (sections: Sections, name: string) => ({
  starts: integers(sections, `${name}.starts`),
  columns: integers(sections, `${name}.columns`),
  values: floats(sections, `${name}.values`),
})

export const modelOf = (sections: Sections): Model => {
  const text = sections.get('ids')!.toString()
  const ids = text === '' ? [] : text.split('\n')
  return {
    ids,
    index: new Map(ids.map((id, number) => [id, number])),
    speaks: sparse(sections, 'speaks'),
    content: sparse(sections, 'content'),
    popularity: floats(sections, 'popularity'),
    support: integers(sections, 'support'),
    sessions: withIndex(
      integers(sections, 'sessions.starts'),
      integers(sections, 'sessions.items'),
      ids.length,
    ),
    corrections: noCorrections(),
  }
}

export const gramOfSections = (sections: Sections): Gram => ({
  ...sparse(sections, 'gram'),
  diagonal: floats(sections, 'gram.diagonal'),
})
