// Watched pages: what one is, what is compared, and which events a difference causes.
import { backoffMillis } from '@zonereeve/cooperate'
import { hash } from 'node:crypto'
import type { ServedHeader } from '@zonereeve/csp'
import type { FetchProblem } from '@zonereeve/platform'
import type { PageScript } from '@zonereeve/script-analysis'
import { isOfZone, readScript, type EventKind } from '../page-shield/index.ts'

export const MAX_WATCHED_PAGES = 50
/** Kept for each page and source. */
export const MAX_SNAPSHOTS = 100
/** The URL of a page must not be longer. */
const MAX_SCRIPT_URL_CHARACTERS = 2048
/** Three hashes, as pages have them, are shorter. Pages choose its length. */
const MAX_INTEGRITY_CHARACTERS = 512
const SAMPLE_CHARACTERS = 40

export interface WatchedPage {
  readonly id: string
  readonly zoneId: string
  readonly url: string
  readonly intervalMinutes: number
  readonly createdOn: string
  readonly checkedAt: string | null
  readonly nextCheckAt: string
  readonly failures: number
  /** `failure`: an error of this server; `browser`: the scan. */
  readonly problem: FetchProblem | 'failure' | 'browser' | null
  /** A browser opens it at each check, too. */
  readonly isScanned: boolean
}

/** A script in the HTML of a page, as it is compared. */
export interface ServedScript {
  readonly kind: PageScript['kind']
  readonly url: string | null
  readonly integrity: string | null
  readonly hash: string | null
  readonly sample: string | null
}

export interface Snapshot {
  readonly zoneId: string
  readonly pageId: string
  readonly source: 'fetch' | 'edge' | 'scan'
  readonly finalUrl: string
  readonly headers: readonly ServedHeader[]
  /** null = not known. */
  readonly scripts: readonly ServedScript[] | null
  readonly omittedScripts: number
  readonly missingPolicies: readonly string[]
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

/** A page must be on a host of the zone. @returns undefined if it is not. */
export function readPageUrl(text: string, zoneName: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isPlain || !isOfZone(url.hostname, zoneName)) return undefined
  url.hash = ''
  return url.href
}

export function toServedScript(script: PageScript): ServedScript {
  if (script.kind === 'external') {
    const steady = readScript(script.url)?.url
    const url = (steady === undefined ? script.url : steady).slice(0, MAX_SCRIPT_URL_CHARACTERS)
    const integrity = script.integrity?.slice(0, MAX_INTEGRITY_CHARACTERS) ?? null // none
    return { kind: 'external', url, integrity, hash: null, sample: null }
  }
  return {
    kind: script.kind,
    url: null,
    integrity: null,
    hash: `sha256-${hash('sha256', script.text, 'base64')}`,
    sample: script.text.trim().slice(0, SAMPLE_CHARACTERS),
  }
}

/** The same script twice, or at another place, is no difference. */
export const sortScripts = (scripts: readonly ServedScript[]): readonly ServedScript[] =>
  [...new Map(scripts.map((script) => [JSON.stringify(script), script]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, script]) => script)

export interface ScriptChanges {
  readonly added: readonly ServedScript[]
  readonly removed: readonly ServedScript[]
}

export function scriptChanges(before: Snapshot['scripts'], after: Snapshot['scripts']): ScriptChanges {
  if (before === null || after === null) return { added: [], removed: [] }
  const without = (all: readonly ServedScript[], others: readonly ServedScript[]) => {
    const known = new Set(others.map((script) => JSON.stringify(script)))
    return all.filter((script) => !known.has(JSON.stringify(script)))
  }
  return { added: without(after, before), removed: without(before, after) }
}

export interface PageEvent {
  readonly kind: EventKind
  readonly previousHash: string | null
  readonly hash: string | null
}

/** @param before undefined for the first snapshot, with which there is nothing to compare. */
export function eventsOf(before: Snapshot | undefined, after: Snapshot): readonly PageEvent[] {
  const changeEvent = (kind: EventKind, of: (snapshot: Snapshot) => unknown): PageEvent[] => {
    if (before === undefined) return []
    const [previousHash, now] = [digest(of(before)), digest(of(after))]
    return previousHash === now ? [] : [{ kind, previousHash, hash: now }]
  }
  const missing = (snapshot: Snapshot | undefined) =>
    snapshot === undefined || snapshot.missingPolicies.length === 0 ? null : digest(snapshot.missingPolicies)
  const isDrift = missing(after) !== null && missing(after) !== missing(before)
  return [
    ...changeEvent('page.headers_changed', ({ headers, finalUrl }) => [headers, finalUrl]),
    ...changeEvent('page.scripts_changed', ({ scripts, omittedScripts }) => [scripts, omittedScripts]),
    ...(isDrift
      ? [{ kind: 'page.policy_drift' as const, previousHash: missing(before), hash: missing(after) }]
      : []),
  ]
}

/** Whether the page is as it was. */
export const isSame = (before: Snapshot, after: Snapshot): boolean => identityOf(before) === identityOf(after)

const identityOf = ({ finalUrl, headers, scripts, omittedScripts, missingPolicies }: Snapshot): string =>
  digest([finalUrl, headers, scripts, omittedScripts, missingPolicies])

const digest = (value: unknown): string => hash('sha256', JSON.stringify(value), 'hex')

/** An event is worth it when a page has failed this often in a row. */
export const FAILURES_OF_EVENT = 3
const FIRST_RETRY_MILLIS = 5 * 60_000
const DAY_MILLIS = 24 * 3_600_000

/** Five minutes, ten, and so on up to a day, but not later than the next check. */
export const retryMillis = (failures: number, intervalMinutes: number): number =>
  Math.min(backoffMillis(failures, FIRST_RETRY_MILLIS, DAY_MILLIS), intervalMinutes * 60_000)
