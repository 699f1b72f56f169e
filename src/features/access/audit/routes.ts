import { Collection, envelope } from '../../../http/list.ts'
import type { Routes } from '../../../http/types.ts'
import { sequencePage } from '../sequence-page.ts'
import { auditList } from './filters.ts'
import { type AuditRow, presentAuditEntry } from './present.ts'
import { auditEntries, ofThisEnvironment } from './queries.ts'
import { AuditEntry } from './schema.ts'
import { growingTotals } from './totals.ts'

export const auditRoutes: Routes = (app, { db, config }) => {
  const totals = growingTotals()

  app.get(
    '/audit_log',
    {
      config: { scopes: ['tokens'], list: auditList, record: AuditEntry },
      schema: {
        summary: 'List what was written, by whom and when',
        response: { 200: Collection(AuditEntry) },
      },
    },
    async (request, reply) => {
      const only = ofThisEnvironment(request.actor)
      const page = await sequencePage<AuditRow>(db, auditList, auditEntries, only, request.list, {
        count: totals,
      })
      return envelope(request, reply, config.publicUrl, page, page.rows.map(presentAuditEntry)) as never
    },
  )
}
