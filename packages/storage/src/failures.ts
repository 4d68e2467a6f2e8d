// Maps database failures to domain errors, so that clients get the reason instead of "internal error".
import { DomainError, type ErrorCode } from '@zonereeve/platform'

/** Primary result codes of SQLite (sqlite.org/rescode.html) for disk and file errors. */
const REASONS: Readonly<Record<number, ErrorCode>> = {
  8: 'storage.unwritable', // READONLY
  10: 'storage.unwritable', // IOERR
  11: 'storage.damaged', // CORRUPT
  13: 'storage.full', // FULL
  14: 'storage.unwritable', // CANTOPEN
  26: 'storage.damaged', // NOTADB
}
/** IOERR_SHMSIZE: the file system has no space for the WAL index. */
const NO_SPACE_FOR_INDEX = 4_874
const RESTORE = 'restore a backup'
const SYSTEM_REASONS: Readonly<Record<string, ErrorCode>> = {
  EACCES: 'storage.unwritable',
  EDQUOT: 'storage.full',
  EIO: 'storage.unwritable',
  ENOSPC: 'storage.full',
  EPERM: 'storage.unwritable',
  EROFS: 'storage.unwritable',
}

/** Returns a DomainError for a disk or file error, and any other failure unchanged. */
export function storageFailure(failure: unknown): unknown {
  const reason = failure instanceof DomainError ? undefined : reasonOf(failure)
  if (reason === undefined) return failure
  const problem = failure instanceof Error ? failure.message : String(failure)
  return Object.assign(new DomainError({ reason, values: { problem, remedy: RESTORE } }), { cause: failure })
}

/** Whether the failure can resolve without a repair of the database: no space, or no write permission. */
export function isTemporary(failure: unknown): boolean {
  const reason = reasonOf(failure)
  return reason === 'storage.full' || reason === 'storage.unwritable'
}

interface DriverFailure {
  readonly code?: string
  readonly errcode?: number
  readonly sqliteExtendedCode?: number
}

function reasonOf(failure: unknown): ErrorCode | undefined {
  if (failure instanceof DomainError) return failure.issues[0].reason
  if (!(failure instanceof Error)) return undefined
  // Members of system errors, of node:sqlite, and of its replacement on older Node versions.
  const { code, errcode, sqliteExtendedCode } = failure as Error & DriverFailure // as above
  const extended = sqliteExtendedCode ?? errcode
  if (extended === NO_SPACE_FOR_INDEX) return 'storage.full'
  if (extended !== undefined) return REASONS[extended & 0xff]
  // Code that adds a path to the message keeps the original failure as cause.
  return code === undefined ? reasonOf(failure.cause) : SYSTEM_REASONS[code]
}

/** Whether a write failed only because the disk is full or read-only. */
export const isUnwritable = (failure: unknown): boolean =>
  failure instanceof DomainError && isTemporary(failure)

/** @throws DomainError: storage.damaged. */
export function throwDamagedRow(row: string, remedy = RESTORE): never {
  throw new DomainError({
    reason: 'storage.damaged',
    values: { problem: `${row} has changed since it was stored`, remedy },
  })
}
