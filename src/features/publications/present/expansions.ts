import { sql } from 'kysely'
import { Type } from 'typebox'
import { restOn } from '../../../database/basis.ts'
import type { Db } from '../../../database/connect.ts'
import type { Expansion, Expansions } from '../../../http/expand.ts'
import type { Actor } from '../../access/authenticate.ts'
import { commonExpansions, UserReference, usersShown } from '../../access/expansions.ts'
import { presentChannel } from '../../channels/present.ts'
import { Channel } from '../../channels/schema.ts'
import type { ChannelRow } from '../../channels/table.ts'
import { presentContainer } from '../../containers/present.ts'
import { Container } from '../../containers/schema.ts'
import { countsOf } from '../../interactions/counters.ts'
import { presentModel } from '../../models/present.ts'
import { PublicationModel } from '../../models/schema.ts'
import { addressesOf } from '../addresses.ts'
import { draftExpansion } from '../drafts/expansions.ts'
import { Publication } from '../schema.ts'
import type { ShownRow } from '../table.ts'
import { internalComments } from './comments.ts'
import { itemsExpansion } from './items.ts'
import { perLocale, presentPublication } from './present.ts'
import { shownLocales, type View } from './view.ts'

const PerLocale = (value: object) => Type.Unsafe<object>({ type: 'object', additionalProperties: value })

/** A list of the records that a publication names by id, in its order; those that are gone are left out. */
const linked = <Row extends { id: string }>(
  table: 'channels' | 'containers',
  ids: (row: ShownRow) => string[],
  toBody: (row: Row) => object,
  schema: ReturnType<typeof Type.Object>,
): Expansion<ShownRow> => ({
  schema: Type.Array(Type.Unsafe<object>({ type: 'object', properties: schema.properties })),
  inner: Object.keys(schema.properties),
  load: async (db, { environment_id }, rows) => {
    const wanted = [...new Set(rows.flatMap(ids))]
    if (wanted.length === 0) return () => []
    const found = await sql<Row>`select * from ${sql.table(table)}
      where environment_id = ${environment_id} and id = any(${wanted}::text[])`.execute(db)
    const bodies = new Map(found.rows.map((row) => [row.id, toBody(row)]))
    return (row) => ids(row).flatMap((id) => bodies.get(id) ?? [])
  },
})

/** From what the row itself holds. */
const own = (schema: object, read: (row: ShownRow) => unknown): Expansion<ShownRow> => ({
  schema: schema as never,
  load: async () => read,
})

/** How often each kind of interaction was recorded. */
const countInteractions = async (db: Db, actor: Actor, rows: ShownRow[]) => {
  restOn(actor, 'interactions')
  const counts = await countsOf(
    db,
    actor.environment_id,
    rows.map(({ id }) => id),
  )
  return ({ id }: ShownRow) => counts.get(id) ?? {}
}

const loadAssigned =
  (view: View): Expansion<ShownRow>['load'] =>
  async (db, actor, rows) => {
    const ids = rows.flatMap((row) => shownLocales(row, view).map((locale) => row.state[locale]!.assigned_to))
    const shown = await usersShown(db, actor, ids)
    return (row) =>
      Object.fromEntries(
        Object.entries(perLocale(row, view, ({ assigned_to }) => shown(assigned_to))).filter(
          ([, user]) => user,
        ),
      )
  }

/** Its address in each locale, as the first of its channels that is there constructs it; previews are not for readers. */
const address = (view: View, name: 'share_url' | 'preview_url'): Expansion<ShownRow> => ({
  schema: PerLocale({ type: ['string', 'null'] }) as never,
  load: async (db, { environment_id }, rows) => {
    const found = await sql<ChannelRow>`select * from channels where environment_id = ${environment_id}
      and id = any(${[...new Set(rows.flatMap(({ channel_ids }) => channel_ids))]}::text[])`.execute(db)
    const channels = new Map(found.rows.map((row) => [row.id, row]))
    return (row) => {
      const channel = row.channel_ids.map((id) => channels.get(id)).find(Boolean)
      const isHidden = name === 'preview_url' && view.publishedOnly
      return perLocale(row, view, ({ slug }) => (isHidden ? null : addressesOf(channel, row.id, slug)[name]))
    }
  },
})

/** What `fields` can add to a publication, as this view shows it. */
export const publicationExpansions = (view: View): Expansions<ShownRow> => ({
  ...commonExpansions,
  items: itemsExpansion(view, publicationExpansions),
  title: own(PerLocale({ type: ['string', 'null'] }), (row) => perLocale(row, view, ({ title }) => title)),
  model: {
    schema: Type.Unsafe<object | null>({ type: ['object', 'null'], properties: PublicationModel.properties }),
    inner: Object.keys(PublicationModel.properties),
    load: async () => (row) => {
      const model = view.structure.models.get(row.model_id ?? '')
      return model ? presentModel(model) : null
    },
  },
  expire_on: own(Publication.properties.expire_on, (row) => presentPublication(row, view).expire_on),
  locales: own(Publication.properties.locales, (row) => shownLocales(row, view)),
  published: own(PerLocale({ type: 'boolean' }), (row) => perLocale(row, view, ({ published }) => published)),
  assigned_to: { schema: PerLocale(UserReference), load: loadAssigned(view) },
  channels: linked('channels', (row) => row.channel_ids, presentChannel, Channel),
  containers: linked('containers', (row) => row.container_ids, presentContainer, Container),
  share_url: address(view, 'share_url'),
  preview_url: address(view, 'preview_url'),
  insights: {
    schema: Type.Unsafe<object>({ type: 'object', additionalProperties: { type: 'integer' } }),
    load: countInteractions,
  },
  internal_comments: internalComments,
  draft: draftExpansion,
})
