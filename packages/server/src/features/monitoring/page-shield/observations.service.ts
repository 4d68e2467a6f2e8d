// Records pages and their loads, submitted by a proxy, a crawler or a test with a token. A request with any
// error is rejected as a whole.
import { DomainError, type Issue, parseUrl, throwIfIssues } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { requireZone, type Zone } from '../../zones/index.ts'
import { chunksOf } from '@zonereeve/cooperate'
import { readCookieNames } from './cookies.rules.ts'
import { recordCookies, type CookieSource } from './cookies.service.ts'
import { cutoffsAt, wholeSeconds } from './life-cycle.rules.ts'
import {
  isOfZone,
  readConnection,
  readPage,
  readScript,
  type Page,
  type Resource,
} from './resources.rules.ts'
import { retentionOf, settingsOf } from './settings.store.ts'
import { recordDetections, type RecordingDeps, type Detection } from './detections.service.ts'

/** One page view. */
export interface Observation {
  readonly pageUrl: string
  /** ISO 8601; undefined = now. */
  readonly observedAt: string | undefined
  readonly scripts: readonly string[]
  readonly connections: readonly string[]
  readonly frames: readonly string[]
  readonly setCookies: readonly string[]
  /** Set by scripts, written like a header. */
  readonly scriptCookies: readonly string[]
  readonly cookie: string
}

export interface Observed {
  readonly scripts: number
  readonly connections: number
  readonly frames: number
  readonly cookies: number
  readonly ignored: number
}

export interface ObservationsDeps extends RecordingDeps {
  readonly storage: Storage
}

/** Maximum URLs and cookies per request. */
const MAX_OBSERVED = 2000
/** Maximum resources stored per transaction. */
const STORED_PER_TRANSACTION = 256
const DAY_MILLIS = 86_400_000
/** Tolerance for clock differences. */
const AHEAD_MILLIS = 60_000

export type Observations = ReturnType<typeof createObservations>

export function createObservations({ storage, ...deps }: ObservationsDeps) {
  const { clock } = deps
  let turn: Promise<unknown> = Promise.resolve()
  return { observe }

  /**
   * Stores observations: nothing if any of them is rejected, otherwise chunk by chunk, so that neither the
   * event loop nor other writers wait for long. A failure between chunks (zone deleted, disk full) leaves the
   * earlier chunks stored.
   * @throws DomainError: zone.unknown, request.invalid, page_shield.disabled, page_shield.page_url,
   * page_shield.observed_at, page_shield.url.
   */
  async function observe(zoneId: string, observations: readonly Observation[]): Promise<Observed> {
    throwIfIssues(excess(observations))
    const zone = await requireZone(storage, zoneId)
    const settings = await settingsOf(storage, zone)
    if (!settings.enabled) throw new DomainError({ reason: 'page_shield.disabled' })
    const context = { zone, withPath: settings.useConnectionUrlPath, nowMillis: clock.now() }
    const views = observations.map((one, index) => readObservation(one, `/observations/${index}`, context))
    throwIfIssues(views.flatMap(({ issues }) => issues))
    const seen = views.map((view) => detectionsOf(zoneId, view))
    const scripts = await storeDetections(
      zoneId,
      seen.flatMap((one) => one.scripts),
    )
    const connections = await storeDetections(
      zoneId,
      seen.flatMap((one) => one.connections),
    )
    const frames = await storeDetections(
      zoneId,
      seen.flatMap((one) => one.frames),
    )
    const cookies = await storeCookies(zoneId, views)
    const passedOver = views.reduce((sum, view) => sum + view.passedOver, 0)
    return {
      scripts: scripts.stored,
      connections: connections.stored,
      frames: frames.stored,
      cookies: cookies.stored,
      ignored: passedOver + scripts.ignored + connections.ignored + frames.ignored + cookies.ignored,
    }
  }

  async function storeDetections(
    zoneId: string,
    detections: readonly Detection[],
  ): Promise<ObservationCounts> {
    let total = NOTHING
    for (const part of chunksOf(detections, STORED_PER_TRANSACTION)) {
      total = plus(
        total,
        await storeChunk(zoneId, async (tx) => {
          const { stored = 0, refused = 0 } = (await recordDetections(tx, deps, part)).get(zoneId) ?? {}
          return { stored, ignored: refused }
        }),
      )
    }
    return total
  }

  async function storeCookies(zoneId: string, views: readonly PageView[]): Promise<ObservationCounts> {
    let total = NOTHING
    for (const { page, seenAt, cookies } of views) {
      for (const part of chunksOf(cookies, STORED_PER_TRANSACTION)) {
        total = plus(
          total,
          await storeChunk(zoneId, async (tx, zone) => {
            const { cookiesForgottenBefore } = cutoffsAt(clock.now(), await retentionOf(tx, zoneId))
            const detection = {
              zone,
              page: requirePage(page),
              seenAt,
              forgottenBefore: cookiesForgottenBefore,
            }
            return recordCookies(tx, detection, part)
          }),
        )
      }
    }
    return total
  }

  /**
   * One chunk at a time across all callers: chunks waiting together would be committed as one long
   * transaction.
   */
  function storeChunk(
    zoneId: string,
    store: (tx: Transaction, zone: Zone) => Promise<ObservationCounts>,
  ): Promise<ObservationCounts> {
    const stored = turn.then(() => storage.write(async (tx) => store(tx, await requireZone(tx, zoneId))))
    turn = stored.catch(() => undefined) // its caller gets the error
    return stored
  }
}

