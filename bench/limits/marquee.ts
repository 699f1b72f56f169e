import { benchService } from '../service.ts'

/** The service in a process of its own, as it would run. */
const [url, name, settings = '{}'] = process.argv.slice(2) as [string, string, string?]
const { origin, headers, environment, url: databaseUrl } = await benchService(url, name, JSON.parse(settings))
process.send!({ origin, headers, environment: environment.id, databaseUrl })
for (const end of ['message', 'disconnect']) process.on(end, () => process.exit(0))
