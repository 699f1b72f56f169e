import { parseArgs } from 'node:util'
import { judgeOffline } from './recommendations/offline.ts'
import { judgeOnline } from './recommendations/online.ts'

/**
 * `node bench/recommendations.ts <folder>`: how good what is learned from train.txt and valid.txt is at test.txt (lines
 * of "user item item …"), by the functions that the service uses.
 *
 * `node bench/recommendations.ts [--publications 50000] [--persons 200000] [--interactions 10000000] [--seconds 10]
 * [--folder kept]`: learning and predictions over HTTP with a made-up audience.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    publications: { type: 'string', default: '50000' },
    persons: { type: 'string', default: '200000' },
    interactions: { type: 'string', default: '10000000' },
    seconds: { type: 'string', default: '10' },
    folder: { type: 'string' },
  },
})

if (positionals[0]) judgeOffline(positionals[0])
else
  await judgeOnline({
    publications: Number(values.publications),
    persons: Number(values.persons),
    interactions: Number(values.interactions),
    seconds: Number(values.seconds),
    folder: values.folder,
  })
