import type { Context } from '../../context.ts'
import type { FieldError } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import { blankPerson } from './apply.ts'
import type { PersonInput } from './input.ts'
import { inputFaults, type Rules } from './look-up.ts'
import { findPerson } from './queries.ts'

/** What is wrong with a body that its schema refuses, in those of its fields that the schema would take. */
export const faultsBeside =
  ({ db, keys }: Context, read: (body: object) => PersonInput, rules: Rules) =>
  async (actor: Actor, body: object, id: string | undefined, found: FieldError[]): Promise<FieldError[]> => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
    const wrong = new Set(found.map(({ path }) => path.split('.', 1)[0]))
    const right = Object.fromEntries(Object.entries(body).filter(([name]) => !wrong.has(name)))
    const before = id === undefined ? blankPerson(actor) : await findPerson(db, actor.environment_id, id)
    return inputFaults(db, keys, actor, before, read(right), rules)
  }
