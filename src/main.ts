import { Command } from 'commander'
import { explain } from './commands/problems.ts'
import { Explained } from './explained.ts'

/** The command line. Each command loads only what it needs, so that `--help` is instant. */
export const main = async (argv: string[]): Promise<void> => {
  const program = new Command('marquee')
    .description('Content, audience and media in one self-hosted service')
    .showHelpAfterError('(add --help for what is possible)')
    .configureHelp({ showGlobalOptions: true })

  program
    .command('start', { isDefault: true })
    .description('start the service; this is what `npm start` does')
    .action(async () => (await import('./commands/start.ts')).start())

  program
    .command('worker', { hidden: true })
    .description('one HTTP process of a running service')
    .action(async () => (await import('./commands/workers.ts')).runWorker())

  const { addAccessCommands } = await import('./commands/access.ts')
  addAccessCommands(program)
  const { addDataCommands } = await import('./commands/data.ts')
  addDataCommands(program)

  try {
    refuseUnknown(program, argv[2])
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = explain(error)
    // Connections that a failed command left open must not keep the terminal waiting.
    setTimeout(() => process.exit(), 500).unref()
  }
}

/** Without this the default command would take a misspelt one for an argument of its own. */
const refuseUnknown = (program: Command, name: string | undefined): void => {
  const known = ['help', ...program.commands.map((command) => command.name())]
  if (name === undefined || name.startsWith('-') || known.includes(name)) return
  throw new Explained(`There is no command ${name}. \`npx marquee --help\` shows what there is.`)
}
