import { recordRoutes } from '../../http/records.ts'
import type { App, Routes } from '../../http/types.ts'
import { faultsBeside } from './also-wrong.ts'
import { changePerson, createPerson } from './commands.ts'
import { buryPerson } from './erase/commands.ts'
import { personListV5 } from './filters.ts'
import { listPersons } from './list/list.ts'
import type { Rules } from './look-up.ts'
import { fetchPictures, maxPicture, withPicture } from './picture.ts'
import { personExpansionsV5, presentPersonV5 } from './present-v5.ts'
import { findPerson } from './queries.ts'
import { readPersonV5 } from './read.ts'
import { namesV5, PersonBodyV5, PersonChangesV5, PersonV5, shortestName, tokenNames } from './schema-v5.ts'

const names: Record<string, string> = { ...namesV5, ...tokenNames }
const rules: Rules = { shortestName, nameOf: (field) => names[field] ?? field }

type Body = Record<string, unknown>

export const personRoutesV5: Routes = (app, context) =>
  void app.register(async (own: App) => {
    fetchPictures(own, context, 'picture')
    recordRoutes(own, context, {
      path: '/persons',
      label: 'Person',
      record: PersonV5,
      list: personListV5,
      page: listPersons,
      expansions: personExpansionsV5(context.keys),
      present: presentPersonV5,
      find: (db, { environment_id }, id) => findPerson(db, environment_id, id),
      read: ['persons'],
      alsoWrong: faultsBeside(context, (body) => readPersonV5(body as Body), rules),
      create: {
        scopes: ['persons', 'person_publish'],
        body: PersonBodyV5,
        files: { picture: maxPicture },
        run: (tx, actor, body: Body) =>
          withPicture(context, tx, actor, body, 'picture', (read) =>
            createPerson(tx, context.keys, actor, readPersonV5(read), rules),
          ),
      },
      change: {
        scopes: ['persons', 'person_publish'],
        body: PersonChangesV5,
        files: { picture: maxPicture },
        run: (tx, actor, id, body: Body, expected) =>
          withPicture(context, tx, actor, body, 'picture', (read) =>
            changePerson(tx, context.keys, actor, id, readPersonV5(read), expected, rules),
          ),
      },
      remove: {
        scopes: ['persons', 'person_delete'],
        run: (tx, actor, id, expected) => buryPerson(tx, context, actor, id, expected),
      },
    })
  })
