import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { faultsOf } from '../../../errors.ts'
import { checkSelection, type Expansions } from '../../../http/expand.ts'
import { commonExpansions } from '../../access/expansions.ts'
import { presentChannelV5 } from '../../channels/present.ts'
import { ChannelV5 } from '../../channels/schema.ts'
import type { ChannelRow } from '../../channels/table.ts'
import { musicExpansions, tracksShown } from '../catalogue/expansions.ts'
import { Track } from '../catalogue/schema.ts'
import type { TimelineRow } from '../table.ts'

const Shown = Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true })

export const timelineExpansions = (context: Context): Expansions<TimelineRow> => ({
  ...commonExpansions,
  channel: {
    schema: Shown,
    inner: Object.keys(ChannelV5.properties),
    load: async (db, { environment_id }, rows) => {
      const ids = [...new Set(rows.flatMap(({ channel_id }) => channel_id ?? []))]
      const { rows: found } = await sql<ChannelRow>`select * from channels
        where environment_id = ${environment_id} and id = any(${ids})`.execute(db)
      const byId = new Map(found.map((row) => [row.id, presentChannelV5(row)]))
      return ({ channel_id }) => byId.get(channel_id ?? '') ?? null
    },
  },
  /** Null where there is none that the reader sees. */
  track: {
    schema: Shown,
    inner: (selection) =>
      faultsOf(() => checkSelection(selection, musicExpansions(context).tracks as never, Track)),
    selects: true,
    load: async (db, actor, rows, inner) => {
      const ids = rows.flatMap(({ track_id }) => track_id ?? [])
      const shown = await tracksShown(context, db, actor, ids, inner)
      return ({ track_id }) => shown.get(track_id ?? '') ?? null
    },
  },
})
