import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'

/** Keys for each purpose, derived from MARQUEE_SECRET_KEY, so that none serves two. */
export const deriveKeys = (secret: string) => {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'marquee', purpose, 32))
  const box = derive('encrypt')
  const signing = derive('sign')
  return {
    /** For what must be read back, such as a TOTP secret. */
    encrypt(text: string): string {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', box, nonce)
      return Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64url')
    },
    decrypt(sealed: string): string {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', box, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
    sign: (purpose: string, text: string): string =>
      createHmac('sha256', signing).update(`${purpose}\0${text}`).digest('base64url'),
  }
}
export type Keys = ReturnType<typeof deriveKeys>

/** Secrets with 256 bits of chance need no slow hash. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`

export const sameText = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const derive = promisify(argon2)

export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost })
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`
}

/** Without a hash the same work is done, so that an unknown account takes as long as a known one. */
export const verifyPassword = async (password: string, hash: string | null | undefined): Promise<boolean> => {
  const parsed = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(
    hash ?? (await standIn()),
  )
  if (!parsed) throw new Error('a stored password hash cannot be read')
  const [, memory, passes, parallelism, nonce, tag] = parsed as unknown as string[]
  const expected = Buffer.from(tag!, 'base64')
  const actual = await derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(nonce!, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(actual, expected) && Boolean(hash)
}

let standInHash: Promise<string> | undefined
const standIn = () => {
  standInHash ??= hashPassword(randomBytes(16).toString('hex'))
  return standInHash
}
