import type { ModelField } from './table.ts'

/** The field that gives publications their title. */
export const titleField = (fields: readonly ModelField[]): ModelField | undefined =>
  fields.find(({ api_id }) => api_id === 'title') ??
  fields.find(({ api_id }) => api_id === 'name') ??
  fields.find(({ label }) => label === 'Text')
