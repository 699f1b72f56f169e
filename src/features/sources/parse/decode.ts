/** A feed says what it is written in at its very beginning, or in the head of the answer. */
const declared = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i

/** Encodings whose bytes may look like UTF-8 and are not. */
const notUtf8 = /^(utf-?16|iso-2022|hz-)/i

/**
 * The text of a feed. Bytes that are UTF-8 are taken for it whatever is said of them: servers that call everything
 * latin1 are common, and other texts that happen to be right UTF-8 are not. What is nothing at all is windows-1252.
 */
export const decodeText = (bytes: Uint8Array, contentType = ''): string => {
  const named =
    /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? declared.exec(ascii(bytes))?.[1] ?? ''
  const order = [markOf(bytes), notUtf8.test(named) ? named : undefined, 'utf-8', named, 'windows-1252']
  for (const encoding of order) {
    const text = encoding && decode(bytes, encoding)
    if (typeof text === 'string') return clean(text)
  }
  return clean(new TextDecoder().decode(bytes))
}

const markOf = ([first, second]: Uint8Array): string | undefined => {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0x3c && second === 0 ? 'utf-16le' : first === 0 && second === 0x3c ? 'utf-16be' : undefined
}

const ascii = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 400)).toString('latin1')

/** Undefined where the bytes are not in this encoding, or nobody knows it. */
const decode = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Characters that neither XML nor PostgreSQL take. */
const clean = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
