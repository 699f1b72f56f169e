import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { formats } from './formats.ts'

/** A configuration the service cannot start with; the message names every bad variable. */
export class BadConfiguration extends Error {
  override name = 'BadConfiguration'
}

type Read<T> = (value: string) => T

const text: Read<string> = (value) => value
const integer =
  (min: number, max: number): Read<number> =>
  (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  }
const list: Read<string[]> = (value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
const url =
  (...protocols: string[]): Read<string> =>
  (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    if (!parsed || !protocols.includes(parsed.protocol))
      throw new Error(
        `must be an address that starts with ${protocols.map((name) => `${name}//`).join(' or ')}`,
      )
    return value.replace(/\/+$/, '')
  }
const host: Read<string> = (value) => {
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(value)) throw new Error('must be a host name, without https:// or a path')
  return value.toLowerCase()
}
const address: Read<string> = (value) => {
  if (isIP(value) === 0 && value !== 'localhost')
    throw new Error('must be an IP address of this machine or localhost')
  return value
}
const file: Read<string> = (value) => {
  try {
    accessSync(value, constants.R_OK)
  } catch {
    throw new Error(`names a file that cannot be read: ${value}`)
  }
  return value
}
const secret: Read<string> = (value) => {
  if (value.length < 32) throw new Error('must be at least 32 characters long')
  return value
}
const level: Read<string> = (value) => {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
  if (!levels.includes(value)) throw new Error(`must be one of ${levels.join(', ')}`)
  return value
}
const networks: Read<BlockList> = (value) => {
  const block = new BlockList()
  for (const item of list(value)) {
    const [address = '', bits] = item.split('/')
    const family = isIP(address)
    if (family === 0) throw new Error(`"${item}" is not an IP address or network such as 10.0.0.0/8`)
    const type = family === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) block.addAddress(address, type)
    else block.addSubnet(address, integer(0, family === 6 ? 128 : 32)(bits), type)
  }
  return block
}
const origins: Read<string[]> = (value) => {
  const items = list(value)
  for (const item of items)
    if (item !== '*' && (!URL.canParse(item) || new URL(item).origin !== item))
      throw new Error(`"${item}" is not an origin such as https://www.example.org`)
  return items
}
const redirects: Read<string[]> = (value) => {
  const items = list(value)
  const { validate, message } = formats['redirect-url']
  for (const item of items) if (!validate(item)) throw new Error(`"${item}" ${message}`)
  return items
}
const bearer: Read<string> = (value) => {
  if (!/^[A-Za-z0-9._~+/=-]{24,256}$/.test(value))
    throw new Error('must be 24 to 256 characters that a bearer token may have')
  return value
}
const email: Read<string> = (value) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw new Error('must be an email address')
  return value
}
const password: Read<string> = (value) => {
  if (value.length < 8) throw new Error('must be at least 8 characters long')
  return value
}

/** Every name the service reads. Anything else that starts with MARQUEE_ stops the start. */
const names = {
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:'),
  DATABASE_REPLICA_URL: url('postgres:', 'postgresql:'),
  MARQUEE_SECRET_KEY: secret,
  MARQUEE_DATA: text,
  MARQUEE_HOST: address,
  MARQUEE_PORT: integer(0, 65535),
  MARQUEE_HTTP_PORT: integer(0, 65535),
  MARQUEE_PUBLIC_URL: url('https:'),
  MARQUEE_CDN_HOST: host,
  MARQUEE_AUTH_HOST: host,
  MARQUEE_CUSTOMERS_HOST: host,
  MARQUEE_TLS_CERT: file,
  MARQUEE_TLS_KEY: file,
  MARQUEE_TRUST_PROXY: networks,
  MARQUEE_CORS_ORIGINS: origins,
  MARQUEE_WORKERS: integer(1, 256),
  MARQUEE_CACHE_MB: integer(0, 65_536),
  MARQUEE_PURGE_URL: url('https:', 'http:'),
  MARQUEE_PURGE_TOKEN: bearer,
  MARQUEE_ADMIN_EMAIL: email,
  MARQUEE_ADMIN_PASSWORD: password,
  MARQUEE_BOOTSTRAP_TOKEN: bearer,
  MARQUEE_METRICS_TOKEN: bearer,
  MARQUEE_ALLOW_PRIVATE_NETWORK: networks,
  MARQUEE_REDIRECT_URLS: redirects,
  MARQUEE_RECORDINGS: text,
  MARQUEE_MICROBLOG_URL: url('https:', 'http:'),
  SMTP_URL: url('smtp:', 'smtps:'),
  S3_ENDPOINT: url('https:', 'http:'),
  S3_REGION: text,
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  LOG_LEVEL: level,
}

