import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

export type Certificate = { cert: string; key: string }

const days = 86_400_000

/** The configured pair, or a self-signed one kept in the data folder and renewed before it runs out. */
export const certificateFor = async (config: Config): Promise<Certificate & { selfSigned: boolean }> => {
  if (config.tlsCert && config.tlsKey)
    return {
      cert: readFileSync(config.tlsCert, 'utf8'),
      key: readFileSync(config.tlsKey, 'utf8'),
      selfSigned: false,
    }
  const paths = { cert: join(config.data, 'tls', 'cert.pem'), key: join(config.data, 'tls', 'key.pem') }
  if (existsSync(paths.cert) && existsSync(paths.key)) {
    const kept = { cert: readFileSync(paths.cert, 'utf8'), key: readFileSync(paths.key, 'utf8') }
    if (isUsable(kept)) return { ...kept, selfSigned: true }
  }
  const hosts = [new URL(config.publicUrl).hostname, config.cdnHost, config.authHost, config.customersHost]
  const made = await makeCertificate(hosts.filter((host) => host !== undefined))
  await mkdir(join(config.data, 'tls'), { recursive: true, mode: 0o700 })
  await writeFile(`${paths.key}.new`, made.key, { mode: 0o600 })
  await rename(`${paths.key}.new`, paths.key)
  await writeFile(paths.cert, made.cert)
  return { ...made, selfSigned: true }
}

const isUsable = ({ cert, key }: Certificate): boolean => {
  try {
    const parsed = new X509Certificate(cert)
    return new Date(parsed.validTo).getTime() - Date.now() > 7 * days && key.includes('PRIVATE KEY')
  } catch {
    return false
  }
}

export const makeCertificate = async (hosts: string[]): Promise<Certificate> => {
  const { generate } = await import('selfsigned')
  const names = [...new Set(['localhost', ...hosts.map((host) => host.replace(/:\d+$/, ''))])]
  const made = await generate([{ name: 'commonName', value: names[0]! }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 397 * days),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { cert: made.cert, key: made.private }
}
