import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { FtpSrv } from 'ftp-srv'

const endings: (() => Promise<unknown>)[] = []
after(async () => {
  for (const end of endings) await end()
})

const silent = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, () => {}]),
) as Record<string, unknown>

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** An FTP server with a folder of its own, for one user. */
export const startFtp = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-ftp-'))
  const port = await freePort()
  silent.child = () => silent
  const server = new FtpSrv({
    url: `ftp://127.0.0.1:${port}`,
    pasv_url: '127.0.0.1',
    pasv_min: 20_000,
    pasv_max: 40_000,
    log: silent,
  })
  server.on('login', ({ username, password }, resolve, reject) => {
    if (username === 'press' && password === 'pass word') resolve({ root: folder })
    else reject(new Error('no'))
  })
  await server.listen()
  endings.push(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })
  return { folder, port, url: `ftp://127.0.0.1:${port}/` }
}