interface ObservationCounts {
  readonly stored: number
  readonly ignored: number
}

const NOTHING: ObservationCounts = { stored: 0, ignored: 0 }
const plus = (a: ObservationCounts, b: ObservationCounts): ObservationCounts => ({
  stored: a.stored + b.stored,
  ignored: a.ignored + b.ignored,
})

/** The items beyond the limit of a request, the first of them first. */
function excess(observations: readonly Observation[]): Issue[] {
  let total = 0
  for (const [index, one] of observations.entries()) {
    const { scripts, connections, frames, setCookies, scriptCookies, cookie } = one
    const members = {
      scripts: scripts.length,
      connections: connections.length,
      frames: frames.length,
      set_cookie: setCookies.length,
      script_cookies: scriptCookies.length,
      cookie: readCookieNames(cookie).length,
    }
    for (const [name, count] of Object.entries(members)) {
      total += count
      if (total > MAX_OBSERVED) {
        const problem = `a request has at most ${MAX_OBSERVED} URLs and cookies; send the rest in another request`
        return [{ reason: 'request.invalid', pointer: `/observations/${index}/${name}`, values: { problem } }]
      }
    }
  }
  return []
}

function detectionsOf(zoneId: string, { page, seenAt, scripts, connections, frames }: PageView) {
  const { host, pageUrl } = requirePage(page)
  const detection = (kind: Detection['kind']) => (resource: Resource) => ({
    zoneId,
    kind,
    host,
    ...resource,
    pageUrls: [pageUrl],
    seenAt,
    pageViews: 1,
    browserHashes: [],
    reporters: null,
  })
  return {
    scripts: scripts.map(detection('script')),
    connections: connections.map(detection('connection')),
    frames: frames.map(detection('frame')),
  }
}

function requirePage(page: Page | undefined): Page {
  if (page === undefined) throw new Error('a rejected page is stored')
  return page
}

/** Deduplicates: a resource loaded twice by a page counts once per view. */
function eachOnce(resources: readonly (Resource | undefined)[]): readonly Resource[] {
  const found = new Map<string, Resource>()
  for (const one of resources) {
    if (one === undefined) continue
    const known = found.get(one.url)
    found.set(one.url, { ...one, hasCdnCgi: one.hasCdnCgi && known?.hasCdnCgi !== false })
  }
  return [...found.values()]
}

interface PageView {
  /** undefined if rejected. */
  readonly page: Page | undefined
  readonly seenAt: string
  readonly scripts: readonly Resource[]
  readonly connections: readonly Resource[]
  readonly frames: readonly Resource[]
  /** URLs that the inventory does not track. */
  readonly passedOver: number
  /** Set-Cookie headers, and names of cookies that were sent. */
  readonly cookies: readonly CookieSource[]
  readonly issues: readonly Issue[]
}

interface ObservationContext {
  readonly zone: Zone
  readonly withPath: boolean
  readonly nowMillis: number
}

function readObservation(
  observation: Observation,
  at: string,
  { zone, withPath, nowMillis }: ObservationContext,
): PageView {
  const page = readPage(observation.pageUrl)
  const isOwn = page !== undefined && isOfZone(page.host, zone.name)
  const millis = observation.observedAt === undefined ? nowMillis : Date.parse(observation.observedAt)
  const isTimely = millis >= nowMillis - DAY_MILLIS && millis <= nowMillis + AHEAD_MILLIS
  const { scripts, connections, frames, setCookies, scriptCookies, cookie } = observation
  const found = {
    scripts: scripts.map(readScript),
    connections: connections.map((url) => readConnection(url, withPath)),
    frames: frames.map((url) => readConnection(url, withPath)),
  }
  const values = { zone: zone.name }
  return {
    page: isOwn ? page : undefined,
    seenAt: wholeSeconds(isTimely ? millis : nowMillis),
    scripts: eachOnce(found.scripts),
    connections: eachOnce(found.connections),
    frames: eachOnce(found.frames),
    passedOver: [...found.scripts, ...found.connections, ...found.frames].filter((one) => one === undefined)
      .length,
    cookies: [
      ...setCookies.map((header) => ({ kind: 'set', header, setBy: 'response' }) as const),
      ...scriptCookies.map((header) => ({ kind: 'set', header, setBy: 'script' }) as const),
      ...readCookieNames(cookie).map((name) => ({ kind: 'sent', name }) as const),
    ],
    issues: [
      ...(isOwn ? [] : [{ reason: 'page_shield.page_url', pointer: `${at}/page_url`, values } as const]),
      ...(isTimely ? [] : [{ reason: 'page_shield.observed_at', pointer: `${at}/observed_at` } as const]),
      ...urlIssues(scripts, `${at}/scripts`),
      ...urlIssues(connections, `${at}/connections`),
      ...urlIssues(frames, `${at}/frames`),
    ],
  }
}

const urlIssues = (urls: readonly string[], at: string): Issue[] =>
  urls.flatMap((url, index) =>
    parseUrl(url) !== undefined
      ? []
      : [{ reason: 'page_shield.url', pointer: `${at}/${index}`, values: { url } } as const],
  )
