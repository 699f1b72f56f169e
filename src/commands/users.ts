import { randomBytes } from 'node:crypto'
import { transaction } from '../database/transaction.ts'
import { Explained } from '../explained.ts'
import type { Role } from '../features/access/table.ts'
import { createUser } from '../features/access/users/commands.ts'
import { byCommandLine, chooseOrganisation } from './choose.ts'
import { say } from './terminal.ts'
import { withContext } from './with-context.ts'

type Options = { name?: string; password?: string; role: Role }

export const createUserCommand = (email: string, options: Options): Promise<void> =>
  withContext(async (context) => {
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Explained(`${email} is not an email address.`)
    if (options.password !== undefined && options.password.length < 8)
      throw new Explained('The password must have at least 8 characters.')
    const by = byCommandLine(await chooseOrganisation(context), null)
    const password = options.password ?? randomBytes(12).toString('base64url')
    const name = options.name ?? email.split('@')[0]!
    await transaction(context, (tx) => createUser(tx, by, { email, name, password, role: options.role }))
    say(`User ${email} (${options.role})${options.password ? '' : '; the password is shown only now:'}`)
    if (!options.password) console.log(password)
  })
