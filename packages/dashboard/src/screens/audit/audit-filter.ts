// The filter of the audit log: what the URL says, `q=actor:anna@example.com action:session.create`, as the server is asked.
import type { AuditFilter } from '../../api/audit.ts'
import { parseTerms, type Grammar } from '../../parts/terms.ts'

/** Fields by the names in the URL, with their names in the API. */
const PARAMETERS = {
  actor: 'actor.email',
  action: 'action.type',
  address: 'actor.ip',
  zone: 'zone.name',
} as const

export type AuditField = keyof typeof PARAMETERS

export const AUDIT_GRAMMAR: Grammar<AuditField> = {
  // One for each parameter.
  fields: Object.keys(PARAMETERS) as AuditField[],
  negatable: [],
}

export interface AuditSearch {
  readonly q?: string | undefined
  /** Days in the reader's zone, `2026-11-23`; both are part of the range. */
  readonly since?: string | undefined
  readonly before?: string | undefined
}

/** The server compares whole values. A word alone is an actor. Days that mean nothing are left out. */
export function readAuditFilter({ q = '', since, before }: AuditSearch): AuditFilter {
  const { terms, words } = parseTerms(q, AUDIT_GRAMMAR)
  const asked = terms.map(({ field, value }) => [PARAMETERS[field], value])
  return {
    ...(words === '' ? {} : { 'actor.email': words }),
    ...Object.fromEntries(asked),
    ...timeIn('since', since, 0),
    ...timeIn('before', before, 1),
  }
}

export const isFiltered = (search: AuditSearch): boolean => Object.keys(readAuditFilter(search)).length > 0

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Midnight at the beginning of the day, or `daysLater`. */
function timeIn(member: 'since' | 'before', day: string | undefined, daysLater: number): AuditFilter {
  const [, year, month, date] = DAY.exec(day ?? 'none') ?? [] // no day, no limit
  if (year === undefined) return {}
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater)
  return Number.isNaN(at.getTime()) ? {} : { [member]: at.toISOString() }
}
