// The filter of the history: what the URL says, as the server is asked.
import type { ChangeFilter } from '../../api/history.ts'

/** Kinds to choose from, by their value in the URL. */
export const CHANGE_KINDS = [
  'dns_record.create',
  'dns_record.update',
  'dns_record.delete',
  'dns_settings',
  'dnssec',
  'zone',
] as const

export interface HistorySearch {
  readonly q?: string | undefined
  readonly actor?: string | undefined
  readonly kind?: string | undefined
  /** Days in the reader's zone, `2026-11-23`; both are part of the range. */
  readonly since?: string | undefined
  readonly before?: string | undefined
}

/** Values that mean nothing are left out, as if the URL did not have them. */
export function readHistoryFilter({ q, actor, kind, since, before }: HistorySearch): ChangeFilter {
  return {
    ...textIn('name', q),
    ...textIn('actor', actor),
    ...(kind !== undefined && CHANGE_KINDS.some((known) => known === kind) ? { kind } : {}),
    ...timeIn('since', since, 0),
    ...timeIn('before', before, 1),
  }
}

export const isFiltered = (search: HistorySearch): boolean =>
  Object.keys(readHistoryFilter(search)).length > 0

function textIn(member: 'name' | 'actor', value: string | undefined): ChangeFilter {
  const trimmed = value?.trim()
  return trimmed === undefined || trimmed === '' ? {} : { [member]: trimmed }
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Midnight at the beginning of the day, or `daysLater`. */
function timeIn(member: 'since' | 'before', day: string | undefined, daysLater: number): ChangeFilter {
  const [, year, month, date] = DAY.exec(day ?? 'none') ?? [] // no day, no limit
  if (year === undefined) return {}
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater)
  return Number.isNaN(at.getTime()) ? {} : { [member]: at.toISOString() }
}
