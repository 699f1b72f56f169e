import { totalmem } from 'node:os'

const megabyte = 2 ** 20
/**
 * An eighth of the machine, within bounds: a million publications in 256 MB were read from the system's memory page by
 * page, at several times the cost. What is not needed is not taken.
 */
const buffers = Math.round(Math.min(2048, Math.max(256, totalmem() / megabyte / 8)))

/** For one service on one machine. Given on the command line, so an upgrade of Marquee brings its own. */
export const serviceSettings: Record<string, string> = {
  max_connections: '200',
  shared_buffers: `${buffers}MB`,
  random_page_cost: '1.1',
  jit: 'off',

  // wal_compression stays off: these builds know only pglz, not lz4.
  synchronous_commit: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',

  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%m [%p] ',
  log_min_error_statement: 'error',
  // Parameters are what callers sent: personal data and secrets, which no log may hold.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}

export const settingArguments = (settings: Record<string, string>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
