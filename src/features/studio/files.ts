import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What `npm run build:studio` makes, seen from src/ as from dist/. */
const folder = fileURLToPath(new URL('../../../dist/studio', import.meta.url))

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
}

export type BuiltFile = { type: string; read(): Promise<Buffer>; readBrotli?: () => Promise<Buffer> }

/** The page and the files beside it; undefined where the Studio is not built. */
export const builtStudio = (): { page: string; asset(name: string): BuiltFile | undefined } | undefined => {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return undefined
  const assets = join(folder, 'assets')
  // Only a name that was listed is ever opened.
  const names = new Set(readdirSync(assets))
  return {
    page: readFileSync(index, 'utf8'),
    asset(name) {
      const type = types[extname(name)]
      if (!names.has(name) || !type) return undefined
      const path = join(assets, name)
      const compressed = names.has(`${name}.br`) && { readBrotli: () => readFile(`${path}.br`) }
      return { type, read: () => readFile(path), ...compressed }
    },
  }
}
