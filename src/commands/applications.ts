import { relative } from 'node:path'
import { transaction } from '../database/transaction.ts'
import { createApplication } from '../features/access/applications/commands.ts'
import type { Visibility } from '../features/access/table.ts'
import { actorOfCommandLine, chooseEnvironment, findUser } from './choose.ts'
import { say } from './terminal.ts'
import { withContext } from './with-context.ts'

type Options = { scopes: string[]; visibility?: Visibility; user?: string; environment?: string }

export const createApplicationCommand = (name: string, options: Options): Promise<void> =>
  withContext(async (context) => {
    const { config } = context
    const environment = await chooseEnvironment(context, options.environment)
    const user = options.user ? await findUser(context, environment.organisation_id, options.user) : undefined
    const { row, secret } = await transaction(context, (tx) =>
      createApplication(tx, actorOfCommandLine(environment), {
        name,
        scopes: options.scopes as never,
        ...(options.visibility && { visibility: options.visibility }),
        ...(user && { user: { id: user.id } }),
      }),
    )
    say(`Application ${name}: client_id ${row.id}; the client_secret is shown only now:`)
    console.log(secret)
    say(
      `\nIts tokens: curl --cacert ${relative(process.cwd(), config.data) || '.'}/tls/cert.pem -u ${row.id}:<secret> -d grant_type=client_credentials ${config.publicUrl}/oauth/access_token`,
    )
  })
