import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { afterCommit, touch } from '../../../database/transaction.ts'
import { signOutPerson } from '../sessions.ts'
import type { Person } from '../table.ts'
import { isLetterTo } from './letters.ts'
import type { Erased } from './receipts.ts'
import { addressesOf, type Counts } from './traces.ts'

/** Removes all that names the person besides its own row, its interactions, its links and what was told of it, and counts what there was. */
export const eraseBeside = async (
  tx: Tx,
  { mail }: Pick<Context, 'mail'>,
  person: Person,
): Promise<Erased> => {
  const { environment_id, key } = person
  const { interactions, links, remarks, ...signedIn } = await countOf(tx, person)
  const own = sql`environment_id = ${environment_id} and person_key = ${key}`
  await signOutPerson(tx, environment_id, key)
  await sql`delete from remarks where ${own}`.execute(tx)
  await sql`delete from recommendation_impressions where ${own}`.execute(tx)
  await sql`delete from notifications where ${own}`.execute(tx)
  if (remarks) touch(tx, environment_id, 'content', person.id)
  const addresses = await addressesOf(tx, person)
  for (const { email } of person.emails) addresses.push(email)
  const letters = await mail.discard(tx, isLetterTo(environment_id, addresses))
  afterCommit(tx, ({ totals }) => totals.forgetSoon(environment_id, 'audience'))
  return {
    erased: { remarks: remarks!, ...signedIn, letters },
    kept: { interactions: interactions!, links: links! },
  }
}

const counted = {
  interactions: 'interactions',
  links: 'person_links',
  remarks: 'remarks',
  sessions: 'person_sessions',
  tokens: 'tokens',
}

const countOf = async (tx: Tx, { environment_id, key }: Person): Promise<Counts> => {
  const each = Object.entries(counted).map(
    ([name, table]) => sql`(select count(*)::integer from ${sql.table(table)}
      where environment_id = ${environment_id} and person_key = ${key}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Counts>`select ${sql.join(each)}`.execute(tx)
  return rows[0]!
}
