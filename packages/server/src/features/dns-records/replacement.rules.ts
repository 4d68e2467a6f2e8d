// What stays of a record when a file names it again, and how much of a zone one file may touch.
import { AUTOMATIC_TTL, FAMILY_OPTIONS, type RecordInput } from './dns-records.rules.ts'

/** The columns of a stored record that a file can speak of. */
interface StoredValue {
  readonly ttl: number
  readonly proxied: boolean
  readonly settings: Readonly<Record<string, boolean>>
  readonly comment: string | null
}

/** True where the input leaves a record of this value as it is. False where a closer look is needed. */
export function saysNothingNew(row: StoredValue, input: RecordInput): boolean {
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
 * The input laid over the stored record: comment, tags, proxied and options stay where it does not speak of them, and
 * content is kept as it was once written where the value is the same.
 */
export function withWhatStays(input: RecordInput, stored: RecordInput, isSameValue: boolean): RecordInput {
  const proxied = input.proxied ?? stored.proxied
  const settings = Object.entries({ ...stored.settings, ...input.settings })
  // Options of proxied records end with that.
  const kept = settings.filter(
    ([option]) => proxied === true || !FAMILY_OPTIONS.some((one) => one === option),
  )
  return {
    ...stored,
    ...(isSameValue ? {} : { content: input.content, priority: input.priority }),
    ttl: input.ttl ?? AUTOMATIC_TTL,
    proxied,
    settings: Object.fromEntries(kept),
    comment: input.comment ?? stored.comment,
    tags: input.tags ?? stored.tags,
  }
}

/** Zones with fewer records may change as a whole. */
export const MIN_RECORDS_TO_GUARD = 10
/** Of the records that there are; more is taken for a mistake. */
export const MAX_SAFE_PERCENT = 30

/** Whether so many changed and removed records need to be confirmed. */
export const isUnsafe = (records: number, touched: number): boolean =>
  records >= MIN_RECORDS_TO_GUARD && touched * 100 > records * MAX_SAFE_PERCENT
