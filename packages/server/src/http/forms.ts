// Forms with a file (multipart/form-data, RFC 7578): few parts, small fields, all of the file or nothing.
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { DomainError } from '../platform/domain-error.ts'

/** Far more than any operation has members. */
export const MAX_FORM_PARTS = 20
/** Bytes of a part that is not the file. */
export const MAX_FIELD_BYTES = 1_024
/** Bytes of the headers of one part. */
export const MAX_PART_HEADER_BYTES = 4_096
const MAX_PART_HEADERS = 20
const FILE = 'file'
/** How the octets of a part may have come: as they are. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary'])

/** What is in a form: the file under `file`, all else as text. */
export type Form = Readonly<Record<string, string | Uint8Array>>

/**
 * Takes a whole form apart. A part named `file` is the file, with a filename or without.
 *
 * @throws DomainError: request.form.
 */
export function readForm(contentType: string, body: Uint8Array): Promise<Form> {
  return new Promise((resolve, reject) => {
    const refuse = (detail: string) => reject(malformed(detail))
    const form = new Map<string, string | Uint8Array>()
    const parser = openParser(contentType)
    if (parser === undefined) return refuse('It names no boundary.')
    parser.on('file', (name, stream, _filename, encoding) => {
      const chunks: Uint8Array[] = []
      // A part that ends too early fails the whole form, which tells it.
      stream.on('error', () => refuse('A part has no end.'))
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      stream.on('end', () => {
        if (form.has(name)) return refuse('There are two files in it.')
        form.set(name, chunks.length === 1 ? (chunks[0] ?? new Uint8Array()) : Buffer.concat(chunks))
      })
      if (!PLAIN_ENCODINGS.has(encoding)) refuse(`The encoding "${encoding}" of a part is not supported.`)
    })
    parser.on('field', (name, value, _nameTruncated, isTruncated) => {
      if (isTruncated) refuse(`A part other than the file has more than ${MAX_FIELD_BYTES} bytes.`)
      else if (typeof name === 'string') form.set(name, value)
    })
    parser.on('partsLimit', () => refuse(`It has more than ${MAX_FORM_PARTS} parts.`))
    parser.on('error', () => refuse('Its parts are malformed.'))
    parser.on('finish', () => resolve(Object.fromEntries(form)))
    parser.end(body)
  })
}

/** Undefined where the type names no boundary. */
function openParser(contentType: string): BusboyInstance | undefined {
  const headers: BusboyHeaders = { 'content-type': contentType }
  try {
    return new Busboy({
      headers,
      isPartAFile: (name) => name === FILE,
      limits: {
        parts: MAX_FORM_PARTS,
        fieldSize: MAX_FIELD_BYTES,
        headerPairs: MAX_PART_HEADERS,
        headerSize: MAX_PART_HEADER_BYTES,
      },
    })
  } catch {
    return undefined // the caller says so
  }
}

const malformed = (detail: string): DomainError => new DomainError({ reason: 'request.form', detail })
