// Rules of a zone's SOA: bounds of each time, and relations between them (specification §2.2, SOA fields).
import type { Issue } from '@zonereeve/platform'
import { readHostName, type SoaSettings } from '../../zones/index.ts'
import { readMailbox } from './mailbox.rules.ts'

/** undefined = not given. */
export type SoaPatch = { readonly [Member in keyof SoaSettings]: SoaSettings[Member] | undefined }

interface Bounds {
  readonly minimum: number
  readonly maximum: number
}

export type SoaBounds = Readonly<Record<'refresh' | 'retry' | 'expire' | 'minimumTtl' | 'ttl', Bounds>>

export interface SoaNames {
  readonly mname: string
  readonly rname: string
}

export interface SoaContext {
  readonly bounds: SoaBounds
  /** JSON pointer to the SOA within the body. */
  readonly at: string
  /** Names that replies show where none is set: sent back, they set none. */
  readonly defaults: SoaNames
}

/** Merges a patch into an SOA. @returns the new SOA, and every rule that it breaks. */
export function patchSoa(
  before: SoaSettings,
  patch: SoaPatch,
  { bounds, at, defaults }: SoaContext,
): { readonly soa: SoaSettings; readonly issues: readonly Issue[] } {
  const mname = readMname(patch.mname, `${at}/mname`, defaults.mname)
  const rname = readRname(patch.rname, `${at}/rname`, defaults.rname)
  const soa: SoaSettings = {
    mname: mname.name === undefined ? before.mname : mname.name,
    rname: rname.name === undefined ? before.rname : rname.name,
    refreshSeconds: patch.refreshSeconds ?? before.refreshSeconds,
    retrySeconds: patch.retrySeconds ?? before.retrySeconds,
    expireSeconds: patch.expireSeconds ?? before.expireSeconds,
    minimumTtlSeconds: patch.minimumTtlSeconds ?? before.minimumTtlSeconds,
    ttlSeconds: patch.ttlSeconds ?? before.ttlSeconds,
  }
  const ranges = [
    ...rangeIssues(patch.refreshSeconds, bounds.refresh, at, 'refresh'),
    ...rangeIssues(patch.retrySeconds, bounds.retry, at, 'retry'),
    ...rangeIssues(patch.expireSeconds, bounds.expire, at, 'expire'),
    ...rangeIssues(patch.minimumTtlSeconds, bounds.minimumTtl, at, 'min_ttl'),
    ...rangeIssues(patch.ttlSeconds, bounds.ttl, at, 'ttl'),
  ]
  // A time outside its own bounds is reported only once.
  const relations = relationIssues(soa, patch, at).filter(
    ({ pointer }) => !ranges.some((range) => range.pointer === pointer),
  )
  return { soa, issues: [...mname.issues, ...rname.issues, ...ranges, ...relations] }
}

/** The issue of a time outside its bounds, if any. `at` is the pointer to the parent of `member`. */
export function rangeIssues(
  value: number | undefined,
  { minimum, maximum }: Bounds,
  at: string,
  member: string,
): Issue[] {
  if (value === undefined || (value >= minimum && value <= maximum)) return []
  const values = { member, minimum, maximum }
  return [{ reason: 'dns_settings.range', pointer: `${at}/${member}`, values }]
}

interface ReadName {
  /** undefined = unchanged. */
  readonly name: string | null | undefined
  readonly issues: readonly Issue[]
}

const STAYS: ReadName = { name: undefined, issues: [] }
const NO_NAME: ReadName = { name: null, issues: [] }

function readMname(text: string | null | undefined, pointer: string, unset: string): ReadName {
  if (text === undefined) return STAYS
  if (text === null || text === unset) return NO_NAME
  const name = readHostName(text)
  if (name !== undefined) return name === unset ? NO_NAME : { name, issues: [] }
  return { name, issues: [{ reason: 'dns_settings.mname', pointer, values: { value: text } }] }
}

function readRname(text: string | null | undefined, pointer: string, unset: string): ReadName {
  if (text === undefined) return STAYS
  if (text === null || text === unset) return NO_NAME
  const read = readMailbox(text)
  if ('name' in read) return read.name === unset ? NO_NAME : { name: read.name, issues: [] }
  const values = { value: text, problem: read.problem }
  return { name: undefined, issues: [{ reason: 'dns_settings.rname', pointer, values }] }
}

/** retry ≤ refresh ≤ expire, reported at the member that was sent. */
function relationIssues(after: SoaSettings, patch: SoaPatch, at: string): Issue[] {
  const issues: Issue[] = []
  const { refreshSeconds: refresh, retrySeconds: retry, expireSeconds: expire } = after
  const refreshSent = patch.refreshSeconds !== undefined
  const retrySent = patch.retrySeconds !== undefined
  const expireSent = patch.expireSeconds !== undefined
  if (retry > refresh && (retrySent || refreshSent)) {
    const pointer = `${at}/${retrySent ? 'retry' : 'refresh'}`
    issues.push({ reason: 'dns_settings.retry_above_refresh', pointer, values: { retry, refresh } })
  }
  if (expire < refresh && (expireSent || refreshSent)) {
    const pointer = `${at}/${expireSent ? 'expire' : 'refresh'}`
    issues.push({ reason: 'dns_settings.expire_below_refresh', pointer, values: { expire, refresh } })
  }
  return issues
}
