import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from './app.ts'
import { made } from './records/kind.ts'
import type { Reader } from './sign-in.ts'

/** Somebody whose every word can be told from everybody else's, wherever it was copied to. */
export type Canary = Reader & { mark: string; said: string[]; reference_id: string }

const letters = () =>
  randomBytes(8)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)
const digits = (count: number) => Array.from({ length: count }, () => randomInt(1, 10)).join('')

const ibanOf = (account: string): string => {
  const remainder =
    BigInt(`${[...`ABNA${account}NL00`].map((sign) => Number.parseInt(sign, 36)).join('')}`) % 97n
  return `NL${String(98n - remainder).padStart(2, '0')}ABNA${account}`
}

/** Every field of a person of the unversioned generation. */
const bodyOf = (mark: string, phone: string, iban: string, date_of_birth: string) => {
  const word = (name: string) => `${mark}${name}`
  return {
    id: word('id'),
    reference_id: word('reference'),
    initials: word('i'),
    first_name: word('First'),
    preposition: word('pre'),
    prefix_last_name: word('prefix'),
    last_name: word('Last'),
    nickname: word('nick'),
    date_of_birth,
    gender: 'female',
    company: word('company'),
    job_title: word('job'),
    description: word('description'),
    biography: `${word('biography')} and more`,
    social_media_handle: `@${word('handle')}`,
    source: word('source'),
    custom: [word('custom'), 'ordinary'],
    emails: [`${word('İmail')}@example.org`, { email: `${word('second')}@${mark}.example`, verified: true }],
    phones: [phone],
    addresses: [{ street: word('street'), number: word('n'), postal_code: word('zip'), city: word('city') }],
    bank_accounts: [{ iban, holder: word('holder') }],
    terms: [{ id: word('term'), source: word('termsource') }],
    accounts: [{ provider: 'microblog', id: word('account') }],
    password: word('password'),
  }
}

/** The same person a while later, by version 5: what it was before is in what was told meanwhile. */
const laterOf = (mark: string) => ({
  firstname: `${mark}renamed`,
  lastname: `${mark}married`,
  description: `${mark}other words`,
  address: [`${mark}moved 12`],
  google_access_token: `${mark}token`,
  facebook_access_token: `${mark}token2`,
})

export const addCanary = async (app: TestApp): Promise<Canary> => {
  const mark = `Zq${letters()}`
  const [phone, account] = [`+31${digits(9)}`, digits(10)]
  const date_of_birth = `19${randomInt(10, 40)}-0${randomInt(1, 10)}-1${randomInt(0, 10)}`
  const body = bodyOf(mark, phone, ibanOf(account), date_of_birth)
  const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
  const { id } = made(await app.post('/persons', body, { headers }))
  for (const changes of [laterOf(mark), { ...laterOf(mark), firstname: `${mark}again` }]) {
    const changed = await app.put(`/v5/persons/${id}`, changes)
    assert.equal(changed.status, 200, changed.text)
  }
  return {
    id,
    mark,
    reference_id: body.reference_id,
    email: body.emails[0] as string,
    password: body.password,
    said: [mark, phone.slice(1), account, date_of_birth],
  }
}

/** Every row of every table as text, by table, and what was encrypted in it. */
export const dump = async (app: TestApp): Promise<Map<string, string>> => {
  const tables = await app.sql<{ name: string }[]>`select format('%I.%I', schemaname, tablename) as name
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`
  const found = new Map<string, string>()
  for (const { name } of tables) {
    const rows = await app.sql.run<{ row: string }[]>(`select one::text as row from ${name} as one`)
    found.set(name, rows.map(({ row }) => row + opened(app, row)).join('\n'))
  }
  return found
}

const opened = ({ context }: TestApp, row: string): string =>
  (row.match(/[\w-]{40,}/g) ?? [])
    .map((sealed) => {
      try {
        return context.keys.decrypt(sealed)
      } catch {
        return ''
      }
    })
    .join(' ')

/** Where something is said, and how often: of tables, and of files in a folder. */
export const placesOf = async (
  app: TestApp,
  folder: string,
  said: string[],
): Promise<Record<string, number>> => {
  const texts = await dump(app)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      texts.set(path, `${path} ${await readFile(path, 'latin1')}`)
    }
  const places: Record<string, number> = {}
  for (const [name, text] of texts) {
    const count = said.reduce((sum, word) => sum + text.toLowerCase().split(word.toLowerCase()).length - 1, 0)
    if (count > 0) places[name] = count
  }
  return places
}
