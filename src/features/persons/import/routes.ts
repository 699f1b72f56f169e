import type { Routes } from '../../../http/types.ts'
import { importRoutes } from '../../imports/routes-kind.ts'
import { PersonBody } from '../schema.ts'
import { matches } from './match.ts'

export const personImportRoutes: Routes = (app, context) =>
  importRoutes(app, context, {
    name: 'persons',
    path: '/persons',
    upload: '/persons/import',
    read: ['persons'],
    write: ['persons', 'persons_publish'],
    body: PersonBody,
    matches,
    matched: 'What a person is found by. Without it: by reference_id where a row has one, then by id',
    examples: {
      csv: 'reference_id,last_name,emails\n1024,Quayside,a@example.org;b@example.org\n',
      ndjson: '{"reference_id":"1024","last_name":"Quayside"}\n',
    },
    isSlow: ({ password }) => Boolean(password),
  })
