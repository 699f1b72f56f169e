import { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { Person } from '../table.ts'
import { presentHeld } from './present.ts'
import { type Section, sectionsOf } from './sections.ts'

/** Everything that is held about a person as one JSON object, a page in memory at a time. */
export const exportPerson = (context: Context, actor: Actor, person: Person): Readable => {
  const write = async function* () {
    yield JSON.stringify(presentHeld(context.keys, person, new Date())).slice(0, -1)
    for (const [name, section] of Object.entries(sectionsOf(context, actor, person)))
      yield* writeSection(name, section)
    yield '}'
  }
  return Readable.from(write())
}

const writeSection = async function* (name: string, section: Section) {
  yield `,${JSON.stringify(name)}:[`
  let isFirst = true
  for await (const items of section) {
    if (items.length === 0) continue
    yield `${isFirst ? '' : ','}${items.map((item) => JSON.stringify(item)).join()}`
    isFirst = false
  }
  yield ']'
}
