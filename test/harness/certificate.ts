import { makeCertificate } from '../../src/http/certificate.ts'

let made: ReturnType<typeof makeCertificate> | undefined

export const testCertificate = () => {
  made ??= makeCertificate(['localhost'])
  return made
}
