import type { Routes } from '../../http/types.ts'
import { applicationRoutes } from './applications/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { jobRoutes } from './background-jobs/routes.ts'
import { environmentRoutes } from './environments/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { mailboxRoutes } from './mailbox/routes.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { userRoutes } from './users/routes.ts'
import { ownAccountRoutes } from './users/routes-me.ts'

/** Who may do what, and who did it. */
export const accessRoutes: Routes = (app, context) => {
  environmentRoutes(app, context)
  userRoutes(app, context)
  ownAccountRoutes(app, context)
  invitationRoutes(app, context)
  sessionRoutes(app, context)
  tokenRoutes(app, context)
  applicationRoutes(app, context)
  oauthRoutes(app, context)
  auditRoutes(app, context)
  jobRoutes(app, context)
  mailboxRoutes(app, context)
}
