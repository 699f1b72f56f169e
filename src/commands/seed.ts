import { createInterface } from 'node:readline/promises'
import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { Explained } from '../explained.ts'
import { createEnvironment } from '../features/access/environments/commands.ts'
import type { EnvironmentRow } from '../features/access/table.ts'
import { channels, environment as demo } from '../seed/harbour-fm.ts'
import { type Secrets, steps } from '../seed/steps.ts'
import { actorOfCommandLine, byCommandLine, chooseOrganisation } from './choose.ts'
import { bold, dim, progressBar, say } from './terminal.ts'
import { withContext } from './with-context.ts'

type Options = { environment?: string; yes?: boolean }

export const seedCommand = (options: Options): Promise<void> =>
  withContext(async (context) => {
    const environment = await findOrCreate(context, options)
    const secrets: Secrets = { tokens: [] }
    const made = await fill(context, environment, secrets)
    summary(context, environment, made, secrets)
  })

/** The environment that was named, made if there is none of that name. */
const findOrCreate = async (context: Context, options: Options): Promise<EnvironmentRow> => {
  const organisation = await chooseOrganisation(context)
  const named = options.environment ?? demo.name
  const found = await context.db
    .selectFrom('environments')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .where((eb) => eb.or([eb('id', '=', named), eb('name', '=', named)]))
    .executeTakeFirst()
  if (found) {
    await requireConsent(context, found, options)
    return found
  }
  const by = byCommandLine(organisation, null)
  return transaction(context, (tx) => createEnvironment(tx, by, { ...demo, name: named }))
}

/** An environment with channels of its own is somebody's work; demo data in it should be wanted. */
const requireConsent = async (
  { db }: Context,
  environment: EnvironmentRow,
  { yes }: Options,
): Promise<void> => {
  if (yes) return
  const foreign = await db
    .selectFrom('channels')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where(
      'slug',
      'not in',
      channels.map(({ slug }) => slug),
    )
    .executeTakeFirst()
  if (!foreign) return
  const refused = `The environment ${environment.name} holds channels of its own. Add --yes to put the demo data beside them.`
  if (!process.stdin.isTTY) throw new Explained(refused)
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await ask.question(
    `${environment.name} holds channels of its own. Add the demo data to it? [y/N] `,
  )
  ask.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Explained(refused)
}

type Made = { title: string; count: number }[]

const fill = async (context: Context, environment: EnvironmentRow, secrets: Secrets): Promise<Made> => {
  const actor = actorOfCommandLine(environment)
  const bar = progressBar(
    `Filling ${environment.name}`,
    steps.reduce((sum, { size }) => sum + size, 0),
  )
  const made: Made = []
  for (const { title, size, run } of steps) {
    made.push({ title, count: await transaction(context, (tx) => run(tx, actor, secrets, context)) })
    bar.add(size)
  }
  bar.end()
  return made
}

const summary = ({ config }: Context, { name, id }: EnvironmentRow, made: Made, secrets: Secrets): void => {
  const added = made.filter(({ count }) => count > 0)
  if (added.length === 0) {
    say(`\n  ${name} was already complete; nothing was changed.\n`)
    return
  }
  const list = added.map(({ title, count }) => `${count.toLocaleString('en')} ${title}`).join(', ')
  say(`\n  ${bold(name)} ${dim(id)}\n  Added: ${list}`)
  if (secrets.password)
    say(
      `\n  ${bold('Sign in')}  morning.editor@harbourfm.example   ${bold('password')} ${secrets.password}   ${dim('the other demo users too')}`,
    )
  for (const { name: title, value } of secrets.tokens) say(`  ${bold('Token')}    ${value}   ${dim(title)}`)
  if (secrets.password || secrets.tokens.length > 0) say(`  ${dim('Shown only now; only hashes are kept.')}`)
  const token = secrets.tokens[0]?.value ?? '$TOKEN'
  say(`
  Next:
  npm start
  curl -k -H "Authorization: Bearer ${token}" "${config.publicUrl}/publications?sort=-publish_on&fields=title"
  npx marquee token create --all-scopes --environment ${name}
`)
}
