// Parses multipart/form-data (RFC 7578).
import { asciiLower, type Bytes } from '../bytes.ts'
import { splitAt } from './pairs.ts'

/** Further parts are ignored. */
const MAX_PARTS = 1000

export type Part = {
  /** Values of a header of the part, under its lower-case name. */
  readonly header: (name: Bytes) => readonly Bytes[]
  readonly name: Bytes | undefined
  readonly filename: Bytes | undefined
  readonly value: Bytes
}

/**
 * The parts between the boundary lines, in order. A body without its last boundary keeps what is there.
 * @param most further parts are ignored
 */
export function parseMultipart(body: Bytes, contentType: Bytes, most = MAX_PARTS): readonly Part[] {
  const boundary = parameterOf(contentType, 'boundary')
  if (boundary === undefined || !asciiLower(contentType).startsWith('multipart/form-data')) return []
  return sectionsOf(body, boundary, most).map(parsePart)
}

/** What follows a boundary in its line: it begins a part, or ends the last one (RFC 2046, 5.1.1). */
const BEGINNING = /^[ \t]*\r\n/
const END = /^--[ \t]*(?:\r\n|$)/

function sectionsOf(body: Bytes, boundary: Bytes, most: number): readonly Bytes[] {
  const delimiter = `\r\n--${boundary}`
  const [, ...chunks] = `\r\n${body}`.split(delimiter)
  const sections: Bytes[] = []
  let current: Bytes | undefined
  for (const chunk of chunks) {
    const beginning = BEGINNING.exec(chunk)
    if (beginning === null && !END.test(chunk)) {
      // Text that only begins like a boundary belongs to the part, or a client could hide what follows behind it.
      if (current !== undefined) current += delimiter + chunk
      continue
    }
    if (current !== undefined) sections.push(current)
    if (sections.length === most) return sections
    current = beginning === null ? undefined : chunk.slice(beginning[0].length)
  }
  return current === undefined ? sections : [...sections, current]
}

function parsePart(section: Bytes): Part {
  const gap = `\r\n${section}`.indexOf('\r\n\r\n')
  const head = gap === -1 ? section : section.slice(0, Math.max(0, gap - 2))
  const lines = head.split('\r\n').map((line) => splitAt(line, line.indexOf(':')))
  const header = (desired: Bytes) =>
    lines.filter(([name]) => asciiLower(name.trim()) === desired).map(([, value]) => value.trim())
  const [disposition = ''] = header('content-disposition')
  return {
    header,
    name: parameterOf(disposition, 'name'),
    filename: parameterOf(disposition, 'filename'),
    value: gap === -1 ? '' : section.slice(gap + 2),
  }
}

const unquote = (text: Bytes): Bytes =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text

/** A parameter of a header value, without its quotes. */
function parameterOf(header: Bytes, desired: Bytes): Bytes | undefined {
  for (const part of header.split(';').slice(1)) {
    const [name, value] = splitAt(part, part.indexOf('='))
    if (asciiLower(name.trim()) === desired) return unquote(value.trim())
  }
  return undefined
}
