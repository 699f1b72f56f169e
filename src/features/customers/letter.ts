import { renderHtml, renderLine, renderText, type Values } from '../email-templates/render.ts'
import type { EmailTemplateRow } from '../email-templates/table.ts'

/** What is sent where the environment has not said how it should be put. */
const subject = 'Sign in to {{environment}}'
const text = `Open this link to sign in to {{environment}}:

{{link}}

It works once, within {{minutes}} minutes. If you did not ask for it, you can ignore this letter.
`

export const write = (template: EmailTemplateRow | undefined, values: Values) => ({
  subject: renderLine(template?.subject ?? subject, values),
  text: renderText(template?.text ?? text, values),
  ...(template && { html: renderHtml(template.html, values) }),
})
