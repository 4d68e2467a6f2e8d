// The strings of an XML document, parsed leniently: text and attributes. Entities of a DTD are not resolved.
import { type Bytes, utf8 } from '@zonereeve/expr'

export interface XmlString {
  readonly text: Bytes
  /** Names of elements and attributes are fixed by the application. */
  readonly isName: false
  /** The element or attribute it belongs to. */
  readonly under: Bytes
}

/** True if the first character that is not whitespace opens a tag. */
export const looksLikeXml = (bytes: Bytes): boolean =>
  /^[\s\u00ef\u00bb\u00bf]*<[?!a-zA-Z]/.test(bytes.slice(0, 64))

const TOKEN =
  /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<\/[^>]*>?|<([?!]?[^\s/>]+)([^>]*)>?|([^<]+)/g
const ATTRIBUTE = /([^\s=/]{1,200})\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** In order of appearance, at most `most`. Accepts any bytes. */
export function readXmlStrings(bytes: Bytes, most: number): readonly XmlString[] {
  const out: XmlString[] = []
  let under = ''
  for (const [, data, name, inside, plain] of bytes.matchAll(TOKEN)) {
    if (out.length >= most) break
    const text = data ?? (plain === undefined ? undefined : unescapeXml(plain).trim())
    if (text !== undefined && text !== '') out.push({ text, isName: false, under })
    if (name === undefined) continue
    under = name
    if (inside !== undefined && inside !== '') readAttributes(inside, most - out.length, out)
  }
  return out.slice(0, most)
}

function readAttributes(inside: Bytes, most: number, out: XmlString[]): void {
  let count = 0
  for (const [, name = '', double, single] of inside.matchAll(ATTRIBUTE)) {
    if (count >= most) return
    count += 1
    out.push({ text: unescapeXml(double ?? String(single)), isName: false, under: name })
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const LAST_CODE_POINT = 0x10_ffff

const unescapeXml = (text: Bytes): Bytes =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,4}));/g,
        (all: string, hex?: string, decimal?: string, name?: string) => {
          if (name !== undefined) return ENTITIES[name] ?? all
          const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
          return utf8(String.fromCodePoint(Math.min(point, LAST_CODE_POINT)))
        },
      )
    : text
