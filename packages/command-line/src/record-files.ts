// zonereeve records import and export: zone files of any size, in chunks that the server accepts.
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { recordLine, ZoneFileError, type ZoneFileRecord } from '@zonereeve/dns'
import type { Api } from './api.ts'
import { createProgress } from './progress.ts'
import { plainClient, runPlain, type Options } from './verb.ts'
import { findZone, readSource } from './zone-source.ts'

/** Records per request: the number for which the server reports rejections one by one. */
const RECORDS_PER_CHUNK = 1_000
/** Bytes per request; the server accepts 256 KiB. */
const BYTES_PER_CHUNK = 250_000
const IDENTICAL = 81_058
const DS = 43
/** The highest TTL that the API accepts. */
const MAX_TTL_SECONDS = 86_400

export function addRecordFileCommands(records: Command): void {
  plainClient(records.command('import <zone> <file>'))
    .description('add the records of a zone file of any size; existing records do not change')
    .option('--proxied', 'proxy records that can be proxied, unless the file says otherwise')
    .option('--clamp-ttl', 'lower TTLs above 86400 to 86400 instead of rejecting their records')
    .option('--dry-run', 'show what would be added')
    .action(runPlain(importFile))
  plainClient(records.command('export <zone>'))
    .description('export all records as a zone file')
    .option('-o, --output <file>', 'write to this file instead of standard output')
    .action(runPlain(exportFile))
}

interface Chunk {
  text: string
  bytes: number
  /** Line numbers in the file for the lines of this chunk. */
  readonly lines: number[]
}

/** Totals of the chunks sent so far. */
interface Tally {
  added: number
  present: number
  refused: number
}

async function importFile(
  api: Api,
  [zoneName = '', path = '']: readonly string[],
  options: Options,
): Promise<void> {
  const zone = await findZone(api, zoneName)
  const progress = createProgress(process.stderr)
  const tally: Tally = { added: 0, present: 0, refused: 0 }
  const counts = () => `added ${tally.added}, already present ${tally.present}, rejected ${tally.refused}`
  const note = (line: number, message: string) => {
    progress.end()
    process.stderr.write(`line ${line}: ${printable(message)}\n`)
  }
  const reject = (line: number, message: string) => {
    tally.refused += 1
    note(line, message)
  }
  // DS records need the NS records of their name, which may come later in the file.
  const delayed: ZoneFileRecord[] = []
  let chunk = newChunk()
  const flush = async () => {
    if (chunk.lines.length > 0) await sendChunk(api, zone.id, chunk, { options, tally, reject })
    chunk = newChunk()
  }
  const add = async (given: ZoneFileRecord) => {
    const record = options['clampTtl'] === true ? withLowerTtl(given, note) : given
    const line = `${recordLine(record)}\n`
    const bytes = Buffer.byteLength(line)
    if (chunk.lines.length === RECORDS_PER_CHUNK || chunk.bytes + bytes > BYTES_PER_CHUNK) await flush()
    chunk.text += line
    chunk.bytes += bytes
    chunk.lines.push(record.line)
  }
  for await (const { item, share } of readSource(path, zone.name)) {
    if (item instanceof ZoneFileError) reject(item.line, item.message.replace(/^line \d+, /, ''))
    else if (item.type === DS) delayed.push(item)
    else await add(item)
    if (chunk.lines.length === 1) progress.at(share, counts())
  }
  for (const record of delayed) await add(record)
  await flush()
  progress.end()
  process.stdout.write(`${options['dryRun'] === true ? 'dry run: ' : ''}${counts()}\n`)
  if (tally.refused > 0) throw new Error(`${tally.refused} records of ${path} were rejected`)
}

/** Returns the record with its TTL capped at the maximum; reports a lowered TTL. */
function withLowerTtl(record: ZoneFileRecord, note: (line: number, message: string) => void): ZoneFileRecord {
  const { line, ttlSeconds } = record
  if (ttlSeconds <= MAX_TTL_SECONDS) return record
  note(line, `TTL ${ttlSeconds} lowered to ${MAX_TTL_SECONDS}`)
  return { ...record, ttlSeconds: MAX_TTL_SECONDS }
}

const newChunk = (): Chunk => ({ text: '', bytes: 0, lines: [] })

async function sendChunk(
  api: Api,
  zoneId: string,
  chunk: Chunk,
  {
    options,
    tally,
    reject,
  }: { options: Options; tally: Tally; reject: (line: number, message: string) => void },
): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([chunk.text]), 'zone.txt')
  if (options['proxied'] === true) form.set('proxied', 'true')
  const query = options['dryRun'] === true ? '?dry_run=true' : ''
  const { result, messages } = await api.send<{ readonly recs_added: number }>(
    'POST',
    `/zones/${zoneId}/dns_records/import${query}`,
    { body: form },
  )
  tally.added += result.recs_added
  for (const { code, message, source } of messages) {
    const line = chunk.lines[Number(source?.pointer?.match(/^\/file\/(\d+)/)?.[1]) - 1]
    if (line === undefined) continue // about the zone, not about a record
    if (code === IDENTICAL) tally.present += 1
    else reject(line, `${message} (${code})`)
  }
}

/** Replaces control characters: record content must not control the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')

async function exportFile(api: Api, [zoneName = '']: readonly string[], { output }: Options): Promise<void> {
  const { body } = await api.open(`/zones/${await api.zoneId(zoneName)}/dns_records/export`)
  if (body === null) throw new Error('the server sent an empty reply')
  const text = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) // the same stream under two names
  if (typeof output !== 'string') {
    for await (const chunk of text) process.stdout.write(chunk as Buffer) // a stream of bytes
    return
  }
  // The final name appears only once the file is complete.
  const unfinished = `${output}.unfinished`
  await pipeline(text, createWriteStream(unfinished))
  await rename(unfinished, output)
}
