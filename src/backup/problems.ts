/** A backup that cannot be used as it is; the message continues "The file …". */
export class Damaged extends Error {
  override name = 'Damaged'
}
