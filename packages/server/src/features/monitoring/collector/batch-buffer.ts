// Batches what was reported since the last flush: each resource and violation once, with a count, within
// limits.
import type { CodeDetection, CookieName, Detection } from '../page-shield/index.ts'
import { chunksOf } from '@zonereeve/cooperate'

/** Maximum resources and violations in a batch; further ones are dropped until the next flush. */
export const MAX_BUFFERED = 65_536
export const PAGES_KEPT = 10
/** Maximum entries stored in one transaction. */
const STORED_PER_TRANSACTION = 256
const HASHES_KEPT = 5
/** More than enough to know that it was not one network alone. */
const REPORTERS_KEPT = 4

/** One or more equal reports of a policy violation. */
export interface PolicyViolation {
  readonly zoneId: string
  readonly policyId: string
  /** Time of the last report, ISO 8601. */
  readonly at: string
  readonly count: number
  readonly documentUri: string
  readonly blockedUri: string
  readonly effectiveDirective: string
}

export interface Batch {
  readonly detections: readonly Detection[]
  readonly violations: readonly PolicyViolation[]
  readonly code: readonly CodeDetection[]
  readonly cookies: readonly CookieName[]
}

/** Splits a batch into chunks that are each stored quickly. */
export function inChunks({ detections, violations, code, cookies }: Batch): readonly Batch[] {
  return [
    ...[...chunksOf(detections, STORED_PER_TRANSACTION)].map((some) => ({ ...EMPTY, detections: some })),
    ...[...chunksOf(violations, STORED_PER_TRANSACTION)].map((some) => ({ ...EMPTY, violations: some })),
    ...[...chunksOf(code, STORED_PER_TRANSACTION)].map((some) => ({ ...EMPTY, code: some })),
    ...[...chunksOf(cookies, STORED_PER_TRANSACTION)].map((some) => ({ ...EMPTY, cookies: some })),
  ]
}

export const sizeOf = ({ detections, violations, code, cookies }: Batch): number =>
  detections.length + violations.length + code.length + cookies.length

const EMPTY: Batch = { detections: [], violations: [], code: [], cookies: [] }

/**
 * The detection of one report; `pageUrl` is '' and `pageViews` 0 if it only adds a hash to a known resource.
 */
export interface SingleDetection extends Omit<Detection, 'pageUrls' | 'browserHashes' | 'reporters'> {
  readonly pageUrl: string
  readonly browserHash: string
  /** The network of its sender. */
  readonly reporter: string
}

type Growing<T> = { -readonly [K in keyof T]: T[K] }

interface GrowingDetection extends Growing<Omit<Detection, 'pageUrls' | 'browserHashes' | 'reporters'>> {
  readonly reporters: string[]
  readonly pageUrls: string[]
  readonly browserHashes: string[]
}

/** Equal for all detections of one piece of code on the pages of a zone. */
export const codeKey = ({ kind, host, sample, sourceUrl }: CodeDetection): string =>
  `${kind} ${host} ${sample === '' ? sourceUrl : sample}`

/** Equal for all reports of one name on one page; whether it has changed makes a difference. */
export const cookieKey = ({ zoneId, page, name, isChanged }: CookieName): string =>
  `${zoneId} ${isChanged} ${page.pageUrl} ${name}`

/** Equal for all detections of one resource. */
const keyOf = ({ zoneId, kind, host, url }: Pick<Detection, 'zoneId' | 'kind' | 'host' | 'url'>): string =>
  `${zoneId} ${kind} ${host} ${url}`

export interface BatchBuffer {
  /** @returns false if the batch is full. */
  addDetection(one: SingleDetection): boolean
  /** @returns false if the batch is full. */
  addViolation(one: PolicyViolation): boolean
  /** @returns false if the batch is full. */
  addCode(one: CodeDetection): boolean
  /** @returns false if the batch is full. */
  addCookie(one: CookieName): boolean
  readonly size: number
  /** Returns the batch and starts a new one. */
  take(): Batch
}

export function createBatchBuffer(): BatchBuffer {
  let detections = new Map<string, GrowingDetection>()
  let violations = new Map<string, Growing<PolicyViolation>>()
  let code = new Map<string, Growing<CodeDetection>>()
  let cookies = new Map<string, CookieName>()
  const size = (): number => detections.size + violations.size + code.size + cookies.size
  return {
    addDetection(one) {
      const key = keyOf(one)
      const known = detections.get(key)
      if (known !== undefined) {
        merge(known, one)
        return true
      }
      if (size() >= MAX_BUFFERED) return false
      // Written member by member: object spread takes several times as long, and this runs once per report.
      detections.set(key, {
        zoneId: one.zoneId,
        kind: one.kind,
        host: one.host,
        url: one.url,
        urlHost: one.urlHost,
        hasCdnCgi: one.hasCdnCgi,
        seenAt: one.seenAt,
        pageViews: one.pageViews,
        pageUrls: one.pageUrl === '' ? [] : [one.pageUrl],
        browserHashes: one.browserHash === '' ? [] : [one.browserHash],
        reporters: [one.reporter],
      })
      return true
    },
    addViolation(one) {
      const key = `${one.policyId} ${one.effectiveDirective} ${one.blockedUri} ${one.documentUri}`
      const known = violations.get(key)
      if (known !== undefined) {
        known.count += one.count
        known.at = one.at
        return true
      }
      if (size() >= MAX_BUFFERED) return false
      violations.set(key, { ...one })
      return true
    },
    addCode(one) {
      const key = `${one.zoneId} ${one.pageUrl} ${codeKey(one)}`
      const known = code.get(key)
      if (known !== undefined) {
        known.pageViews += one.pageViews
        return true
      }
      if (size() >= MAX_BUFFERED) return false
      code.set(key, { ...one })
      return true
    },
    addCookie(one) {
      const key = cookieKey(one)
      if (cookies.has(key)) return true
      if (size() >= MAX_BUFFERED) return false
      cookies.set(key, one)
      return true
    },
    get size() {
      return size()
    },
    take() {
      const batch = {
        detections: [...detections.values()],
        violations: [...violations.values()],
        code: [...code.values()],
        cookies: [...cookies.values()],
      }
      detections = new Map()
      violations = new Map()
      code = new Map()
      cookies = new Map()
      return batch
    },
  }
}

function merge(
  known: GrowingDetection,
  { hasCdnCgi, seenAt, pageViews, pageUrl, browserHash, reporter }: SingleDetection,
): void {
  if (known.reporters.length < REPORTERS_KEPT && !known.reporters.includes(reporter))
    known.reporters.push(reporter)
  known.pageViews += pageViews
  known.hasCdnCgi &&= hasCdnCgi
  if (seenAt > known.seenAt) known.seenAt = seenAt
  if (pageUrl !== '' && known.pageUrls[0] !== pageUrl) {
    const at = known.pageUrls.indexOf(pageUrl)
    if (at >= 0) known.pageUrls.splice(at, 1)
    known.pageUrls.unshift(pageUrl)
    known.pageUrls.length = Math.min(known.pageUrls.length, PAGES_KEPT)
  }
  if (
    browserHash !== '' &&
    known.browserHashes.length < HASHES_KEPT &&
    !known.browserHashes.includes(browserHash)
  )
    known.browserHashes.push(browserHash)
}
