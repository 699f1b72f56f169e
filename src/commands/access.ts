import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseMoment } from '../database/values.ts'
import { scopes } from '../features/access/scopes.ts'
import { roles } from '../features/access/table.ts'

const environmentOption = [
  '--environment <name or id>',
  'which environment; needed where there are several',
] as const

const scopeList = (text: string): string[] => {
  const chosen = text.split(',').map((scope) => scope.trim())
  const unknown = chosen.filter((scope) => !(scopes as readonly string[]).includes(scope))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. Known are ${scopes.join(', ')}.`)
  return chosen
}
const moment = (text: string): Date => {
  const parsed = parseMoment(text)
  if (parsed && parsed.from <= new Date()) throw new InvalidArgumentError('It must be in the future.')
  if (!parsed) throw new InvalidArgumentError('Give a date such as 2027-06-30 or 2027-06-30T12:00:00Z.')
  return parsed.from
}
const localeList = (text: string): string[] => text.split(',').map((locale) => locale.trim())

/** Commands about who may do what. What they answer goes to standard output, so that it can be piped. */
export const addAccessCommands = (program: Command): void => {
  const token = program.command('token').description('make, list, renew and revoke access tokens')
  token
    .command('create')
    .description('make a token; its value is printed once')
    .option('--name <name>', 'what it is for', 'Command line')
    .option('--scopes <list>', 'scopes, separated by commas', scopeList)
    .option('--all-scopes', 'every scope there is')
    .addOption(new Option('--visibility <what>', 'what it sees').choices(['published', 'all']))
    .option('--expires <date>', 'when it ends', moment)
    .option('--user <email>', 'the responsible user; needed for content_items_publish')
    .option('--organisation', 'for every environment of the organisation')
    .option(...environmentOption)
    .action(async (options) => (await import('./tokens.ts')).createTokenCommand(options))
  token
    .command('list')
    .description('list tokens, without their values')
    .option(...environmentOption)
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./tokens.ts')).listTokensCommand(options))
  token
    .command('renew <id>')
    .description('make a new value with the same scopes; the old one goes on until it ends or is revoked')
    .action(async (id) => (await import('./tokens.ts')).renewTokenCommand(id))
  token
    .command('revoke <id>')
    .description('end a token; it stops within a second on every node')
    .action(async (id) => (await import('./tokens.ts')).revokeTokenCommand(id))

  program
    .command('user')
    .description('back-office users')
    .command('create <email>')
    .description('make a user; without --password one is made up and printed')
    .option('--name <name>', 'shown to others')
    .option('--password <password>', 'at least 8 characters')
    .addOption(new Option('--role <role>', 'what the user may do').choices(roles).default('editor'))
    .action(async (email, options) => (await import('./users.ts')).createUserCommand(email, options))

  program
    .command('environment')
    .description('environments: each holds content and an audience of its own')
    .command('create <name>')
    .description('make an environment')
    .option('--locales <list>', 'such as en-US,nl-NL', localeList)
    .option('--default-locale <locale>', 'the first of the locales otherwise')
    .option('--time-zone <zone>', 'such as Europe/Amsterdam', 'UTC')
    .action(async (name, options) =>
      (await import('./environments.ts')).createEnvironmentCommand(name, options),
    )

  program
    .command('application')
    .description('applications that fetch their own tokens from /oauth/access_token')
    .command('create <name>')
    .description('make an application; its secret is printed once')
    .requiredOption('--scopes <list>', 'scopes, separated by commas', scopeList)
    .addOption(new Option('--visibility <what>', 'what it sees').choices(['published', 'all']))
    .option('--user <email>', 'the responsible user; needed for content_items_publish')
    .option(...environmentOption)
    .action(async (name, options) =>
      (await import('./applications.ts')).createApplicationCommand(name, options),
    )
}
