// The octets of a feed as text: UTF-8, unpacked where they are gzip. Archives are refused by name.
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export type Octets = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Of the text, unpacked: what a million long entries take. */
export const MAX_TEXT_BYTES = 256 * 1_048_576

const PART_BYTES = 65_536

/** Why an import is none; said to whoever looks at the feed. */
export class ImportProblem extends Error {}

/** @throws ImportProblem: an archive, or too large. */
export async function* readText(octets: Octets, maxBytes = MAX_TEXT_BYTES): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const part of unpacked(octets)) {
    bytes += part.length
    if (bytes > maxBytes) throw new ImportProblem(`it is larger than ${maxBytes} bytes`)
    yield decoder.decode(part, { stream: true })
  }
  yield decoder.decode()
}

async function* unpacked(octets: Octets): AsyncGenerator<Uint8Array> {
  const source = partsOf(octets)
  try {
    yield* unpackedFrom(source)
  } finally {
    await source.return(undefined) // whoever pushes learns that nobody reads any more
  }
}

async function* unpackedFrom(source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const begin: Uint8Array[] = []
  let length = 0
  // The first parts may be smaller than what tells a gzip.
  while (length < SIGNATURE_BYTES) {
    const next = await source.next()
    if (next.done === true) break
    begin.push(next.value)
    length += next.value.length
  }
  const first = Buffer.concat(begin)
  const archive = archiveOf(first)
  if (archive !== undefined) throw new ImportProblem(`it is a ${archive} archive; only gzip is unpacked`)
  const whole = joined(first, source)
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield* whole
    return
  }
  const input = Readable.from(whole)
  const gunzip = createGunzip()
  // An error of the source is the error of what comes out.
  input.once('error', (error) => gunzip.destroy(error))
  try {
    yield* input.pipe(gunzip) as AsyncIterable<Uint8Array> // without an encoding, it reads as buffers
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

async function* joined(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

/** Small ones, also of what is there at once: of a whole file, the lines alone would fill the memory. */
async function* partsOf(octets: Octets): AsyncGenerator<Uint8Array> {
  for await (const part of octets)
    for (let at = 0; at < part.length; at += PART_BYTES) yield part.subarray(at, at + PART_BYTES)
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
