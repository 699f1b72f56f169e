import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadConfiguration, type Config, readConfig } from '../config.ts'
import { readPidFile } from '../database/embedded/pidfile.ts'
import { openPlace } from '../database/embedded/place.ts'
import { isPostmaster } from '../database/embedded/processes.ts'
import { startEmbedded } from '../database/embedded.ts'
import { withSession } from '../database/session.ts'
import { checkDatabase } from '../doctor/database.ts'
import { type Finding, findings, type Level, ok, problem, warning } from '../doctor/finding.ts'
import { checkFolder, checkNode, checkSecret } from '../doctor/machine.ts'
import { checkCertificate, checkMail, checkPorts, checkStorage } from '../doctor/network.ts'
import { bold, dim, green, red, say, yellow } from './terminal.ts'

type Show = (found: Finding[]) => void

export const doctorCommand = async ({ json }: { json?: boolean }): Promise<void> => {
  const all: Finding[] = []
  const show: Show = (found) => {
    all.push(...found)
    if (!json) for (const finding of found) console.log(line(finding))
  }
  await examine(show)
  const worst = (level: Level) => all.filter((finding) => finding.level === level).length
  if (json) console.log(JSON.stringify({ ok: worst('problem') === 0, checks: all }, null, 2))
  else console.log(`\n${summary(worst('problem'), worst('warning'))}`)
  process.exitCode = worst('problem') > 0 ? 1 : 0
}

const examine = async (show: Show): Promise<void> => {
  show([checkNode()])
  const config = configuration(show)
  if (!config) return
  show(await findings('Data folder', () => checkFolder(config)))
  show(await findings('Secret key', () => checkSecret(config)))
  show(await findings('PostgreSQL', () => database(config)))
  show(await findings('TLS certificate', () => checkCertificate(config)))
  show(await findings('Ports', () => checkPorts(config)))
  show(await findings('Mail', () => checkMail(config)))
  show(await findings('Storage', () => checkStorage(config)))
}

const configuration = (show: Show): Config | undefined => {
  try {
    const config = readConfig()
    show([ok('Configuration', 'Every setting is known and sound')])
    return config
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error
    const [, ...wrong] = error.message.split('\n')
    show(wrong.map((text) => problem('Configuration', text.trim())))
    return undefined
  }
}

const database = async (config: Config): Promise<Finding[]> => {
  const cluster = join(config.data, 'postgres')
  if (!config.databaseUrl && !existsSync(cluster))
    return [warning('PostgreSQL', 'There is no database yet; the first start makes one')]
  if (config.databaseUrl) return ask(config.databaseDirectUrl!, config.secretKey)
  const running = await isRunning(config.data, cluster)
  if (!running)
    say(dim('  The embedded PostgreSQL does not run; it is started for this check and stopped again'))
  // Not by openDatabase, which would make a new key in the place of a missing one.
  const server = await startEmbedded({ folder: config.data })
  try {
    const found = await ask(server.url, config.secretKey ?? keptKey(config.data))
    return running
      ? found
      : [ok('PostgreSQL', 'Embedded; it did not run and was started for this check'), ...found]
  } finally {
    await server.stop()
  }
}

const isRunning = async (data: string, cluster: string): Promise<boolean> => {
  const pid = readPidFile(cluster)?.pid
  return Boolean(pid) && isPostmaster(pid!, cluster, (await openPlace(data)).name) !== false
}

const keptKey = (data: string): string | undefined => {
  const file = join(data, 'secret.key')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

const ask = async (url: string, secretKey: string | undefined): Promise<Finding[]> => {
  try {
    return await withSession(url, (session) => checkDatabase(session, secretKey), 'marquee doctor')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const where = new URL(url).host
    return [
      problem(
        'PostgreSQL',
        `${where} cannot be used (${message || code}); check DATABASE_URL and the server`,
      ),
    ]
  }
}

const signs: Record<Level, string> = { ok: green('✓'), warning: yellow('!'), problem: red('✗') }

const line = ({ part, level, message }: Finding): string =>
  `  ${signs[level]} ${bold(part.padEnd(16))} ${message}`

const summary = (problems: number, warnings: number): string => {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  if (problems > 0) return `  ${red(count(problems, 'problem'))}, ${count(warnings, 'warning')}`
  return warnings > 0
    ? `  ${yellow(count(warnings, 'warning'))}, nothing that stops Marquee`
    : `  ${green('All is well')}`
}
