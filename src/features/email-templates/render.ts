import type { FieldError } from '../../errors.ts'

/** What a template may name. There is nothing else in it that is not plain text: no conditions, loops or code. */
export const variables = ['link', 'email', 'first_name', 'last_name', 'environment', 'minutes'] as const
export type Values = Record<(typeof variables)[number], string>

const placeholder = /\{\{([^{}]*)\}\}/g

/** What is wrong with a template that stands under `path`. */
export const templateFaults = (path: string, template: string): FieldError[] => {
  const names = [...template.matchAll(placeholder)].map(([, name]) => name!.trim())
  const unknown = [...new Set(names)].filter((name) => !(variables as readonly string[]).includes(name))
  const faults = unknown.map((name) => ({
    path,
    message: `has the unknown variable ${JSON.stringify(name.slice(0, 100))}; there are ${variables.join(', ')}`,
  }))
  if (template.replace(placeholder, '').includes('{{')) faults.push({ path, message: 'has {{ without }}' })
  return faults
}

/** Whether the template shows a variable. */
export const names = (template: string, variable: keyof Values): boolean =>
  [...template.matchAll(placeholder)].some(([, name]) => name!.trim() === variable)

const fill = (template: string, values: Values, written: (value: string) => string): string =>
  template.replace(placeholder, (_, name: string) => written(values[name.trim() as keyof Values] ?? ''))

export const renderText = (template: string, values: Values): string =>
  fill(template, values, (value) => value)

/** On one line, whatever the values hold. */
export const renderLine = (template: string, values: Values): string =>
  renderText(template, values).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const renderHtml = (template: string, values: Values): string =>
  fill(template, values, (value) => value.replace(/[&<>"']/g, (character) => entities[character]!))