type Name = keyof typeof names
type Values = { [K in Name]?: ReturnType<(typeof names)[K]> }

export type Config = ReturnType<typeof readConfig>

export const readConfig = (env: Record<string, string | undefined> = environmentVariables()) => {
  const values = parseAll(env)
  const port = values.MARQUEE_PORT ?? 8443
  return {
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    secretKey: values.MARQUEE_SECRET_KEY,
    data: resolve(values.MARQUEE_DATA ?? '.marquee'),
    host: values.MARQUEE_HOST,
    port,
    httpPort: values.MARQUEE_HTTP_PORT ?? 8080,
    publicUrl: values.MARQUEE_PUBLIC_URL ?? `https://localhost${port === 443 ? '' : `:${port}`}`,
    cdnHost: values.MARQUEE_CDN_HOST,
    authHost: values.MARQUEE_AUTH_HOST,
    customersHost: values.MARQUEE_CUSTOMERS_HOST,
    tlsCert: values.MARQUEE_TLS_CERT,
    tlsKey: values.MARQUEE_TLS_KEY,
    trustProxy: values.MARQUEE_TRUST_PROXY ?? new BlockList(),
    corsOrigins: values.MARQUEE_CORS_ORIGINS ?? ['*'],
    workers: values.MARQUEE_WORKERS ?? 1,
    cacheMb: values.MARQUEE_CACHE_MB ?? 64,
    purgeUrl: values.MARQUEE_PURGE_URL,
    purgeToken: values.MARQUEE_PURGE_TOKEN,
    adminEmail: values.MARQUEE_ADMIN_EMAIL ?? 'admin@localhost',
    adminPassword: values.MARQUEE_ADMIN_PASSWORD,
    bootstrapToken: values.MARQUEE_BOOTSTRAP_TOKEN,
    metricsToken: values.MARQUEE_METRICS_TOKEN,
    allowPrivateNetwork: values.MARQUEE_ALLOW_PRIVATE_NETWORK ?? new BlockList(),
    redirectUrls: values.MARQUEE_REDIRECT_URLS ?? [],
    recordings: values.MARQUEE_RECORDINGS,
    microblogUrl: values.MARQUEE_MICROBLOG_URL,
    smtpUrl: values.SMTP_URL,
    s3: s3Settings(values),
    logLevel: values.LOG_LEVEL,
  }
}

const environmentVariables = (): Record<string, string | undefined> => {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { ...file, ...process.env }
}

const parseAll = (env: Record<string, string | undefined>): Values => {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue
    const read = Object.hasOwn(names, name) ? (names[name as Name] as Read<unknown>) : undefined
    if (read) {
      try {
        values[name] = read(value)
      } catch (error) {
        wrong.push(`${name} ${(error as Error).message}`)
      }
    } else if (name.startsWith('MARQUEE_')) wrong.push(`${name} is not a setting of Marquee${nearest(name)}`)
  }
  wrong.push(...combinations(values as Values))
  if (wrong.length > 0) throw new BadConfiguration(`The configuration has errors:\n  ${wrong.join('\n  ')}`)
  return values as Values
}

const combinations = (values: Values): string[] => {
  const wrong: string[] = []
  if (values.DATABASE_URL && !values.MARQUEE_SECRET_KEY)
    wrong.push('MARQUEE_SECRET_KEY is required with DATABASE_URL: every node must share it')
  if (!values.DATABASE_URL && (values.DATABASE_DIRECT_URL || values.DATABASE_REPLICA_URL))
    wrong.push('DATABASE_URL is required with DATABASE_DIRECT_URL or DATABASE_REPLICA_URL')
  if (Boolean(values.MARQUEE_TLS_CERT) !== Boolean(values.MARQUEE_TLS_KEY))
    wrong.push('MARQUEE_TLS_CERT and MARQUEE_TLS_KEY are needed together')
  const s3 = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const missing = s3.filter((name) => !values[name])
  if (missing.length > 0 && missing.length < s3.length)
    wrong.push(`${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} needed with the other S3 settings`)
  return wrong
}

const s3Settings = (values: Values) =>
  values.S3_BUCKET
    ? {
        endpoint: values.S3_ENDPOINT!,
        region: values.S3_REGION ?? 'us-east-1',
        bucket: values.S3_BUCKET,
        accessKeyId: values.S3_ACCESS_KEY_ID!,
        secretAccessKey: values.S3_SECRET_ACCESS_KEY!,
      }
    : undefined

/** A misspelt name is told which one was probably meant. */
const nearest = (name: string): string => {
  const [best] = Object.keys(names)
    .filter((known) => known.startsWith('MARQUEE_'))
    .map((known) => ({ known, edits: editDistance(name, known) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= 4 ? ` (did you mean ${best.known}?)` : ''
}

const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}
