// Reading the audit log: by account with filters, or all of it for an export.
import { DomainError, formatTimestamp } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import {
  type AuditFilter,
  type AuditPage,
  entriesAfter,
  findEntries,
  type RequestLog,
} from '../../changes/index.ts'

export interface AuditLogsDeps {
  readonly storage: Storage
  readonly requestLog: Pick<RequestLog, 'waitUntilIdle'>
}

/** `since` and `before` are dates or times. */
export interface AuditQuery extends Omit<AuditFilter, 'number'> {
  readonly id?: string | undefined
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?$/i

export type AuditLogs = ReturnType<typeof createAuditLogs>

export function createAuditLogs({ storage, requestLog }: AuditLogsDeps) {
  return { list, linesAfter }

  /** @throws DomainError: audit.time. */
  async function list(accountId: string, { id, since, before, ...others }: AuditQuery, page: AuditPage) {
    const filter = {
      ...others,
      number: id === undefined ? undefined : numberOfId(id),
      since: readTime('since', since),
      before: readTime('before', before),
    }
    // A client finds its own refused requests.
    await requestLog.waitUntilIdle()
    return findEntries(storage.offload, accountId, filter, page)
  }

  async function linesAfter(number: number, limit: number) {
    await requestLog.waitUntilIdle()
    return entriesAfter(storage.offload, number, limit)
  }
}

const ID_DIGITS = 32

/** The id of an entry: its number in hexadecimal. */
export const idOfNumber = (number: number): string => number.toString(16).padStart(ID_DIGITS, '0')

/** @returns a number that no entry has, if no entry can have the id. */
function numberOfId(id: string): number {
  const number = Number.parseInt(id, 16)
  return Number.isSafeInteger(number) ? number : 0
}

function readTime(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const millis = TIME.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(millis))
    throw new DomainError({ reason: 'audit.time', pointer: `/${name}`, values: { name } })
  return formatTimestamp(millis)
}
