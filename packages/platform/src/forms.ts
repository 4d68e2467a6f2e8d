// Forms with a file (multipart/form-data, RFC 7578): few parts, small fields, and the complete file. Bodies are in
// memory as a whole, so a part is a subarray: no copies, no state machine, and time linear in the length.
import { DomainError } from './domain-error.ts'

/** Far more than any operation has members. */
export const MAX_FORM_PARTS = 20
/** Maximum bytes of a part that is not the file. */
export const MAX_FIELD_BYTES = 1_024
/** Maximum bytes of the headers of one part. */
export const MAX_PART_HEADER_BYTES = 4_096
const FILE = 'file'
/** Characters that a boundary can have (RFC 2046 §5.1.1), quoted or not. */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i
/** Transfer encodings that leave the octets of a part unchanged. */
const PLAIN_ENCODING = /^(?:7bit|8bit|binary)$/i

/** The name of a part, after any other parameters. Text like it inside a quoted filename does not match. */
const PART_NAME =
  /^form-data\s*;(?:\s*[\w*-]+=(?:"(?:[^"\\]|\\.)*"|[^\s;"]+)\s*;)*\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i

/** Contents of a form: the file under `file`, other fields as strings. */
export type Form = Readonly<Record<string, string | Uint8Array>>

/**
 * Parses a form. A part named `file` is the file, with or without a filename.
 *
 * @throws DomainError: request.form.
 */
export function readForm(contentType: string, body: Buffer): Form {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw malformedForm('It has no boundary.')
  const form = new Map<string, string | Uint8Array>()
  for (const part of partsOf(body, `--${boundary}`)) {
    const { name, value } = readPart(part)
    if (name === FILE && form.has(FILE)) throw malformedForm('The form has two files.')
    if (name !== FILE && value.length > MAX_FIELD_BYTES)
      throw malformedForm(`The part "${name}" has more than ${MAX_FIELD_BYTES} bytes.`)
    form.set(name, name === FILE ? value : value.toString('utf8'))
  }
  return Object.fromEntries(form)
}

/** Returns the parts between the delimiters; text before the first and after the last is ignored (RFC 2046 §5.1). */
function partsOf(body: Buffer, delimiter: string): Buffer[] {
  const parts: Buffer[] = []
  let start: number | undefined
  for (let at = delimiterAt(body, delimiter, 0); at !== -1; at = delimiterAt(body, delimiter, at + 1)) {
    if (start !== undefined) parts.push(body.subarray(start, Math.max(start, at - 2)))
    if (parts.length > MAX_FORM_PARTS) throw malformedForm(`The form has more than ${MAX_FORM_PARTS} parts.`)
    const end = at + delimiter.length
    if (body.toString('latin1', end, end + 2) === '--') return parts
    start = body.indexOf('\n', end) + 1
  }
  throw malformedForm('The last boundary is missing.')
}

/** Index of the next line that consists of the delimiter, optional `--` and whitespace; -1 if there is none. */
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
  if (blankLine === -1) throw malformedForm('The headers of a part do not end, or are too long.')
  const headers = part.toString('utf8', 0, blankLine)
  const encoding = headerOf(headers, 'content-transfer-encoding')
  if (encoding !== undefined && !PLAIN_ENCODING.test(encoding))
    throw malformedForm(`The encoding "${encoding}" of a part is not supported.`)
  const [, quoted, bare] = headerOf(headers, 'content-disposition')?.match(PART_NAME) ?? []
  const name = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
  if (name === undefined) throw malformedForm('A part has no name.')
  return { name, value: part.subarray(blankLine + 4) }
}

function headerOf(headers: string, desired: string): string | undefined {
  const lines = headers.split('\r\n').map((line) => line.split(/:(.*)/s))
  return lines.find(([name = '']) => name.trim().toLowerCase() === desired)?.[1]?.trim()
}

const malformedForm = (detail: string): DomainError => new DomainError({ reason: 'request.form', detail })
