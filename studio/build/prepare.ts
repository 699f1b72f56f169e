import { existsSync } from 'node:fs'

/** What `npm ci` runs: builds the Studio where the packages for it are installed. */
const isInstalled = (name: string): boolean => {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

if (isInstalled('vite') && isInstalled('@mantine/core')) {
  const { buildStudio } = await import('./build.ts')
  const started = performance.now()
  const outcome = await buildStudio()
  console.log(`Studio ${outcome} (${Math.round(performance.now() - started)} ms)`)
} else if (!existsSync(new URL('../../dist/studio/index.html', import.meta.url)))
  console.warn('The Studio is not built: install with the development packages, or take a packed release.')
