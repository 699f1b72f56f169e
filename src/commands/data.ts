import { type Command, Option } from 'commander'

/** Commands about the data as a whole. */
export const addDataCommands = (program: Command): void => {
  program
    .command('migrate')
    .description('bring the tables up to date without starting the service')
    .action(async () => (await import('./migrate.ts')).migrateCommand())

  program
    .command('seed')
    .description('fill an environment with the demo data of a broadcaster; a second time adds nothing')
    .option('--environment <name or id>', 'which one; it is made when there is none of that name', 'Demo')
    .option('--yes', 'do not ask, even if the environment holds other content')
    .action(async (options) => (await import('./seed.ts')).seedCommand(options))

  program
    .command('backup <file.tar.gz>')
    .description('write the database, the stored files and the secret key into one verified file')
    .option('--overwrite', 'replace the file if it exists')
    .addHelpText('after', sensitive)
    .action(async (file, options) => (await import('./backup.ts')).backupCommand(file, options))

  program
    .command('restore <file.tar.gz>')
    .description('bring back a backup, all of it or nothing; the service must be stopped')
    .option('--replace', 'put it in the place of what the database holds now')
    .addHelpText('after', restoring)
    .action(async (file, options) => (await import('./restore.ts')).restoreCommand(file, options))

  const place = (name: string, description: string) =>
    new Option(`${name} <local|s3>`, description).choices(['local', 's3']).makeOptionMandatory()
  program
    .command('storage')
    .description('stored files as a whole')
    .command('move')
    .description('copy all files from one storage to the other and compare them; repeat it to go on')
    .addOption(place('--from', 'where they are'))
    .addOption(place('--to', 'where they go'))
    .option('--remove', 'remove from the old place what is safe in the new one')
    .action(async (options) => (await import('./storage.ts')).moveStorage(options))

  program
    .command('doctor')
    .description('check each part and say what is wrong and what to do about it')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExits with 1 when something must be mended, with 0 otherwise.')
    .action(async (options) => (await import('./doctor.ts')).doctorCommand(options))
}

const sensitive = `
The service may go on running: the backup shows the database as it was at one moment.
The file is as sensitive as the database. It holds personal data, hashes of passwords and tokens and, unless
MARQUEE_SECRET_KEY is set, the secret key. Queued jobs and files in an object store are not in it.`

const restoring = `
The whole file is checked before anything is changed, and rows and references are checked before it counts.
An older backup is brought up to date; one of a newer Marquee is refused.`
