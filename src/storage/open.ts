import { join } from 'node:path'
import type { Config } from '../config.ts'
import { localStorage } from './local.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

/** The bucket that is configured, or else a folder among the service's data. */
export const openStorage = (config: Config): Storage =>
  config.s3 ? s3Storage(config.s3) : localStorage(join(config.data, 'files'))
