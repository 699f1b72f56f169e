import { parseArgs } from 'node:util'
import { judgeOffline } from './recommendations/offline.ts'

const { positionals } = parseArgs({ allowPositionals: true })
if (positionals[0]) judgeOffline(positionals[0])
