import { transaction } from '../database/transaction.ts'
import { Explained } from '../explained.ts'
import { createEnvironment } from '../features/access/environments/commands.ts'
import { requireDefaultAmongLocales } from '../features/access/environments/rules.ts'
import { formats } from '../formats.ts'
import { byCommandLine, chooseOrganisation } from './choose.ts'
import { say } from './terminal.ts'
import { withContext } from './with-context.ts'

type Options = { locales?: string[]; defaultLocale?: string; timeZone: string }

export const createEnvironmentCommand = (name: string, options: Options): Promise<void> =>
  withContext(async (context) => {
    const locales = options.locales ?? [options.defaultLocale ?? 'en-US']
    const wrong = locales.filter((locale) => !/^[a-z]{2}-[A-Z]{2}$/.test(locale))
    if (wrong.length > 0) throw new Explained(`Locales have the form en-US; wrong: ${wrong.join(', ')}`)
    const default_locale = options.defaultLocale ?? locales[0]!
    requireDefaultAmongLocales({ locales, default_locale })
    const { validate, message } = formats['time-zone']
    if (!validate(options.timeZone)) throw new Explained(`--time-zone ${message}`)
    const by = byCommandLine(await chooseOrganisation(context), null)
    const row = await transaction(context, (tx) =>
      createEnvironment(tx, by, { name, locales, default_locale, time_zone: options.timeZone }),
    )
    say(
      `Environment ${name} with ${locales.join(', ')}; next: npx marquee token create --all-scopes --environment ${name}`,
    )
    console.log(row.id)
  })
