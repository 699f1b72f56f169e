import { Invalid } from '../../errors.ts'

/** Bytes of one row: so much of a file is held at once, whatever it holds. */
export const maxRow = 1_000_000

/** A row that long is no row; most often a quote was not closed. */
export class TooLong extends Invalid {
  constructor(number: number) {
    super([{ path: `rows.${number}`, message: `is longer than ${maxRow} bytes; is a quote not closed?` }])
  }
}
