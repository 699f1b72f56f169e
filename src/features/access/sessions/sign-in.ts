import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import { Unauthorized } from '../../../errors.ts'
import type { Keys } from '../../../secrets.ts'
import { verifyPassword } from '../../../secrets.ts'
import { holdPerson, type Place, spendPersonCode } from '../../persons/sign-in.ts'
import type { PersonRow } from '../../persons/table.ts'
import type { Actor } from '../authenticate.ts'
import type { UserRow } from '../table.ts'
import { spendCode } from '../users/two-factor.ts'
import { type Account, findAccounts } from './accounts.ts'
import { openSession } from './commands.ts'
import { openPersonSession } from './persons.ts'
import type { AnySession } from './queries.ts'
import type { SessionBody } from './schema.ts'

export type From = Place & { actor: Actor | undefined }

/** One answer for an unknown account, a wrong password and a wrong code, after the same work. */
export const signIn = async (
  context: Context,
  { email, password, two_factor_code }: SessionBody,
  from: From,
): Promise<{ row: AnySession; secret: string }> => {
  const accounts = await findAccounts(context.db, email, from.actor)
  const right = await Promise.all(
    accounts.map((account) => verifyPassword(password, account?.row.password_hash)),
  )
  const account = accounts[right.indexOf(true)]
  if (!account) throw new Unauthorized('credentials')
  return transaction(context, async (tx) => {
    const held = await holdUnchanged(tx, account)
    await requireCode(tx, context.keys, held, two_factor_code)
    return held.kind === 'user'
      ? openSession(tx, held.row, from)
      : openPersonSession(tx, held.row, from.actor!, from)
  })
}

/** A password that was changed while it was being verified opens nothing. */
const holdUnchanged = async (tx: Tx, account: Account): Promise<Account> => {
  const row = account.kind === 'user' ? await holdUser(tx, account.row) : await holdSame(tx, account.row)
  if (!row || row.password_hash !== account.row.password_hash) throw new Unauthorized('credentials')
  return { ...account, row } as Account
}

const holdUser = (tx: Tx, { id }: UserRow): Promise<UserRow | undefined> =>
  tx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

const holdSame = (tx: Tx, { environment_id, key }: PersonRow): Promise<PersonRow | undefined> =>
  holdPerson(tx, environment_id, key)

/** Whoever knows the password may know that a code is wanted, too. */
const requireCode = async (
  tx: Tx,
  keys: Keys,
  account: Account,
  code: string | null | undefined,
): Promise<void> => {
  if (!account.row.totp_confirmed) return
  if (!code) throw new Unauthorized('credentials', 'TwoFactorRequired')
  const isRight =
    account.kind === 'user'
      ? await spendCode(tx, keys, account.row, code)
      : await spendPersonCode(tx, keys, account.row, code)
  if (!isRight) throw new Unauthorized('credentials')
}
