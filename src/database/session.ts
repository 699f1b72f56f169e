import pg from 'pg'

/** One connection for statements as text: migrations, backups and the like. */
export type Session = {
  /** Values become parameters. */
  <Rows extends object[]>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Rows>
  /** Text as it is, also several statements. */
  run<Rows extends object[]>(text: string): Promise<Rows>
  client: pg.ClientBase
}

/** One wrong letter in five leaves a third of the trigrams; what the index finds too much `search.ts` drops. */
const wordSimilarity = '0.3'

type Settings = Record<string, string>

/** What PostgreSQL calls these types. */
const [listOfInt8, listOfText, date] = [1016, 1009, 1082]

/** A list of plain words or numbers is cut at its commas: the driver's own reader took forty times as long. */
const types = new pg.TypeOverrides()
for (const list of [listOfInt8, listOfText]) {
  const readAny = pg.types.getTypeParser(list as never)
  types.setTypeParser(list as never, (text: string) => {
    if (/["\\]|NULL/.test(text)) return readAny(text)
    return text === '{}' ? [] : text.slice(1, -1).split(',')
  })
}

/** A day is no moment: it stays as it is written. */
types.setTypeParser(date as never, (text: string) => text)

export const clientOptions = (url: string, name = 'marquee', settings: Settings = {}): pg.ClientConfig => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  types,
  options: Object.entries({
    TimeZone: 'UTC',
    'pg_trgm.word_similarity_threshold': wordSimilarity,
    ...settings,
  })
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(' '),
})

/** Runs `work` on one connection of its own, which is closed afterwards. */
export const withSession = async <T>(
  url: string,
  work: (session: Session) => Promise<T>,
  name?: string,
): Promise<T> => {
  const client = new pg.Client(clientOptions(url, name))
  // What a lost connection was doing fails by itself; this event only says so once more.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(sessionOn(client))
  } finally {
    await client.end().catch(() => {})
  }
}

export const sessionOn = (client: pg.ClientBase): Session => {
  const query = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const text = strings.reduce((sum, part, index) => `${sum}$${index}${part}`)
    return (await client.query(text, values)).rows
  }
  const run = async (text: string) => (await client.query(text)).rows ?? []
  return Object.assign(query, { run, client }) as Session
}

/** One transaction of a session. */
export const inTransaction = async <T>(
  session: Session,
  begin: string,
  work: () => Promise<T>,
): Promise<T> => {
  await session.run(begin)
  try {
    const result = await work()
    await session.run('commit')
    return result
  } catch (error) {
    await session.run('rollback').catch(() => {})
    throw error
  }
}
