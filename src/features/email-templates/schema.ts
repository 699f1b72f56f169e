import { type Static, Type } from 'typebox'
import { Body, base, Changes, NullableText, Text } from '../../http/schemas.ts'
import { variables } from './render.ts'

const shown = variables.map((name) => `{{${name}}}`).join(', ')

const fields = {
  name: Text(200, { examples: ['Sign-in'] }),
  subject: Text(200, {
    pattern: '^[^\\r\\n]*\\S[^\\r\\n]*$',
    examples: ['Sign in to {{environment}}'],
    description: `May hold ${shown}`,
  }),
  html: Text(200_000, {
    examples: ['<p>Hello {{first_name}},</p><p><a href="{{link}}">Sign in</a></p>'],
    description: `Must hold {{link}}, and may hold ${shown}; values are escaped`,
  }),
  text: NullableText(50_000, { description: 'For readers without HTML; a short text of ours unless given' }),
}

const { name, subject, html, text } = fields
export const EmailTemplateBody = Body({ name, subject, html, text: Type.Optional(text) })
export const EmailTemplateChanges = Changes(fields)
export type EmailTemplateBody = Static<typeof EmailTemplateBody>
export type EmailTemplateChanges = Static<typeof EmailTemplateChanges>

export const EmailTemplate = Type.Object({ ...base('EmailTemplate'), ...fields }, { title: 'EmailTemplate' })
