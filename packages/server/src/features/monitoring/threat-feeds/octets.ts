// Decodes the bytes of a feed: UTF-8, decompressed if gzip. Archives are rejected by name.
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export type Octets = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Size limit of the decompressed text: enough for a million long entries. */
export const MAX_TEXT_BYTES = 256 * 1_048_576

const PART_BYTES = 65_536

/** Why an import failed; shown to the feed's owner. */
export class ImportProblem extends Error {}

/** @throws ImportProblem: an archive, or too large. */
export async function* readText(octets: Octets, maxBytes = MAX_TEXT_BYTES): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const part of unpack(octets)) {
    bytes += part.length
    if (bytes > maxBytes) throw new ImportProblem(`it is larger than ${maxBytes} bytes`)
    yield decoder.decode(part, { stream: true })
  }
  yield decoder.decode()
}

async function* unpack(octets: Octets): AsyncGenerator<Uint8Array> {
  const source = partsOf(octets)
  try {
    yield* unpackedFrom(source)
  } finally {
    await source.return(undefined) // tells the source that nothing reads it any more
  }
}

async function* unpackedFrom(source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const begin: Uint8Array[] = []
  let length = 0
  // The first chunks may be shorter than the gzip signature.
  while (length < SIGNATURE_BYTES) {
    const next = await source.next()
    if (next.done === true) break
    begin.push(next.value)
    length += next.value.length
  }
  const first = Buffer.concat(begin)
  const archive = archiveOf(first)
  if (archive !== undefined) throw new ImportProblem(`it is a ${archive} archive; only gzip is supported`)
  const whole = prepend(first, source)
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield* whole
    return
  }
  const input = Readable.from(whole)
  const gunzip = createGunzip()
  // Forwards errors of the source to the reader.
  input.once('error', (error) => gunzip.destroy(error))
  try {
    yield* input.pipe(gunzip) as AsyncIterable<Uint8Array> // without an encoding, it yields buffers
  } catch (error) {
    throw isZlibError(error) ? new ImportProblem('it is a broken gzip file') : error
  } finally {
    input.destroy()
  }
}

const SIGNATURE_BYTES = 3

const ARCHIVES = [
  ['zip', 'PK\u0003'],
  ['bzip2', 'BZh'],
  ['7z', '7z\u00bc'],
  ['xz', '\u00fd7z'],
] as const

function archiveOf(first: Buffer): string | undefined {
  const begin = first.subarray(0, SIGNATURE_BYTES).toString('latin1')
  return ARCHIVES.find(([, signature]) => signature === begin)?.[0]
}

async function* prepend(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

/**
 * Yields small chunks even if a whole file is available at once: the lines of a whole file would fill the
 * memory.
 */
async function* partsOf(octets: Octets): AsyncGenerator<Uint8Array> {
  for await (const part of octets)
    for (let at = 0; at < part.length; at += PART_BYTES) yield part.subarray(at, at + PART_BYTES)
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
