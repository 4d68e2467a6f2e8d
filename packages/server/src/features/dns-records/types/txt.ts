// TXT: quoted strings as content. Content without any quote is one text (specification §2.2 rule 3).
import { MAX_STRING_OCTETS, TextError, txtFromText, txtToText } from '@zonereeve/dns'
import { defineWireType, type ReadContext } from './wire-type.ts'

export const txt = defineWireType({
  type: 'TXT',
  proxiable: false,
  read({ content }, context) {
    const fault = (detail: string) =>
      [{ reason: 'record.content', pointer: '/content', values: { type: 'TXT' }, detail }] as const
    if (content === undefined) return fault('It is missing.')
    if (!content.isWellFormed()) return fault('It has half of a surrogate pair.')
    try {
      const strings = txtFromText(content)
      if (strings.every((octets) => octets.length === 0)) return fault('The text is empty.')
      return { value: { strings }, content: contentOf(content, strings, context) }
    } catch (error) {
      if (!(error instanceof TextError)) throw error
      return fault(`Quotes must enclose each string whole, or nothing: ${error.message}.`)
    }
  },
  show: ({ strings }) => ({ content: strings.map(shownString).join(' ') }),
})

/**
 * What was sent is kept, so that clients find their own words again, unless a string had to be split, or it has control
 * characters, which zone-file text cannot have.
 */
function contentOf(sent: string, strings: readonly Uint8Array[], { quoteTxt }: ReadContext): string {
  const quoted = sent.includes('"')
  const wasSplit = strings.length > 1 && !quoted
  if (wasSplit || CONTROL.test(sent) || longestQuoted(sent) > MAX_STRING_OCTETS) return txtToText(strings)
  if (quoted || !quoteTxt) return quoted ? sent.trim() : sent
  return `"${sent.replaceAll('\\', '\\\\')}"`
}

/** UTF-8 as its characters, which is how it is sent: what an export brings back is then what was there. */
function shownString(octets: Uint8Array): string {
  const text = utf8TextOf(octets)
  if (text === undefined || /\p{Cc}/u.test(text)) return txtToText([octets])
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** Undefined for octets that are none. */
function utf8TextOf(octets: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
  } catch {
    return undefined // shown octet by octet
  }
}

/** Any but the tab. */
const CONTROL = /[^\P{Cc}\t]/u

/** Octets of the longest quoted string as written, escapes counted as one. */
function longestQuoted(sent: string): number {
  const strings = sent.match(/"(?:\\.|[^"\\])*"/gs) ?? []
  return Math.max(
    0,
    ...strings.map((text) => Buffer.byteLength(text.slice(1, -1).replace(/\\(?:\d{3}|.)/gs, '.'))),
  )
}
