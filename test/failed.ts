type Event = { type: string; data: { file?: string } }

/** A reporter that names the files in which something failed, one a line. */
export default async function* failed(events: AsyncIterable<Event>): AsyncGenerator<string> {
  const files = new Set<string>()
  for await (const { type, data } of events) if (type === 'test:fail' && data.file) files.add(data.file)
  yield [...files].join('\n')
}
