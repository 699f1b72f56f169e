import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { afterCommit } from '../../../database/transaction.ts'
import { searchText } from '../../publications/list/words.ts'
import type { PersonRow } from '../table.ts'
import { learnPersonWords } from './learn.ts'

type Named = Pick<
  PersonRow,
  'initials' | 'first_name' | 'preposition' | 'prefix_last_name' | 'last_name' | 'nickname' | 'emails'
>

const maxWords = 200

/** What a person is searched by: words of names and addresses, whole addresses and their domains. */
const wordsOfPerson = (row: Named): string[] => {
  const names = [
    row.initials,
    row.first_name,
    row.preposition,
    row.prefix_last_name,
    row.last_name,
    row.nickname,
  ]
  const addresses = row.emails.map(({ email }) => email.toWellFormed().normalize('NFKC'))
  const locals = addresses.map((address) => address.slice(0, address.lastIndexOf('@')))
  const domains = addresses.map((address) => address.slice(address.lastIndexOf('@') + 1))
  const words = searchText([...names, ...locals].filter(Boolean).join(' ')).split(' ')
  return [...new Set([...words, ...domains, ...addresses])].filter(Boolean).slice(0, maxWords)
}

/** Puts down what persons are searched by, in the transaction that writes them; words that they no longer have go. */
export const indexManyWords = async (
  tx: Tx,
  environmentId: string,
  persons: { key: string; row: Named }[],
): Promise<void> => {
  if (persons.length === 0) return
  const words = persons.flatMap(({ key, row }) => wordsOfPerson(row).map((word) => ({ key, word })))
  const { rows } = await sql<{ word: string }>`
    with wanted as materialized (
      select distinct key, left(fold(word), 200) as word
      from unnest(${words.map(({ key }) => key)}::bigint[], ${words.map(({ word }) => word)}::text[]) as sent (key, word)
      where fold(word) <> ''
    ), gone as (
      delete from person_words where environment_id = ${environmentId}
        and person_key = any(${persons.map(({ key }) => key)}::bigint[])
        and (person_key, word) not in (select key, word from wanted)
    )
    insert into person_words (environment_id, person_key, word) select ${environmentId}, key, word from wanted
    on conflict do nothing returning word`.execute(tx)
  if (rows.length > 0)
    afterCommit(tx, (context) => {
      void learnPersonWords(
        context,
        environmentId,
        rows.map(({ word }) => word),
      )
    })
}
