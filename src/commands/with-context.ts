import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { pending } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { withSession } from '../database/session.ts'
import { Explained } from '../explained.ts'
import { createLog, openContext } from '../service.ts'

/** Runs a command on the database of a running service, or starts the embedded one for as long as it takes. */
export const withContext = async <T>(work: (context: Context) => Promise<T>): Promise<T> => {
  const config = readConfig()
  const database = await openDatabase(config)
  try {
    await requireTables(database.directUrl)
    const { context, close } = openContext(
      config,
      database,
      database.secretKey,
      createLog(config.logLevel ?? 'warn'),
    )
    try {
      return await work(context)
    } finally {
      await close()
    }
  } finally {
    await database.close()
  }
}

const requireTables = async (url: string): Promise<void> => {
  const missing = await withSession(url, pending)
  if (missing.length > 0)
    throw new Explained(
      `The database lacks ${missing.length} migrations. Run \`npx marquee migrate\` or start the service once.`,
    )
}
