import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve as absolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** All test files, or those named: `npm test -- src/features/channels`. */
const wanted = process.argv.slice(2)
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
  .sort()
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
if (files.length === 0) {
  console.error(`No test file matches ${wanted.join(', ')}`)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'marquee-tests-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const failed = join(folder, 'failed.txt')
const flags = [
  '--test',
  '--test-timeout=120000',
  '--test-concurrency=3',
  '--test-global-setup=test/harness/setup.ts',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./test/failed.ts',
  `--test-reporter-destination=${failed}`,
]

/**
 * Loading the service and starting it costs a file 2 s of work, so files of features share processes and servers; every
 * test has an environment of its own anyway. What limits, kills or measures a process has one to itself.
 */
const together = 8
/** Limits of sign-in by address, connections that are cut, the first access: what others in the process would feel. */
const apart =
  /memory|hostile|lost-connections|lasting|openings|customers\/|sessions\/|access\/secrets|concurrency|training|fairness|sources\/|segments\/time|\/media/
const alone = (file: string): boolean => file.startsWith('test/') || apart.test(file)

const grouped = (files: string[]): string[] => {
  const shared = files.filter((file) => !alone(file))
  const groups = Array.from({ length: Math.ceil(shared.length / together) }, (_, number) => {
    const group = join(folder, `group-${number + 1}.test.mjs`)
    const members = shared.slice(number * together, (number + 1) * together)
    writeFileSync(group, members.map((file) => `import '${pathToFileURL(absolute(file))}'\n`).join(''))
    return group
  })
  return [...groups, ...files.filter(alone)]
}

/** What one process has compiled, the next need not: half of the time to load it. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }

const run = (files: string[]): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit', env })
    const stop = (signal: NodeJS.Signals) => child.kill(signal)
    process.once('SIGINT', stop).once('SIGTERM', stop)
    child.on('exit', (code, signal) => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      if (signal) process.exit(1)
      resolve(code ?? 1)
    })
  })

// Tests of moments and of memory share the machine with others; what fails in company is tried once more, by itself.
let code = await run(grouped(files))
const again = code === 0 ? [] : readFileSync(failed, 'utf8').split('\n').filter(Boolean)
if (again.length > 0 && again.length <= 5) {
  console.log('\nTried once more. What passes now depends on its company, and is to be mended:')
  console.log(`${again.join('\n')}\n`)
  code = await run(again)
}
process.exit(code)
