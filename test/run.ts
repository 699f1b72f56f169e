import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

/** All test files, or those named: `npm test -- src/features/channels`. */
const wanted = process.argv.slice(2)
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
  .sort()
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
if (files.length === 0) {
  console.error(`No test file matches ${wanted.join(', ')}`)
  process.exit(1)
}
const flags = [
  '--test',
  '--test-timeout=120000',
  '--test-concurrency=2',
  '--test-global-setup=test/harness/setup.ts',
]
const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
