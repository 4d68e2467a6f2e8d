// zonereeve audit verify and export.
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  checkChain,
  formatLine,
  readLine,
  type ChainFault,
  type ExportedEntry,
  type Link,
} from '@zonereeve/audit'
import type { Storage } from '@zonereeve/storage'
import type { Config } from '@zonereeve/config'
import { entriesAfter, logStart, sha256 } from '../../features/changes/index.ts'
import { withStorage } from './with-storage.ts'

const CHUNK_SIZE = 1_000
const LINK = /^([1-9]\d{0,15}):([0-9a-f]{64})$/
const OWNER_ONLY = 0o600

export interface VerifyOptions {
  readonly file?: string | undefined
  /** An entry known from earlier, as `NUMBER:HASH`. */
  readonly expect?: string | undefined
}

/** @throws Error: the first entry that is wrong. */
export async function verifyAuditCommand(config: Config, { file, expect }: VerifyOptions): Promise<void> {
  const expected = expect === undefined ? undefined : readLink(expect)
  const { first, last } =
    file === undefined
      ? await withStorage(config, (storage) => verifyStored(storage, expected))
      : await verify(linesOf(file), undefined, expected)
  process.stdout.write(
    last.number < first
      ? 'the audit log is in order: no entries\n'
      : `the audit log is in order: entries ${first} to ${last.number}\nlast entry ${last.number}:${last.hash}\n`,
  )
}

export interface ExportOptions {
  readonly after: string | undefined
  /** Path of a new file; standard output if undefined. */
  readonly to: string | undefined
}

export async function exportAuditCommand(config: Config, { after = '0', to }: ExportOptions): Promise<void> {
  if (!/^\d{1,15}$/.test(after)) throw new Error(`--after must be a number of an entry, from 0; got ${after}`)
  await withStorage(config, async (storage) => {
    const lines = Readable.from(exportedLines(storage, Number(after)))
    if (to === undefined) return pipeline(lines, process.stdout, { end: false })
    await pipeline(lines, createWriteStream(to, { flags: 'wx', mode: OWNER_ONLY }))
    process.stdout.write(`${to}\n`)
  })
}

interface Verified {
  /** Number of the first entry; one more than the last if there is none. */
  readonly first: number
  readonly last: Link
}

async function verifyStored(storage: Storage, expected: Link | undefined): Promise<Verified> {
  const start = await logStart(storage)
  try {
    return await verify(storedEntries(storage, start.number), start, expected)
  } catch (failure) {
    // A running server may have deleted old entries meanwhile.
    const now = await logStart(storage)
    if (now.number === start.number) throw failure
    return verify(storedEntries(storage, now.number), now, expected)
  }
}

/** @param start undefined for an export, whose first line says to which entry it is linked. */
async function verify(
  entries: AsyncIterable<ExportedEntry>,
  start: Link | undefined,
  expected: Link | undefined,
): Promise<Verified> {
  let check = start && checkChain(sha256, start, expected)
  let first = start === undefined ? 1 : start.number + 1
  for await (const { entry, previousHash } of entries) {
    if (check === undefined) {
      first = entry.number
      check = checkChain(sha256, { number: first - 1, hash: previousHash }, expected)
    }
    const fault = check.take(entry)
    if (fault !== undefined) throw faultError(fault)
  }
  const last = check === undefined ? { number: 0, hash: '' } : check.end()
  if ('kind' in last) throw faultError(last)
  if (expected !== undefined && expected.number < first)
    throw new Error(`entry ${expected.number} cannot be compared: the log begins at entry ${first}`)
  return { first, last }
}

function faultError({ number, kind }: ChainFault): Error {
  switch (kind) {
    case 'gap':
      return new Error(`the audit log is broken: entries before entry ${number} are missing`)
    case 'content':
      return new Error(`the audit log is broken: entry ${number}, or the one before it, was changed`)
    case 'expected':
      return new Error(
        `the audit log is broken: entry ${number} is not the expected one; the log was written again`,
      )
    case 'missing':
      return new Error(`the audit log is broken: it ends before entry ${number}, which was expected`)
  }
}

async function* storedEntries(storage: Storage, after: number): AsyncGenerator<ExportedEntry> {
  let reached = after
  for (;;) {
    const chunk = await entriesAfter(storage, reached, CHUNK_SIZE)
    yield* chunk
    const last = chunk.at(-1)
    if (last === undefined || chunk.length < CHUNK_SIZE) return
    reached = last.entry.number
  }
}

async function* exportedLines(storage: Storage, after: number): AsyncGenerator<string> {
  for await (const entry of storedEntries(storage, after)) yield `${formatLine(entry)}\n`
}

async function* linesOf(file: string): AsyncGenerator<ExportedEntry> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  let at = 0
  for await (const line of lines) {
    at += 1
    try {
      yield readLine(line)
    } catch (failure) {
      throw new Error(`${file}:${at}: not a line of an exported audit log: ${String(failure)}`, {
        cause: failure,
      })
    }
  }
}

function readLink(text: string): Link {
  const [, number, hash] = LINK.exec(text) ?? []
  if (number === undefined || hash === undefined)
    throw new Error(`--expect must be NUMBER:HASH, like 42:0f3a…, with 64 hexadecimal digits; got ${text}`)
  return { number: Number(number), hash }
}
