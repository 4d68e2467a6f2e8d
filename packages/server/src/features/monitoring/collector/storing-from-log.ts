// Batches of reports by way of a log: nodes append theirs, and the node that writes stores them, each once: the position
// in the log is stored with the batch.
import { createOutageNotes, DomainError, type ErrorCode, type Log } from '@zonereeve/platform'
import type { LogEntry, ReportLog } from '@zonereeve/report-log'
import type { Storage, Transaction } from '@zonereeve/storage'
import { sizeOf, type Batch } from './batch-buffer.ts'
import type { NotStored } from './collector.ts'
import { findPosition, savePosition } from './report-log-position.store.ts'

/**
 * What is not stored for lack of room or budget is known only later: its next report within ten minutes is passed over.
 *
 * @returns that everything is stored
 */
export async function appendBatch(
  reportLog: ReportLog,
  batch: Batch,
): Promise<ReadonlyMap<string, NotStored>> {
  await reportLog.append(JSON.stringify(batch))
  const all = [...batch.detections, ...batch.violations, ...batch.code, ...batch.cookies]
  return new Map(all.map(({ zoneId }) => [zoneId, { refused: 0, unmatched: 0, overBudget: 0 }]))
}

/** @returns undefined if none is configured */
export async function openConfiguredLog(
  { reportLog: url, reportLogPassword: password }: ReportLogConfig,
  log: Log,
): Promise<ReportLog | undefined> {
  if (url === undefined) return undefined
  // Its client is as large as the rest of a start, and most servers have no log.
  const { openReportLog } = await import('@zonereeve/report-log')
  const notes = createOutageNotes(log, 'log of reports does not answer', 'log of reports answers again')
  return openReportLog({ url, password, noteFailure: notes.failed, noteConnected: notes.worked })
}

interface ReportLogConfig {
  readonly reportLog: string | undefined
  readonly reportLogPassword: string | undefined
}

export interface StoringFromLogDeps {
  readonly reportLog: ReportLog
  readonly storage: Storage
  readonly log: Log
  readonly store: (tx: Transaction, batch: Batch) => Promise<unknown>
  /** Called for an entry that cannot be stored. @param reports how many it has, at least. */
  readonly noteLost: (reports: number) => void
}

/** Stores what is in the log until nothing is left. @throws Error: the log or the database does not answer */
export function createStoringFromLog({ reportLog, storage, log, store, noteLost }: StoringFromLogDeps) {
  return async (signal: AbortSignal): Promise<void> => {
    let position = await findPosition(storage)
    for (let entries = await reportLog.read(position); entries.length > 0 && !signal.aborted;) {
      for (const entry of entries) {
        await storeEntry(entry, position)
        position = entry.position
        if (signal.aborted) break
      }
      // Also after a kill before it: what is stored is read no more.
      if (position !== undefined) await reportLog.forget(position)
      entries = await reportLog.read(position)
    }
  }

  async function storeEntry(entry: LogEntry, before: string | undefined): Promise<void> {
    try {
      await storage.write(async (tx) => {
        await proceed(tx, entry, before)
        await store(tx, JSON.parse(entry.text) as Batch) // as appended
      })
    } catch (failure) {
      if (isOfWholeDatabase(failure) || failure instanceof AnotherStores) throw failure
      log.error({ err: failure, position: entry.position }, 'reports of the log not stored: passed over')
      await storage.write((tx) => proceed(tx, entry, before))
      noteLost(sizeOfText(entry.text))
    }
  }
}

/** Entries wait while it lasts. Others would fail again: a text that the database cannot have, a damaged row of a zone. */
const OF_WHOLE_DATABASE: ReadonlySet<ErrorCode> = new Set([
  'storage.unavailable',
  'storage.full',
  'storage.unwritable',
  'storage.damaged',
])

const isOfWholeDatabase = (failure: unknown): boolean =>
  failure instanceof DomainError && OF_WHOLE_DATABASE.has(failure.issues[0].reason)

function sizeOfText(text: string): number {
  try {
    return sizeOf(JSON.parse(text) as Batch) // as appended
  } catch {
    return 1 // not as appended
  }
}

/** Another node stores what is in the log. */
class AnotherStores extends Error {}

async function proceed(tx: Transaction, { position }: LogEntry, before: string | undefined): Promise<void> {
  if (!tx.isWriter || (await findPosition(tx)) !== before)
    throw new AnotherStores('another node stores reports')
  await savePosition(tx, position)
}
