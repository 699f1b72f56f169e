#!/usr/bin/env node
// Node 20 can install Marquee but cannot run its TypeScript: hand over to the Node 24 among the dependencies.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const [major] = process.versions.node.split('.').map(Number)
if (major >= 24) {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache?.()
  const source = new URL('../src/main.ts', import.meta.url)
  const { main } = await import(
    existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href
  )
  await main(process.argv)
} else {
  const { createRequire } = await import('node:module')
  const newer = createRequire(import.meta.url).resolve('node/bin/node')
  const child = spawn(newer, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)))
}
