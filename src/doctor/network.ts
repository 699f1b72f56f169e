import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import type { Config } from '../config.ts'
import { openStorage } from '../storage/open.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const days = 86_400_000

export const checkCertificate = (config: Config): Finding => {
  const configured = config.tlsCert !== undefined
  const cert = config.tlsCert ?? join(config.data, 'tls', 'cert.pem')
  const key = config.tlsKey ?? join(config.data, 'tls', 'key.pem')
  if (!configured && !existsSync(cert))
    return ok('TLS certificate', 'The first start makes a self-signed one')
  const again = configured
    ? 'set MARQUEE_TLS_CERT and MARQUEE_TLS_KEY to a pair in PEM form'
    : `remove ${cert}, and the next start makes a new pair`
  try {
    const parsed = new X509Certificate(readFileSync(cert))
    if (!parsed.checkPrivateKey(createPrivateKey(readFileSync(key))))
      return problem('TLS certificate', `The key ${key} is not that of ${cert}; ${again}`)
    return validity(parsed, config, configured)
  } catch (error) {
    return problem(
      'TLS certificate',
      `${cert} or ${key} cannot be used (${(error as Error).message}); ${again}`,
    )
  }
}

const validity = (parsed: X509Certificate, { publicUrl }: Config, configured: boolean): Finding => {
  const left = Math.floor((new Date(parsed.validTo).getTime() - Date.now()) / days)
  const { hostname } = new URL(publicUrl)
  const kind = configured ? 'The certificate' : 'The self-signed certificate'
  if (left < 0)
    return problem(
      'TLS certificate',
      `${kind} ran out on ${parsed.validTo}; ${configured ? 'renew it' : 'the next start makes a new one'}`,
    )
  if (!parsed.checkHost(hostname) && !parsed.checkIP(hostname))
    return warning('TLS certificate', `${kind} is not for ${hostname}, the host of MARQUEE_PUBLIC_URL`)
  const text = `${kind} fits its key and is valid for ${left} more days`
  return configured && left < 14
    ? warning('TLS certificate', `${text}; renew it soon`)
    : ok('TLS certificate', text)
}

export const checkPorts = (config: Config): Promise<Finding[]> =>
  Promise.all([
    checkPort(config, 'HTTPS port', 'MARQUEE_PORT', config.port, https),
    checkPort(config, 'Plain port', 'MARQUEE_HTTP_PORT', config.httpPort, http),
  ])

const checkPort = async (
  { host }: Config,
  part: string,
  name: string,
  port: number,
  client: typeof http | typeof https,
): Promise<Finding> => {
  if (port === 0) return ok(part, 'Any free port is taken at the start')
  const code = await tryPort(port, host ?? '::')
  if (code === undefined) return ok(part, `${port} is free`)
  if (code === 'EACCES')
    return problem(part, `This user may not listen on ${port}; choose one above 1023 with ${name}`)
  if (code === 'EADDRNOTAVAIL') return problem(part, `MARQUEE_HOST ${host} is not an address of this machine`)
  if (code !== 'EADDRINUSE') return problem(part, `${port} cannot be used (${code})`)
  return (await answersAsMarquee(client, host, port))
    ? ok(part, `${port} is used by a running Marquee`)
    : problem(part, `${port} is used by another program; stop it, or choose another with ${name}`)
}

const tryPort = (port: number, host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer().once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen({ port, host }, () => server.close(() => resolve(undefined)))
  })

/** Only its own machine is asked, so whose certificate it is does not matter. */
const answersAsMarquee = (
  client: typeof http | typeof https,
  host: string | undefined,
  port: number,
): Promise<boolean> =>
  new Promise((resolve) => {
    const address = !host || host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host
    const options = { host: address, port, path: '/livez', timeout: 3000, rejectUnauthorized: false }
    const request = client.get(options, (response) => {
      response
        .setEncoding('utf8')
        .on('data', (text: string) => resolve(response.statusCode === 200 && text.includes('"OK"')))
      response.on('end', () => resolve(false)).on('error', () => resolve(false))
    })
    request.on('error', () => resolve(false)).on('timeout', () => request.destroy())
  })

export const checkMail = async ({ smtpUrl }: Config): Promise<Finding> => {
  if (!smtpUrl) return ok('Mail', 'SMTP_URL is not set: letters are kept in the mailbox and not sent')
  const { hostname } = new URL(smtpUrl)
  const limits = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 5000 }
  const transport = nodemailer.createTransport({ url: smtpUrl, ...limits } as never)
  try {
    await transport.verify()
    return ok('Mail', `${hostname} answers and takes our letters`)
  } catch (error) {
    return problem('Mail', `${hostname} cannot be used (${(error as Error).message}); check SMTP_URL`)
  } finally {
    transport.close()
  }
}

/** Writes a small file, looks at it and removes it. */
export const checkStorage = async (config: Config): Promise<Finding> => {
  const { s3, data } = config
  const place = s3 ? `the bucket ${s3.bucket} at ${new URL(s3.endpoint).host}` : join(data, 'files')
  if (!s3 && !existsSync(data)) return ok('Storage', `Files will be kept in ${place}`)
  try {
    await openStorage(config).check()
    return ok('Storage', `Files can be written, read and removed in ${place}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const advice = s3 ? 'check the S3 settings and the rights of the key' : 'give this user the folder'
    return problem('Storage', `Files cannot be stored in ${place} (${code ?? message}); ${advice}`)
  }
}
