import { recordRoutes } from '../../http/records.ts'
import type { App, Routes } from '../../http/types.ts'
import { faultsBeside } from './also-wrong.ts'
import { changePerson, createPerson } from './commands.ts'
import { deletePerson } from './erase/commands.ts'
import { personExpansions, without } from './expansions.ts'
import { personList } from './filters.ts'
import { listPersons } from './list/list.ts'
import { ownRules } from './look-up.ts'
import { fetchPictures, maxPicture, withPicture } from './picture.ts'
import { presentPerson } from './present.ts'
import { findPerson } from './queries.ts'
import { readPerson } from './read.ts'
import { Person, PersonBody, PersonChanges } from './schema.ts'

export const personRoutes: Routes = (app, context) =>
  void app.register(async (own: App) => {
    fetchPictures(own, context, 'profile_photo')
    recordRoutes(own, context, {
      path: '/persons',
      label: 'Person',
      record: Person,
      list: personList,
      page: listPersons,
      expansions: without(personExpansions(context.keys), Person),
      present: presentPerson,
      find: (db, { environment_id }, id) => findPerson(db, environment_id, id),
      read: ['persons'],
      alsoWrong: faultsBeside(context, readPerson, ownRules),
      create: {
        scopes: ['persons', 'persons_publish'],
        body: PersonBody,
        files: { profile_photo: maxPicture },
        run: (tx, actor, body: PersonBody) =>
          withPicture(context, tx, actor, body, 'profile_photo', (read) =>
            createPerson(tx, context.keys, actor, readPerson(read)),
          ),
      },
      change: {
        scopes: ['persons', 'persons_publish'],
        body: PersonChanges,
        files: { profile_photo: maxPicture },
        run: (tx, actor, id, body: PersonBody, expected) =>
          withPicture(context, tx, actor, body, 'profile_photo', (read) =>
            changePerson(tx, context.keys, actor, id, readPerson(read), expected),
          ),
      },
      remove: {
        scopes: ['persons', 'persons_delete'],
        run: (tx, actor, id, expected) => deletePerson(tx, context, actor, id, expected),
      },
    })
  })
