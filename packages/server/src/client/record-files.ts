// zonereeve records import and export: zone files of any size, in pieces that the server takes.
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

/** Records in one request: as many as the server tells the refusals of one by one. */
const RECORDS_PER_PIECE = 1_000
/** Bytes of one request's file; the server takes 256 KiB. */
const BYTES_PER_PIECE = 250_000
const IDENTICAL = 81_058
const DS = 43

export function addRecordFileCommands(records: Command): void {
  plainClient(records.command('import <zone> <file>'))
    .description('add the records of a zone file, however long; what is there already is left alone')
    .option('--proxied', 'proxy what can be proxied, where the file does not say')
    .option('--dry-run', 'tell what would be added')
    .action(runPlain(importFile))
  plainClient(records.command('export <zone>'))
    .description('print all records as a zone file')
    .option('-o, --output <file>', 'write them to a file')
    .action(runPlain(exportFile))
}

interface Piece {
  text: string
  bytes: number
  /** Lines of the file that the lines of this piece come from. */
  readonly lines: number[]
}

/** What came of the pieces so far. */
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
  const counts = () => `added ${tally.added}, already there ${tally.present}, refused ${tally.refused}`
  const refuse = (line: number, message: string) => {
    tally.refused += 1
    progress.end()
    process.stderr.write(`line ${line}: ${printable(message)}\n`)
  }
  // DS records need the NS records at their names, which may come anywhere.
  const delayed: ZoneFileRecord[] = []
  let piece = newPiece()
  const flush = async () => {
    if (piece.lines.length > 0) await sendPiece(api, zone.id, piece, { options, tally, refuse })
    piece = newPiece()
  }
  const add = async (record: ZoneFileRecord) => {
    const line = `${recordLine(record)}\n`
    const bytes = Buffer.byteLength(line)
    if (piece.lines.length === RECORDS_PER_PIECE || piece.bytes + bytes > BYTES_PER_PIECE) await flush()
    piece.text += line
    piece.bytes += bytes
    piece.lines.push(record.line)
  }
  for await (const { item, share } of readSource(path, zone.name)) {
    if (item instanceof ZoneFileError) refuse(item.line, item.message.replace(/^line \d+, /, ''))
    else if (item.type === DS) delayed.push(item)
    else await add(item)
    if (piece.lines.length === 1) progress.at(share, counts())
  }
  for (const record of delayed) await add(record)
  await flush()
  progress.end()
  process.stdout.write(`${options['dryRun'] === true ? 'dry run: ' : ''}${counts()}\n`)
  if (tally.refused > 0) throw new Error(`${tally.refused} records of ${path} were refused`)
}

const newPiece = (): Piece => ({ text: '', bytes: 0, lines: [] })

async function sendPiece(
  api: Api,
  zoneId: string,
  piece: Piece,
  {
    options,
    tally,
    refuse,
  }: { options: Options; tally: Tally; refuse: (line: number, message: string) => void },
): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([piece.text]), 'zone.txt')
  if (options['proxied'] === true) form.set('proxied', 'true')
  const query = options['dryRun'] === true ? '?dry_run=true' : ''
  const { result, messages } = await api.send<{ readonly recs_added: number }>(
    'POST',
    `/zones/${zoneId}/dns_records/import${query}`,
    { body: form },
  )
  tally.added += result.recs_added
  for (const { code, message, source } of messages) {
    const line = piece.lines[Number(/^\/file\/(\d+)/.exec(source?.pointer ?? '')?.[1]) - 1]
    if (line === undefined) continue // about the zone, not about a record
    if (code === IDENTICAL) tally.present += 1
    else refuse(line, `${message} (${code})`)
  }
}

/** What a record says must not steer the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')

async function exportFile(api: Api, [zoneName = '']: readonly string[], { output }: Options): Promise<void> {
  const { body } = await api.open(`/zones/${await api.zoneId(zoneName)}/dns_records/export`)
  if (body === null) throw new Error('the server sent nothing')
  const text = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) // the same stream under two names
  if (typeof output !== 'string') {
    for await (const chunk of text) process.stdout.write(chunk as Buffer) // of octets
    return
  }
  // A file that is there is a whole one.
  const unfinished = `${output}.unfinished`
  await pipeline(text, createWriteStream(unfinished))
  await rename(unfinished, output)
}
