// Batches of reports by way of a log: nodes append theirs, and the node that writes stores them, each once: the position
// in the log is stored with the batch.
import { DomainError, type Log } from '@zonereeve/platform'
import { type LogEntry, openReportLog, type ReportLog } from '@zonereeve/report-log'
import type { Storage, Transaction } from '@zonereeve/storage'
import type { Batch } from './batch-buffer.ts'
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
export function openConfiguredLog(
  { reportLog: url, reportLogPassword: password }: ReportLogConfig,
  log: Log,
): ReportLog | undefined {
  if (url === undefined) return undefined
  return openReportLog({
    url,
    password,
    noteFailure: (failure) => log.warn({ err: failure }, 'log of reports does not answer'),
  })
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
}

/** Stores what is in the log until nothing is left. @throws Error: the log or the database does not answer */
export function createStoringFromLog({ reportLog, storage, log, store }: StoringFromLogDeps) {
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
      if (isOfDatabase(failure) || failure instanceof AnotherStores) throw failure
      log.error({ err: failure, position: entry.position }, 'reports of the log not stored: passed over')
      await storage.write((tx) => proceed(tx, entry, before))
    }
  }
}

/** Not of a text that the database cannot have: that would fail again. */
const isOfDatabase = (failure: unknown): boolean =>
  failure instanceof DomainError &&
  failure.issues[0].reason.startsWith('storage.') &&
  failure.issues[0].reason !== 'storage.text'

/** Another node stores what is in the log. */
class AnotherStores extends Error {}

async function proceed(tx: Transaction, { position }: LogEntry, before: string | undefined): Promise<void> {
  if (!tx.isWriter || (await findPosition(tx)) !== before)
    throw new AnotherStores('another node stores reports')
  await savePosition(tx, position)
}
