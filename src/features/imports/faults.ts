import { Failure } from '../../errors.ts'
import type { FailedRow } from './table.ts'

/** What the errors of an import say of a row that could not be written. */
export const faultsOf = (error: unknown): FailedRow['faults'] =>
  error instanceof Failure
    ? (error.errors ?? [{ path: '', message: error.message }])
    : [{ path: '', message: 'failed; the log of the service says why' }]
