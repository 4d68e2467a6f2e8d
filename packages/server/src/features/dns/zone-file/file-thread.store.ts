// Reads a large file in a thread, which also makes its rows, history and published records; the main thread runs its
// statements in the transaction that replaces the records.
import { getHeapStatistics } from 'node:v8'
import {
  DomainError,
  joinLists,
  type Notice,
  startThread,
  type Thread,
  threadFile,
  type ThreadOptions,
} from '@zonereeve/platform'
import {
  createStatementRunner,
  isRehearsal,
  type PublicationAhead,
  receiveDelta,
  type RecordsDelta,
  receiveList,
  type SentDelta,
  type SentRecordList,
  type SentStatement,
  type ServedRecords,
  type Transaction,
} from '@zonereeve/storage'
import {
  beginChangeSet,
  type ChangeHeader,
  type CountedKinds,
  type OpenChangeSet,
} from '../../changes/index.ts'
import type { Zone } from '../../zones/index.ts'
import { type Replaced, type ReplacementDeps, type ReplaceRecords } from '../dns-records/index.ts'
import type { FileContents, ReadContents, ReadOptions } from './desired-records.ts'

export type ToThread =
  | (Pick<ReadOptions, 'clampTtl'> &
      ThreadRules & { readonly kind: 'read'; readonly file: Uint8Array; readonly zone: Zone })
  | { readonly kind: 'replace'; readonly zone: Zone; readonly at: string; readonly force: boolean }
  | { readonly kind: 'begun'; readonly position: number }
  | { readonly kind: 'results'; readonly results: readonly unknown[] }

export type FromThread =
  | (FileContents & { readonly kind: 'contents' })
  | { readonly kind: 'begin'; readonly header: ChangeHeader }
  | { readonly kind: 'statements'; readonly statements: readonly SentStatement[] }
  | { readonly kind: 'added'; readonly added: SentRecordList }
  | { readonly kind: 'unreadable'; readonly note: Parameters<Transaction['unreadable']['note']> }
  | (SentChange & { readonly kind: 'replaced'; readonly replaced: Replaced })
  | { readonly kind: 'refused'; readonly issues: DomainError['issues']; readonly notices: readonly Notice[] }

/** What of a change set is not in the database yet. */
interface SentChange {
  readonly kinds: CountedKinds
  readonly delta: SentDelta | undefined
}

type ThreadRules = Pick<ReplacementDeps, 'rules' | 'edgeAddresses'>

export interface FileThreadOptions extends ThreadRules {
  /** Begins to publish the records of a zone; undefined if it cannot be done. */
  readonly beginPublication?: ((zoneId: string) => PublicationAhead | undefined) | undefined
  /** Smaller files are read by the main thread. */
  readonly minOctets?: number
  readonly thread?: ThreadOptions
}

/** Some 150,000 short lines: below it, the thread saves less than half a second, and its start takes as much CPU time. */
const MIN_OCTETS = 1 << 22

/** With the limit of this thread, which would have to hold the same. */
const ownThread = (): ThreadOptions => ({
  file: threadFile('./zone-file.worker', import.meta.url),
  maxHeapMib: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20),
})

export function createFileThreads(options: FileThreadOptions) {
  const { minOctets = MIN_OCTETS, thread: threadOptions = ownThread(), rules, edgeAddresses } = options
  const { beginPublication = () => undefined } = options
  let isBusy = false
  return { takes, read }

  /** One file at a time: another one is read by the main thread, as are those of dry runs, whose operations are shown. */
  function takes(file: Uint8Array): boolean {
    return file.length >= minOctets && !isBusy && !isRehearsal()
  }

  /**
   * @param file its memory moves to the thread: nothing may read it any more.
   * @throws DomainError as {@link readDesired}. @throws Error: the thread ended.
   */
  async function read(
    file: Uint8Array,
    zone: Zone,
    { clampTtl, signal }: ReadOptions,
  ): Promise<ReadContents> {
    signal.throwIfAborted()
    isBusy = true
    const publishing = createAddedRecords(() => beginPublication(zone.id))
    const thread: FileThread = startThread('a thread that reads a zone file', threadOptions)
    const close = (): void => {
      isBusy = false
      publishing.drop()
      thread.end(new Error('the file is no longer needed'))
    }
    const abort = (): void => thread.end(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      const { lettersFirst, quoteTxt, rejectsUnknown } = rules
      const ownRules = { rules: { lettersFirst, quoteTxt, rejectsUnknown }, edgeAddresses }
      // Short buffers share their memory.
      const moved = file.length > Buffer.poolSize ? [file.buffer as ArrayBuffer] : [] // of the body of a request
      thread.send({ kind: 'read', file, zone, clampTtl, ...ownRules }, moved)
      const message = await nextOf(thread)
      if (message.kind !== 'contents') throw new Error(`a thread that reads a file sent ${message.kind}`)
      return { ...message, records: replaceBy(thread, publishing), close }
    } catch (failure) {
      close()
      throw failure
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}

type AddedRecords = ReturnType<typeof createAddedRecords>

/** The added records, of which those of an empty zone are published while others are still written. */
function createAddedRecords(begin: () => PublicationAhead | undefined) {
  const lists: ServedRecords[] = []
  let begun: PublicationAhead | undefined
  return { add, complete, drop: () => begun?.drop() }

  async function add(tx: Transaction, { recordCount }: Zone, records: ServedRecords): Promise<void> {
    if (lists.push(records) === 1 && recordCount === 0) begun = begin()
    for (const _ of begun?.add(records) ?? []) await tx.yieldIfDue() // nothing, unless it has begun
  }

  /** @param delta with the added records that were not passed on. @returns it with all of them. */
  async function complete(tx: Transaction, zone: Zone, delta: RecordsDelta): Promise<RecordsDelta> {
    if (delta.isRepair) return delta
    await add(tx, zone, delta.added)
    return { ...delta, added: joinLists(...lists), begun }
  }
}

type FileThread = Thread<ToThread, FromThread>

/** @throws DomainError: what the thread has thrown. @throws the failure that ended the thread. */
async function nextOf(thread: FileThread): Promise<FromThread> {
  const message = await thread.next()
  if (message.kind === 'refused') throw new DomainError(message.issues, message.notices)
  return message
}

const replaceBy =
  (thread: FileThread, publishing: AddedRecords): ReplaceRecords =>
  async (tx, zone, actor, force) => {
    const run = createStatementRunner(tx)
    let change: OpenChangeSet | undefined
    thread.send({ kind: 'replace', zone, at: tx.clock.timestamp(), force })
    for (;;) {
      const message = await nextOf(thread)
      switch (message.kind) {
        case 'begin':
          change = await beginChangeSet(tx, { ...message.header, actor })
          thread.send({ kind: 'begun', position: change.position })
          break
        case 'statements':
          thread.send({ kind: 'results', results: await run(message.statements) })
          break
        case 'added':
          await publishing.add(tx, zone, receiveList(message.added))
          break
        case 'unreadable':
          tx.unreadable.note(...message.note)
          break
        case 'replaced':
          thread.end(new Error('the records of the file have been replaced')) // its memory is used for publication
          change?.addWritten(message.kinds)
          if (message.delta !== undefined)
            change?.carry(await publishing.complete(tx, zone, receiveDelta(message.delta)))
          return message.replaced
        default:
          throw new Error(`a thread that replaces records sent ${message.kind}`)
      }
    }
  }
