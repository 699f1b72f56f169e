import { recordRoutes } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { limitAddress, policies } from '../rate-limit.ts'
import { presentUser } from '../users/present.ts'
import { User } from '../users/schema.ts'
import { accept } from './accept.ts'
import { invite, withdrawInvitation } from './commands.ts'
import { invitationList } from './filters.ts'
import { presentInvitation } from './present.ts'
import { findInvitation } from './queries.ts'
import { Acceptance, Invitation, InvitationBody } from './schema.ts'

export const invitationRoutes: Routes = (app, context) => {
  recordRoutes(app, context, {
    path: '/invitations',
    label: 'Invitation',
    record: Invitation,
    list: invitationList,
    scope: (actor) => actor.organisation_id,
    find: findInvitation,
    present: presentInvitation,
    read: ['users_publish'],
    create: { scopes: ['users_publish'], body: InvitationBody, run: invite },
    remove: { scopes: ['users_publish'], run: withdrawInvitation },
  })

  app.post(
    '/invitations/:id/accept',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Accept an Invitation',
        params: IdParams,
        body: Acceptance,
        response: { 201: User },
      },
    },
    async (request, reply) => {
      await limitAddress(context, request, reply, policies.signInAddress)
      return reply.code(201).send(presentUser(await accept(context, reply, request.params.id, request.body)))
    },
  )
}
