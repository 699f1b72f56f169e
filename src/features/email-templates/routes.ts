import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions } from '../access/expansions.ts'
import { bodyFaults, changeEmailTemplate, createEmailTemplate, deleteEmailTemplate } from './commands.ts'
import { emailTemplateList } from './filters.ts'
import { presentEmailTemplate } from './present.ts'
import { EmailTemplate, EmailTemplateBody, EmailTemplateChanges } from './schema.ts'

export const emailTemplateRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/email_templates',
    label: 'EmailTemplate',
    record: EmailTemplate,
    list: emailTemplateList,
    expansions: commonExpansions,
    present: presentEmailTemplate,
    read: ['tokens'],
    alsoWrong: async (_actor, body) => bodyFaults(body as Record<string, unknown>),
    create: { scopes: ['tokens'], body: EmailTemplateBody, run: createEmailTemplate },
    change: { scopes: ['tokens'], body: EmailTemplateChanges, run: changeEmailTemplate },
    remove: { scopes: ['tokens'], run: deleteEmailTemplate },
  })
