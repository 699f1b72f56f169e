import type { Tx } from '../../database/connect.ts'
import {
  deleteRecord,
  type Expected,
  insertRecord,
  lockRecord,
  updateRecord,
} from '../../database/records.ts'
import { type FieldError, Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { presentEmailTemplate } from './present.ts'
import { names, templateFaults } from './render.ts'
import type { EmailTemplateBody, EmailTemplateChanges } from './schema.ts'
import type { EmailTemplateRow } from './table.ts'

/** What is wrong with the variables of a body; what its schema refuses is not judged here. */
export const bodyFaults = (body: Partial<Record<string, unknown>>): FieldError[] => {
  const faults = ['subject', 'html', 'text'].flatMap((path) => {
    const template = body?.[path]
    return typeof template === 'string' ? templateFaults(path, template) : []
  })
  const { html } = body ?? {}
  if (typeof html === 'string' && html !== '' && !names(html, 'link'))
    faults.push({ path: 'html', message: 'must hold {{link}}' })
  return faults
}

const check = (body: object): void => {
  const faults = bodyFaults(body as Record<string, unknown>)
  if (faults.length > 0) throw new Invalid(faults)
}

export const createEmailTemplate = async (
  tx: Tx,
  actor: Actor,
  body: EmailTemplateBody,
): Promise<EmailTemplateRow> => {
  check(body)
  const row = await insertRecord(tx, 'email_templates', actor, { text: null, ...body })
  await emit(tx, actor, 'email_template.created', row, presentEmailTemplate(row))
  return row
}

export const changeEmailTemplate = async (
  tx: Tx,
  actor: Actor,
  id: string,
  body: EmailTemplateChanges,
  expected: Expected,
): Promise<EmailTemplateRow> => {
  const before = await lockRecord(tx, 'email_templates', 'EmailTemplate', actor, id, expected)
  check(body)
  const row = await updateRecord(tx, 'email_templates', actor, before, body)
  if (row !== before) await emit(tx, actor, 'email_template.changed', row, presentEmailTemplate(row))
  return row
}

export const deleteEmailTemplate = async (
  tx: Tx,
  actor: Actor,
  id: string,
  expected: Expected,
): Promise<void> => {
  const row = await lockRecord(tx, 'email_templates', 'EmailTemplate', actor, id, expected)
  await deleteRecord(tx, 'email_templates', actor, row)
  await emit(tx, actor, 'email_template.deleted', row, presentEmailTemplate(row))
}
