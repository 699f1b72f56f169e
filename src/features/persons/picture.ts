import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { faultsOf, Invalid } from '../../errors.ts'
import type { App } from '../../http/types.ts'
import { UploadedFile } from '../../storage/uploaded.ts'
import type { Actor } from '../access/authenticate.ts'
import { holdBytes } from '../assets/bytes.ts'
import { fetchFile, takeFile } from '../assets/intake.ts'
import { findBySha256 } from '../assets/queries.ts'
import { typeFaults } from '../assets/types.ts'
import type { Person } from './table.ts'

/** The most bytes of a picture of a person. */
export const maxPicture = 50_000_000

export const isAddress = (picture: unknown): picture is string =>
  typeof picture === 'string' && /^https?:\/\//i.test(picture)

/** A picture that is named by its address is fetched before anything is written, outside of any transaction. */
export const fetchPictures = (app: App, context: Context, name: string): void => {
  app.addHook('preHandler', async (request: FastifyRequest) => {
    const body = request.body as Record<string, unknown> | undefined
    const url = body?.[name]
    if (!body || !isAddress(url)) return
    const file = await fetchFile(context, url, { path: name, max: maxPicture, timeout: 30_000 })
    request.files = [...(request.files ?? []), file]
    body[name] = file
  })
}

/** Saves a body whose picture may be a file: it becomes an asset, which is the person's own and erased with it. */
export const withPicture = async <B extends object>(
  context: Context,
  tx: Tx,
  actor: Actor,
  body: B,
  name: keyof B & string,
  save: (body: B) => Promise<Person>,
): Promise<Person> => {
  const file: unknown = body[name]
  if (!(file instanceof UploadedFile)) return save(body)
  const faults = typeFaults('Photo', file, name)
  if (faults.length > 0)
    throw new Invalid([...faults, ...(await otherFaults(() => save({ ...body, [name]: undefined })))])
  const { environment_id } = actor
  await holdBytes(tx, { environment_id, sha256: file.sha256 })
  const earlier = await findBySha256(tx, environment_id, file.sha256)
  const asset = await takeFile(context, tx, actor, file, { label: 'Photo', path: name })
  const person = await save({ ...body, [name]: asset.id })
  // It stays the person's own who sends it once more.
  if (!earlier || earlier.person_key === person.key)
    await sql`update assets set person_key = ${person.key}
      where environment_id = ${environment_id} and id = ${asset.id}`.execute(tx)
  return person
}

/** Nothing of it stays: the transaction ends with the fault that is known already. */
const otherFaults = async (save: () => Promise<unknown>) => {
  const [settled] = await Promise.allSettled([save()])
  return faultsOf(() => {
    if (settled.status === 'rejected') throw settled.reason
  })
}
