// Forms with a file (multipart/form-data, RFC 7578): few parts, small fields, all of the file or nothing. Bodies are at
// hand whole, so that a part is a stretch of them: no copies, no states, and time that grows with the length alone.
import { DomainError } from '../platform/domain-error.ts'

/** Far more than any operation has members. */
export const MAX_FORM_PARTS = 20
/** Bytes of a part that is not the file. */
export const MAX_FIELD_BYTES = 1_024
/** Bytes of the headers of one part. */
export const MAX_PART_HEADER_BYTES = 4_096
const FILE = 'file'
/** Characters that a boundary can have (RFC 2046 §5.1.1), in quotes or without. */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i
/** How the octets of a part may have come: as they are. */
const PLAIN_ENCODING = /^(?:7bit|8bit|binary)$/i

/** The name of a part, behind any other parameters: what looks like one inside a quoted filename is none. */
const PART_NAME =
  /^form-data\s*;(?:\s*[\w*-]+=(?:"(?:[^"\\]|\\.)*"|[^\s;"]+)\s*;)*\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i

/** What is in a form: the file under `file`, all else as text. */
export type Form = Readonly<Record<string, string | Uint8Array>>

/**
 * Takes a form apart. A part named `file` is the file, with a filename or without.
 *
 * @throws DomainError: request.form.
 */
export function readForm(contentType: string, body: Buffer): Form {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw malformed('It names no boundary.')
  const form = new Map<string, string | Uint8Array>()
  for (const part of partsOf(body, `--${boundary}`)) {
    const { name, value } = readPart(part)
    if (name === FILE && form.has(FILE)) throw malformed('There are two files in it.')
    if (name !== FILE && value.length > MAX_FIELD_BYTES)
      throw malformed(`The part "${name}" has more than ${MAX_FIELD_BYTES} bytes.`)
    form.set(name, name === FILE ? value : value.toString('utf8'))
  }
  return Object.fromEntries(form)
}

/** What stands between the delimiters; text before the first and behind the last is nobody's (RFC 2046 §5.1). */
function partsOf(body: Buffer, delimiter: string): Buffer[] {
  const parts: Buffer[] = []
  let start: number | undefined
  for (let at = delimiterAt(body, delimiter, 0); at !== -1; at = delimiterAt(body, delimiter, at + 1)) {
    if (start !== undefined) parts.push(body.subarray(start, Math.max(start, at - 2)))
    if (parts.length > MAX_FORM_PARTS) throw malformed(`It has more than ${MAX_FORM_PARTS} parts.`)
    const end = at + delimiter.length
    if (body.toString('latin1', end, end + 2) === '--') return parts
    start = body.indexOf('\n', end) + 1
  }
  throw malformed('Its last boundary is missing.')
}

/** Where a line begins with the delimiter and has nothing more than `--` and blanks behind it; -1 where none does. */
function delimiterAt(body: Buffer, delimiter: string, from: number): number {
  for (let at = body.indexOf(delimiter, from); at !== -1; at = body.indexOf(delimiter, at + 1)) {
    const end = at + delimiter.length
    const behind = body.toString('latin1', end, end + 2)
    const beginsLine = at === 0 || body.toString('latin1', Math.max(0, at - 2), at) === '\r\n'
    if (beginsLine && (behind === '--' || behind === '\r\n' || /^[ \t]/.test(behind))) return at
  }
  return -1
}

function readPart(part: Buffer): { readonly name: string; readonly value: Buffer } {
  const blankLine = part.subarray(0, MAX_PART_HEADER_BYTES).indexOf('\r\n\r\n')
  if (blankLine === -1) throw malformed('The headers of a part do not end, or are too long.')
  const headers = part.toString('utf8', 0, blankLine)
  const encoding = headerOf(headers, 'content-transfer-encoding')
  if (encoding !== undefined && !PLAIN_ENCODING.test(encoding))
    throw malformed(`The encoding "${encoding}" of a part is not supported.`)
  const disposition = headerOf(headers, 'content-disposition') ?? ''
  const [, quoted, bare] = PART_NAME.exec(disposition) ?? []
  const name = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
  if (name === undefined) throw malformed('A part has no name.')
  return { name, value: part.subarray(blankLine + 4) }
}

function headerOf(headers: string, wanted: string): string | undefined {
  const lines = headers.split('\r\n').map((line) => line.split(/:(.*)/s))
  return lines.find(([name = '']) => name.trim().toLowerCase() === wanted)?.[1]?.trim()
}

const malformed = (detail: string): DomainError => new DomainError({ reason: 'request.form', detail })
