import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import { present } from '../../../http/expand.ts'
import type { Selection } from '../../../http/fields.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { ChannelRow } from '../../channels/table.ts'
import { addressesOf } from '../addresses.ts'
import { moment } from '../present/present.ts'
import type { View } from '../present/view.ts'
import type { ShownRow } from '../table.ts'
import { publicationExpansionsV5 } from './expansions.ts'
import { loadFlat } from './present-items.ts'
import { mainOf } from './sight.ts'
import { statusOf } from './statuses.ts'

/** What stands beside a page of publications: of their channels and containers, those that are there. */
type Beside = { channels: Map<string, ChannelRow>; containers: ReadonlySet<string> }

const loadBeside = async (db: Db, { environment_id }: Actor, rows: ShownRow[]): Promise<Beside> => {
  const channelIds = [...new Set(rows.flatMap(({ channel_ids }) => channel_ids))]
  const containerIds = [...new Set(rows.flatMap(({ container_ids }) => container_ids))]
  const [channels, containers] = await Promise.all([
    channelIds.length === 0
      ? []
      : sql<ChannelRow>`select * from channels where environment_id = ${environment_id}
          and id = any(${channelIds}::text[])`
          .execute(db)
          .then(({ rows: found }) => found),
    containerIds.length === 0
      ? []
      : sql<{ id: string }>`select id from containers where environment_id = ${environment_id}
          and id = any(${containerIds}::text[])`
          .execute(db)
          .then(({ rows: found }) => found),
  ])
  return {
    channels: new Map(channels.map((row) => [row.id, row])),
    containers: new Set(containers.map(({ id }) => id)),
  }
}

/** The label of a publication with a model is the name of it. */
const labelOf = ({ label, model_id }: ShownRow, { structure }: View): string =>
  structure.models.get(model_id ?? '')?.body ?? label

const presentListed = (row: ShownRow, view: View, { channels, containers }: Beside) => {
  const state = mainOf(row)
  const channel = row.channel_ids.find((id) => channels.has(id))
  const container = row.container_ids.find((id) => containers.has(id))
  const slug = state?.slug ?? null
  const { share_url, preview_url } = addressesOf(channels.get(channel ?? ''), row.id, slug)
  return {
    ...presentBase(labelOf(row, view), row),
    name: state?.title ?? null,
    slug,
    status: state ? statusOf(view.structure, state) : null,
    published_on: moment(state?.publish_on ?? null),
    unpublish_on: moment(state?.expire_on ?? null),
    channel: channel === undefined ? null : { id: channel },
    container: container === undefined ? null : { id: container },
    share_url,
    preview_url: view.publishedOnly ? null : preview_url,
  }
}

export type ViewV5 = View & {
  /** Whose session it is. */
  personKey?: string | undefined
}

/** A page of publications as version 5 shows them. Alone each has all that it is filled with. */
export const presentV5 = async (
  context: Context,
  actor: Actor,
  rows: ShownRow[],
  view: ViewV5,
  selection: Selection,
  isAlone = false,
): Promise<object[]> => {
  const { db } = context
  const [beside, flat] = await Promise.all([
    loadBeside(db, actor, rows),
    isAlone ? loadFlat(db, actor, rows, view) : undefined,
  ])
  const toBody = (row: ShownRow) => ({ ...presentListed(row, view, beside), ...flat?.(row) })
  return present(db, actor, rows, toBody, publicationExpansionsV5(view), selection)
}
