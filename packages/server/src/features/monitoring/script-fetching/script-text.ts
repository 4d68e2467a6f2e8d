// Decodes the bytes of a script as browsers do.

/** A byte order mark takes precedence (WHATWG Encoding, “BOM sniff”). */
const MARKS: readonly (readonly [label: string, octets: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
]

/**
 * Decodes a script by its byte order mark, else by the charset of its Content-Type, else as UTF-8 (HTML,
 * “fetch a classic script”, with a document in UTF-8). An unknown charset is ignored; malformed bytes become
 * U+FFFD.
 * @param charset as sent by the server; null = none.
 */
export function decodeScript(body: Uint8Array, charset: string | null): string {
  const mark = MARKS.find(([, octets]) => octets.every((octet, i) => body[i] === octet))
  const decoder = createDecoder(mark?.[0] ?? charset ?? 'utf-8')
  const text = decoder.decode(body)
  return decoder.encoding === 'windows-1252' ? withLetters(text) : text
}

/** The characters of windows-1252 from 0x80 to 0x9F, which Node 20 decodes as the control characters of Latin-1. */
const LETTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

const withLetters = (text: string): string =>
  text.replaceAll(/[\u0080-\u009F]/gu, (found) => LETTERS.charAt(found.charCodeAt(0) - 0x80))

function createDecoder(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label)
  } catch {
    // Not an encoding label: browsers ignore it, too.
    return new TextDecoder()
  }
}
