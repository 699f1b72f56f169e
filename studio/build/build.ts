import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'dist/studio')
const fresh = join(root, 'dist/.studio')
const stamp = join(folder, '.stamp')
const lock = join(root, 'dist/.studio.lock')

/** Everything that the built files come from, as one hash. */
const sources = (): string => {
  const hash = createHash('sha256')
  const files = globSync(['studio/**/*', 'sdk/src/**/*', 'package-lock.json'], { cwd: root }).sort()
  for (const file of files)
    if (statSync(join(root, file)).isFile()) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const isFresh = (wanted: string): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted

/** Builds the Studio into dist/studio, unless it is there already from the same sources. */
export const buildStudio = async (): Promise<'built' | 'fresh'> => {
  const wanted = sources()
  if (isFresh(wanted)) return 'fresh'
  return alone(async () => {
    if (isFresh(wanted)) return 'fresh'
    const { build } = await import('vite')
    await build({
      configFile: join(root, 'studio/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: fresh },
    })
    await compress()
    writeFileSync(join(fresh, '.stamp'), wanted)
    // Whole or not at all: a service that is running never sees half of it.
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
    return 'built'
  })
}

/** Several processes of a test run may find it stale at once; one builds and the others wait for it. */
const alone = async <T>(work: () => Promise<T>): Promise<T> => {
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (const end = Date.now() + 120_000; !taken(); ) {
    if (Date.now() > end || isLeftOver()) rmSync(lock, { recursive: true, force: true })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
const taken = (): boolean => {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, 'pid'), String(process.pid))
    return true
  } catch {
    return false
  }
}
/** Whoever held it was killed. */
const isLeftOver = (): boolean => {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Once, so that no request has to: quality 11 is 15% smaller than what is fast enough per request. */
const compress = async (): Promise<void> => {
  const brotli = promisify(brotliCompress)
  const files = globSync('assets/*.{js,css,svg}', { cwd: fresh })
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(fresh, file))
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      }
      await writeFile(join(fresh, `${file}.br`), await brotli(bytes, { params }))
    }),
  )
}
