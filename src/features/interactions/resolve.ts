import type { Context } from '../../context.ts'
import { Conflict, conflict, type FieldError, Forbidden, Invalid, NotFound } from '../../errors.ts'
import { type Directory, type Known, lookUp } from './directory.ts'
import type { Submission, Who } from './receive.ts'
import { deletedOf, recognise, type Stranger, welcome } from './strangers.ts'

/** A request whose persons are known. Null stands for one who is not to be tracked. */
export type Resolved = Submission & { keys: (string | null)[] }

/**
 * Who and what each request speaks of. A request is refused as a whole, and before anybody is made for it; what is
 * wrong with one is nothing to the others.
 */
export const resolve = async (context: Context, group: Submission[]): Promise<(Resolved | Error)[]> => {
  const directory = await lookUp(context.db, group)
  const unknown = group.flatMap((one) => strangersIn(directory, one))
  if (unknown.length === 0) return group.map((one) => refusal(directory, one) ?? resolved(directory, one))
  await recognise(context, unknown, directory)
  const strangers = group.map((one) => strangersIn(directory, one))
  const deleted = await deletedOf(context, strangers.flat())
  const refusals = group.map((one) => refusal(directory, one, deleted))
  const newcomers = strangers.flatMap((own, index) => (refusals[index] ? [] : own))
  if (newcomers.length > 0) await welcome(context, newcomers, directory)
  return group.map((one, index) => refusals[index] ?? resolved(directory, one))
}

/** By the session, the id or the reference; a personal token that names nobody means its own person. */
const find = (directory: Directory, { actor }: Submission, who: Who): Known | undefined => {
  const { environment_id, person_key } = actor
  const { session_hash, id, reference_id } = who
  if (session_hash !== undefined) return directory.person(environment_id, 'session_hash', session_hash)
  if (id === undefined && reference_id === undefined)
    return directory.person(environment_id, 'key', person_key ?? '')
  return (
    (id === undefined ? undefined : directory.person(environment_id, 'id', id)) ??
    (reference_id === undefined ? undefined : directory.person(environment_id, 'reference_id', reference_id))
  )
}

const strangersIn = (directory: Directory, submission: Submission): Stranger[] => {
  const { actor, items } = submission
  if (actor.person_key !== null) return []
  return items.flatMap(({ who }) =>
    who.session_hash !== undefined || find(directory, submission, who) ? [] : [{ actor, who }],
  )
}

const refusal = (directory: Directory, submission: Submission, deleted?: Set<Who>): Error | undefined => {
  const { actor, publicationId, items, pathOf } = submission
  const publication = directory.publication(actor.environment_id, publicationId)
  if (!publication || (actor.token.visibility === 'published' && !publication.published))
    return new NotFound('Publication', publicationId)
  const faults: FieldError[] = []
  const gone: FieldError[] = []
  for (const [index, { who }] of items.entries()) {
    const person = find(directory, submission, who)
    if (actor.person_key !== null && person?.key !== actor.person_key)
      return new Forbidden('a personal token speaks for its own person only')
    if (person) continue
    if (who.session_hash !== undefined)
      faults.push({ path: pathOf(index, 'session_hash'), message: 'is not an open session of a person' })
    else if (deleted?.has(who)) gone.push({ path: pathOf(index, 'person'), message: 'was deleted' })
    else if (who.reference_id === undefined)
      faults.push({ path: pathOf(index, 'person.id'), message: 'is not a person of this environment' })
  }
  if (faults.length > 0) return new Invalid(faults)
  return gone.length > 0 ? new Conflict(gone.slice(0, 100), 'PersonDeleted') : undefined
}

const resolved = (directory: Directory, submission: Submission): Resolved | Error => {
  const persons = submission.items.map(({ who }) => find(directory, submission, who))
  const missing = persons.indexOf(undefined)
  // Its reference was new, but the id that came with it is somebody else's meanwhile.
  if (missing >= 0) return conflict(submission.pathOf(missing, 'person.id'), 'is already taken')
  return { ...submission, keys: persons.map((person) => (person!.tracking ? person!.key : null)) }
}
