// Merging a file's record into a stored one, and the limit for how much of a zone one file may change.
import { AUTOMATIC_TTL, FAMILY_OPTIONS, type RecordInput } from './dns-records.rules.ts'

/** The columns of a stored record that a file can set. */
interface StoredValue {
  readonly ttl: number
  readonly proxied: boolean
  readonly settings: Readonly<Record<string, boolean>>
  readonly comment: string | null
}

/**
 * True if the input leaves a record with these columns unchanged. False means that the full record must be compared.
 */
export function isUnchanged(row: StoredValue, input: RecordInput): boolean {
  const { proxied, comment, tags, settings = {}, ttl = AUTOMATIC_TTL } = input
  return (
    tags === undefined &&
    (proxied === undefined || proxied === row.proxied) &&
    (comment === undefined || comment === row.comment) &&
    (row.proxied || ttl === row.ttl) &&
    Object.entries(settings).every(([option, value]) => row.settings[option] === value)
  )
}

/**
 * Merges the input into the stored record: comment, tags, proxied and options are kept where the input does not give
 * them, and content keeps its stored spelling if the value is the same.
 */
export function withWhatStays(input: RecordInput, stored: RecordInput, isSameValue: boolean): RecordInput {
  const proxied = input.proxied ?? stored.proxied
  const settings = Object.entries({ ...stored.settings, ...input.settings })
  // Options of proxied records are dropped when the proxy is turned off.
  const remaining = settings.filter(
    ([option]) => proxied === true || !FAMILY_OPTIONS.some((one) => one === option),
  )
  return {
    ...stored,
    ...(isSameValue ? {} : { content: input.content, priority: input.priority }),
    ttl: input.ttl ?? AUTOMATIC_TTL,
    proxied,
    settings: Object.fromEntries(remaining),
    comment: input.comment ?? stored.comment,
    tags: input.tags ?? stored.tags,
  }
}

/** Zones with fewer records may change completely without confirmation. */
export const MIN_RECORDS_TO_GUARD = 10
/**
 * Percentage of the existing records that may change without confirmation; a larger change is assumed to be a
 * mistake.
 */
export const MAX_SAFE_PERCENT = 30

/** Whether this many changed and removed records need confirmation. */
export const isUnsafe = (records: number, touched: number): boolean =>
  records >= MIN_RECORDS_TO_GUARD && touched * 100 > records * MAX_SAFE_PERCENT
