// Parses the octets of a zone file into records and errors, a few lines at a time.
import { createZoneReader, linesOf, ZoneFileError, type Name, type ZoneFileRecord } from '@zonereeve/dns'
import { DomainError } from '@zonereeve/platform'
import { createYieldIfDue } from '@zonereeve/cooperate'
import { createFileRecordList } from './file-record-list.ts'

/** Records without a TTL and without a preceding one: automatic. */
const DEFAULT_TTL = 1
const LINE_FEED = 0x0a
/** Decoding some lines takes hardly longer than decoding one. */
const DECODED_OCTETS = 1 << 14
/** Looking at the clock takes a tenth of the time of reading a short line. */
const STEPS_BETWEEN_LOOKS = 40
const LONG_LINE = 1_000

/** Can be read several times. */
export interface FileRecords extends Iterable<ZoneFileRecord> {
  readonly length: number
  /** They are read once more, and not again: what has been read needs no memory any more. */
  releaseWhenRead(): void
}

export interface FileItems {
  readonly records: FileRecords
  /** The first errors, up to the limit. */
  readonly errors: readonly ZoneFileError[]
  /** Total number of errors. */
  readonly errorCount: number
}

export interface ReadFileOptions {
  /** A few lines can expand to a great many records. */
  readonly maxRecords: number
  readonly maxErrors: number
  readonly signal: AbortSignal
  /** Called with the name of each record. */
  readonly noteName?: (name: Name) => void
}

/** @throws DomainError: zone_file.encoding, zone_file.records. */
export async function readFile(
  file: Uint8Array,
  origin: Name,
  { maxRecords, maxErrors, signal, noteName }: ReadFileOptions,
): Promise<FileItems> {
  const records = createFileRecordList()
  const errors: ZoneFileError[] = []
  let errorCount = 0
  const take = (item: ZoneFileRecord | ZoneFileError): void => {
    if (!(item instanceof ZoneFileError)) {
      records.add(item)
      noteName?.(item.name)
    } else if ((errorCount += 1) <= maxErrors) errors.push(item)
    if (records.length <= maxRecords) return
    const values = { limit: maxRecords }
    throw new DomainError({ reason: 'zone_file.records', pointer: '/file', values })
  }
  const yieldIfDue = createYieldIfDue(() => signal.throwIfAborted())
  let steps = 0
  const reader = createZoneReader({ origin, defaultTtlSeconds: DEFAULT_TTL })
  for (const line of linesOfOctets(file)) {
    if (line.length > LONG_LINE || (steps += 1) % STEPS_BETWEEN_LOOKS === 0) await yieldIfDue()
    for (const item of reader.line(line)) {
      take(item)
      if ((steps += 1) % STEPS_BETWEEN_LOOKS === 0) await yieldIfDue() // one line can expand to a great many
    }
  }
  for (const item of reader.end()) take(item)
  return { records, errors, errorCount }
}

type Decoder = InstanceType<typeof TextDecoder>

/** Decodes many lines at once. @throws DomainError: zone_file.encoding, naming the line. */
function* linesOfOctets(file: Uint8Array): Generator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let line = 1
  for (let at = 0; at < file.length;) {
    const end = endOfLines(file, at)
    const text = decode(utf8, file.subarray(at, end))
    if (text === undefined) throwEncoding(utf8, file.subarray(at, end), line)
    for (const each of linesOf(text)) {
      line += 1
      yield each
    }
    at = end
  }
}

/** After the last line that begins within some octets from the start of a line. */
function endOfLines(file: Uint8Array, at: number): number {
  const end = file.indexOf(LINE_FEED, at + DECODED_OCTETS)
  return end === -1 ? file.length : end + 1
}

/** Undefined for octets that are not UTF-8. */
function decode(utf8: Decoder, octets: Uint8Array): string | undefined {
  try {
    return utf8.decode(octets)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return undefined
  }
}

/** Looks for the line among those of the octets. */
function throwEncoding(utf8: Decoder, octets: Uint8Array, firstLine: number): never {
  let line = firstLine
  for (let at = 0; at < octets.length; line += 1) {
    const end = octets.indexOf(LINE_FEED, at)
    const isLast = end === -1
    if (decode(utf8, octets.subarray(at, isLast ? octets.length : end)) === undefined) break
    at = isLast ? octets.length : end + 1
  }
  throw new DomainError({ reason: 'zone_file.encoding', pointer: `/file/${line}`, values: { line } })
}
