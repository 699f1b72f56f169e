import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import type { Expected } from '../../../database/records.ts'
import { NotFound } from '../../../errors.ts'
import { isObject } from '../../../objects.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { Applied, Input } from '../commands/applied.ts'
import { type Arrived, changePublication, createPublication } from '../commands/commands.ts'
import { deletePublication } from '../commands/delete.ts'
import { lockPublication } from '../store/load.ts'
import { structureFor } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { inWordsOfV5 } from './faults.ts'
import { missingByLabel } from './rules.ts'
import { isSeen } from './sight.ts'
import { bodyOfStatus } from './statuses.ts'
import { type Translated, translate } from './translate.ts'

/** What the schema has refused is not looked at again. */
const sound = (sent: Input, { faults }: Arrived): Input => {
  const refused = new Set(faults.map(({ path }) => path.split('.')[0]))
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !refused.has(name)))
}

const structureWith = (context: Context, { environment_id }: Actor, { status }: Input) =>
  structureFor(context, environment_id, {
    status: typeof status === 'string' ? { of: { body: bodyOfStatus(status) } } : {},
  })

const finished =
  (translated: Translated, sent: Input, arrived: Arrived) =>
  (applied: Applied): void => {
    // Those behind the first were not sent, and may be gone by now.
    for (const [name, one] of [
      ['channels', sent.channel],
      ['containers', sent.container],
    ] as const)
      applied[name] = isObject(one) ? applied[name].slice(0, 1) : []
    const known = [...arrived.faults, ...translated.faults, ...applied.faults].map(({ path }) => path)
    const missing = missingByLabel(applied.after, translated.locale)
    applied.faults.push(...missing.filter(({ path }) => !known.some((one) => one.includes(path))))
  }

export const createV5 = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  body: Input,
  arrived: Arrived & { id?: string },
): Promise<PublicationRow> => {
  const sent = sound(body, arrived)
  const structure = await structureWith(context, actor, sent)
  const translated = translate(actor.environment, structure, null, sent)
  return inWordsOfV5(translated, () =>
    createPublication(context, tx, actor, translated.body, {
      isForm: arrived.isForm,
      faults: [...arrived.faults, ...translated.faults],
      label: translated.label,
      ...(arrived.id !== undefined && { id: arrived.id }),
      adapt: finished(translated, sent, arrived),
    }),
  )
}

export const changeV5 = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  body: Input,
  arrived: Arrived & { expected: Expected },
): Promise<PublicationRow> => {
  const sent = sound(body, arrived)
  const stored = await lockPublication(tx, actor.environment_id, id)
  if (!isSeen(actor, stored.row)) throw new NotFound('Publication', id)
  const structure = await structureWith(context, actor, sent)
  const translated = translate(actor.environment, structure, stored.publication, sent)
  return inWordsOfV5(translated, () =>
    changePublication(context, tx, actor, id, translated.body, {
      expected: arrived.expected,
      isForm: arrived.isForm,
      faults: [...arrived.faults, ...translated.faults],
      stored,
      label: translated.label,
      adapt: finished(translated, sent, arrived),
    }),
  )
}

export const deleteV5 = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  expected: Expected,
): Promise<void> => {
  const stored = await lockPublication(tx, actor.environment_id, id)
  if (!isSeen(actor, stored.row)) throw new NotFound('Publication', id)
  await deletePublication(context, tx, actor, id, { expected, stored })
}
