import { type Certificate, makeCertificate } from '../../src/http/certificate.ts'

let made: Promise<Certificate> | undefined

/** Made once for the whole run by the global set-up: making one takes a quarter of a second of each file. */
export const testCertificate = (): Promise<Certificate> => {
  const kept = process.env.TEST_CERTIFICATE
  made ??= kept ? Promise.resolve(JSON.parse(kept) as Certificate) : makeCertificate(['localhost'])
  return made
}
