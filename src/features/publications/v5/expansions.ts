import { sql } from 'kysely'
import { Type } from 'typebox'
import { restOn } from '../../../database/basis.ts'
import { isoDate, isoDateOrNull } from '../../../dates.ts'
import type { Expansion, Expansions } from '../../../http/expand.ts'
import { DateTime, NullableDateTime } from '../../../http/schemas.ts'
import { commonExpansions } from '../../access/expansions.ts'
import { presentChannelV5 } from '../../channels/present.ts'
import { ChannelV5 } from '../../channels/schema.ts'
import type { ChannelRow } from '../../channels/table.ts'
import { presentContainer } from '../../containers/present.ts'
import { Container } from '../../containers/schema.ts'
import type { ContainerRow } from '../../containers/table.ts'
import type { NotificationRow } from '../../notifications/table.ts'
import { publicationExpansions } from '../present/expansions.ts'
import { otherNames } from '../present/references.ts'
import type { ShownRow } from '../table.ts'
import { type FlatName, flatNames } from './flat.ts'
import type { ViewV5 } from './present.ts'
import { flatIn, itemsIn, loadMain } from './present-items.ts'
import { flatShown } from './schema.ts'
import { mainOf } from './sight.ts'

/** The first of those that a publication names and that are there. */
const first = <Row extends { id: string }>(
  table: 'channels' | 'containers',
  ids: (row: ShownRow) => string[],
  toBody: (row: Row) => object,
  schema: ReturnType<typeof Type.Object>,
): Expansion<ShownRow> => ({
  schema: Type.Unsafe<object | null>({ type: ['object', 'null'], properties: schema.properties }),
  inner: Object.keys(schema.properties),
  load: async (db, { environment_id }, rows) => {
    const found = await sql<Row>`select * from ${sql.table(table)}
      where environment_id = ${environment_id} and id = any(${[...new Set(rows.flatMap(ids))]}::text[])`.execute(
      db,
    )
    const bodies = new Map(found.rows.map((row) => [row.id, toBody(row)]))
    return (row) => bodies.get(ids(row).find((id) => bodies.has(id)) ?? '') ?? null
  },
})

const flat = (view: ViewV5, name: FlatName): Expansion<ShownRow> => ({
  schema: flatShown[name],
  ...(name === 'assets' && { inner: ['id', 'created_on', 'changed_on', 'label', ...otherNames] }),
  load: async (db, actor, rows, inner) => {
    const loaded = await loadMain(db, actor, rows)
    return (row) => flatIn(loaded, view, actor, row, name, inner)
  },
})

/** What the person of the session is told of it. */
const notification = (view: ViewV5): Expansion<ShownRow> => ({
  schema: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description: 'Of the person of the session; null where there is none',
    properties: { state: { type: 'string' }, created_on: DateTime(), changed_on: NullableDateTime() },
  }),
  load: async (db, actor, rows) => {
    restOn(actor, 'interactions')
    if (view.personKey === undefined) return () => null
    const found = await sql<NotificationRow>`select * from notifications
      where environment_id = ${actor.environment_id} and person_key = ${view.personKey}
        and publication_id = any(${rows.map(({ id }) => id)}::text[])`.execute(db)
    const known = new Map(
      found.rows.map(({ publication_id, state, created_on, changed_on }) => [
        publication_id,
        { state, created_on: isoDate(created_on), changed_on: isoDateOrNull(changed_on) },
      ]),
    )
    return ({ id }) => known.get(id) ?? null
  },
})

/** What `fields` can add to a publication of version 5. */
export const publicationExpansionsV5 = (view: ViewV5): Expansions<ShownRow> => {
  const { model, channels, containers, insights, internal_comments } = publicationExpansions(view)
  return {
    ...commonExpansions,
    ...Object.fromEntries(flatNames.map((name) => [name, flat(view, name)])),
    items: {
      schema: Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'api_id → value, as the unversioned generation shows the locale',
      }),
      load: async (db, actor, rows) => {
        const loaded = await loadMain(db, actor, rows)
        return (row) => itemsIn(loaded, view, row)
      },
    },
    channel: first<ChannelRow>('channels', (row) => row.channel_ids, presentChannelV5, ChannelV5),
    container: first<ContainerRow>('containers', (row) => row.container_ids, presentContainer, Container),
    published: {
      schema: Type.Boolean(),
      load: async () => (row) => mainOf(row)?.published ?? false,
    },
    notification: notification(view),
    ...{ model: model!, channels: channels!, containers: containers!, insights: insights! },
    internal_comments: internal_comments!,
  }
}
