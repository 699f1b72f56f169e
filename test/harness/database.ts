import { randomBytes } from 'node:crypto'
import { withSession } from '../../src/database/session.ts'

/** A database of its own for this test file, cloned from the migrated template. */
export const cloneDatabase = async (): Promise<{ url: string; drop(): Promise<void> }> => {
  const template = process.env.TEST_DATABASE_URL
  if (!template) throw new Error('Run the tests with `npm test`, or one file with `npm test -- <file>`.')
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(template, `create database ${name} template marquee`)
  return {
    url: otherDatabase(template, name),
    drop: () => administer(template, `drop database if exists ${name} with (force)`),
  }
}

/** Nobody may be connected to a template while it is copied, so the server's own database gives the orders. */
const administer = async (url: string, statement: string): Promise<void> => {
  await withSession(otherDatabase(url, 'postgres'), (session) => session.run(statement))
}

const otherDatabase = (url: string, name: string): string => url.replace(/\/marquee(?=\?|$)/, `/${name}`)
