/** What went wrong and what to do about it, in words for whoever runs the command; no stack is needed. */
export class Explained extends Error {
  override name = 'Explained'
}
