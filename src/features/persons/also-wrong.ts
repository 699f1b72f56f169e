import type { Context } from '../../context.ts'
import type { FieldError } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import { blankPerson } from './apply.ts'
import type { PersonInput } from './input.ts'
import { inputFaults, type Rules } from './look-up.ts'
import { isAddress } from './picture.ts'
import { findPerson } from './queries.ts'

/** What is wrong with a body that its schema refuses, in those of its fields that the schema would take. */
export const faultsBeside =
  ({ db, keys }: Context, read: (body: object) => PersonInput, rules: Rules) =>
  async (actor: Actor, body: object, id: string | undefined, found: FieldError[]): Promise<FieldError[]> => {
    // Of a hundred faults no more are told, so what else is wrong is not known.
    if (typeof body !== 'object' || body === null || Array.isArray(body) || found.length >= 100) return []
    const right = withoutWrong(body as Body, found)
    const before = id === undefined ? blankPerson(actor) : await findPerson(db, actor.environment_id, id)
    const input = read(right)
    // What is at an address is only known when it is fetched.
    if (isAddress(input.picture_id)) input.picture_id = undefined
    return inputFaults(db, keys, actor, before, input, rules)
  }

type Body = Record<string, unknown>

/** Of a list only the items that are wrong are left out, as holes: the others keep their places. */
const withoutWrong = (body: Body, found: FieldError[]): Body => {
  const right = { ...body }
  for (const [name, ...rest] of found.map(({ path }) => path.split('.') as [string, ...string[]])) {
    const list = listIn(body[name])
    const place = rest[0] === 'items' ? rest[1] : rest[0]
    if (!list || place === undefined) delete right[name]
    else if (right[name] !== undefined) {
      const kept = right[name] === body[name] ? [...list] : (right[name] as unknown[])
      delete kept[Number(place)]
      right[name] = kept
    }
  }
  return right
}

const listIn = (value: unknown): unknown[] | undefined => {
  const list = (value as { items?: unknown } | null)?.items ?? value
  return Array.isArray(list) ? list : undefined
}
