import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const missing =
  'The tests of the Studio need Chromium. Install the package `chromium` so that /usr/bin/chromium is there, and run them again.'

/** Chromium of this machine; installed where that can be done, as root on Debian, and otherwise asked for. */
export const chromiumPath = (): string => {
  const found = places.find((path) => existsSync(path))
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...words: string[]) =>
      spawnSync('apt-get', words, { env, stdio: 'inherit', timeout: 300_000 })
    apt('update', '-q')
    apt('install', '-q', '-y', '--no-install-recommends', 'chromium')
    if (existsSync(places[0]!)) return places[0]!
  }
  throw new Error(missing)
}
