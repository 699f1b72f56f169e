import { readConfig } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { createLog } from '../service.ts'
import { prepareTables } from './start.ts'
import { say, step } from './terminal.ts'

export const migrateCommand = async (): Promise<void> => {
  const config = readConfig()
  const database = await step('PostgreSQL', (note) => openDatabase(config, note))
  try {
    const applied = await step('Tables', (note) => prepareTables(database, createLog('warn'), note))
    say(applied.length === 0 ? '\nEverything was up to date.' : `\nApplied: ${applied.join(', ')}`)
  } finally {
    await database.close()
  }
}
