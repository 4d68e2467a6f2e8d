// TXT: quoted strings as content. Content without any quote is one string (specification §2.2 rule 3).
import { MAX_STRING_OCTETS, TextError, txtFromText, txtToText } from '@zonereeve/dns'
import { defineWireType, type ReadContext } from './wire-type.ts'

export const txt = defineWireType({
  type: 'TXT',
  proxiable: false,
  read({ content }, context) {
    const fault = (detail: string) =>
      [{ reason: 'record.content', pointer: '/content', values: { type: 'TXT' }, detail }] as const
    if (content === undefined) return fault('It is missing.')
    try {
      const strings = txtFromText(content)
      return { value: { strings }, content: contentOf(content, strings, context) }
    } catch (error) {
      if (!(error instanceof TextError)) throw error
      return fault(`Quotes must enclose each string completely, or be absent: ${error.message}.`)
    }
  },
  show: ({ strings }) => ({ content: strings.map(shownString).join(' ') }),
  judge: () => [], // what is shown has quotes, and no string is too long
})

/**
 * The sent spelling is kept, so that clients find what they sent, unless a string had to be split, or it has control
 * characters, which presentation format cannot have.
 */
function contentOf(sent: string, strings: readonly Uint8Array[], { quoteTxt }: ReadContext): string {
  const quoted = sent.includes('"')
  const wasSplit = strings.length > 1 && !quoted
  if (wasSplit || CONTROL.test(sent) || longestQuoted(sent) > MAX_STRING_OCTETS) return txtToText(strings)
  if (quoted || !quoteTxt) return quoted ? sent.trim() : sent
  return `"${sent.replaceAll('\\', '\\\\')}"`
}

/** UTF-8 is shown as characters, as clients send it, so that importing an export restores the same content. */
function shownString(octets: Uint8Array): string {
  const text = utf8TextOf(octets)
  if (text === undefined || /\p{Cc}/u.test(text)) return txtToText([octets])
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined for invalid UTF-8. */
function utf8TextOf(octets: Uint8Array): string | undefined {
  try {
    return UTF8.decode(octets)
  } catch {
    return undefined // shown octet by octet
  }
}

/** Any but the tab. */
const CONTROL = /[^\P{Cc}\t]/u

/** Octets of the longest quoted string as written, escapes counted as one. */
function longestQuoted(sent: string): number {
  let longest = 0
  for (const [text] of sent.matchAll(/"(?:\\.|[^"\\])*"/gs))
    longest = Math.max(longest, Buffer.byteLength(text.slice(1, -1).replace(/\\(?:\d{3}|.)/gs, '.')))
  return longest
}
