import { applyRows } from './apply.ts'

export const personImport = {
  apply: applyRows,
  tables: [
    'persons',
    'person_facts',
    'person_emails',
    'person_words',
    'person_tags',
    'person_terms',
    'person_accounts',
  ],
}
