// The work of the scanner: scripts whose time has come are fetched, hashed and scored, a few at a time, one at a time of
// each site, and what comes of it is kept. A lease holds each of them, so that nobody else does the same.
import { createHash } from 'node:crypto'
import {
  NO_SCORES,
  type AnalysisEnd,
  type Contents,
  type DueScript,
  type FetchedContent,
  type Validators,
} from '../features/page-shield/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Analyser } from './analyser.ts'
import { ANALYSIS_VERSION } from './analysis.ts'
import { FetchFailed, type SafeFetch } from './safe-fetch.ts'
import { decodeScript } from './script-text.ts'
import { mayBeScript } from './script-types.ts'

export interface ScanningLimits {
  /** Scripts under way at the same time. */
  readonly fetches: number
  readonly maxBytes: number
  readonly totalMillis: number
  readonly idleMillis: number
  /** Between the end of a fetch and the next one of the same site. */
  readonly siteGapMillis: number
}

/** A megabyte, and ten seconds, as the public product's sheet proposes for what strangers name. */
export const DEFAULT_SCANNING_LIMITS: ScanningLimits = {
  fetches: 4,
  maxBytes: 1_048_576,
  totalMillis: 10_000,
  idleMillis: 5000,
  siteGapMillis: 1000,
}

export interface ScanningDeps {
  readonly contents: Contents
  readonly safeFetch: SafeFetch
  readonly analyser: Analyser
  readonly clock: Clock
  readonly log: Log
  readonly limits: ScanningLimits
}

export interface Scanning {
  /** Begins with what is due, as far as there is room. To be called every second or so. */
  tick(): Promise<void>
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
  /** Ends what is under way, and gives its leases back. */
  close(): Promise<void>
}

export function createScanning({
  contents,
  safeFetch,
  analyser,
  clock,
  log,
  limits,
}: ScanningDeps): Scanning {
  const stopping = new AbortController()
  const underway = new Set<Promise<void>>()
  const sites = createSiteTurns(clock, limits.siteGapMillis)
  let filling: Promise<void> = Promise.resolve()

  return { tick, settled, close }

  function tick(): Promise<void> {
    const filled = filling.then(fill)
    filling = filled.catch(() => undefined) // its caller is told
    return filled
  }

  async function fill(): Promise<void> {
    const room = limits.fetches - underway.size
    if (room <= 0 || stopping.signal.aborted) return
    for (const script of await contents.dueForFetch(room, sites.busy())) {
      sites.take(script.site)
      const work = begin(script).finally(() => {
        underway.delete(work)
        goOn()
      })
      underway.add(work)
    }
  }

  /** There is room again: what waits need not wait for the next tick. */
  function goOn(): void {
    tick().catch((error: unknown) => log.error({ err: error }, 'due scripts not found'))
  }

  async function settled(): Promise<void> {
    do {
      await Promise.all(underway)
      await filling
    } while (underway.size > 0)
  }

  async function close(): Promise<void> {
    stopping.abort()
    await analyser.close()
    await settled()
  }

  /** Never rejects. */
  async function begin(script: DueScript): Promise<void> {
    const { id, zoneId, site } = script
    try {
      // Those that were leased as the program was asked to stop.
      if (stopping.signal.aborted) return void (await contents.putOff(zoneId, id, 0))
      try {
        await scan(script)
      } finally {
        sites.giveBack(site)
      }
    } catch (error) {
      await fail(script, error).catch((failure: unknown) =>
        // The lease ends by itself, and the script is due again.
        log.error({ err: failure, scriptId: id }, 'script not put off'),
      )
    }
  }

  async function scan(script: DueScript): Promise<void> {
    const { id, zoneId, url, contentSha256, memory } = script
    const isComparable = memory?.analysis === ANALYSIS_VERSION
    const fetched = await safeFetch.fetch({
      url,
      accept: '*/*', // what browsers send for a script
      ...limits,
      validators: isComparable ? memory.validators : null,
      isWanted: mayBeScript,
      signal: stopping.signal,
    })
    if (fetched.kind === 'unchanged') return void (await contents.saveUnchanged(zoneId, id))
    const { body, validators, contentType } = fetched
    const sha256 = createHash('sha256').update(body).digest('hex')
    if (isComparable && sha256 === contentSha256)
      return void (await contents.saveUnchanged(zoneId, id, validators))
    const source = decodeScript(body, contentType.charset)
    await contents.saveFetch(zoneId, id, await contentOf(script, { body, source }, sha256, validators))
    log.info({ zoneId, scriptId: id, bytes: body.length }, 'script scanned')
  }

  async function contentOf(
    { host }: DueScript,
    { body, source }: { readonly body: Buffer; readonly source: string },
    contentSha256: string,
    validators: Validators | null,
  ): Promise<FetchedContent> {
    const analysed = await analyser.analyse({ source, ownHosts: [host] })
    const sri = `sha384-${createHash('sha384').update(body).digest('base64')}`
    const { structureHash } = analysed
    const isWhole = analysed.kind === 'analysed'
    const { scores, unscored, reasons } = isWhole
      ? analysed.verdict
      : { scores: null, unscored: null, reasons: [ENDS[analysed.end]] }
    const ended = isWhole ? null : analysed.end
    return {
      contentSha256,
      sri,
      memory: { analysis: ANALYSIS_VERSION, ended, unscored, validators },
      hash: structureHash ?? contentSha256,
      scores: scores ?? NO_SCORES,
      reasons: structureHash === null ? [UNREADABLE, ...reasons] : reasons,
    }
  }

  async function fail({ id, zoneId, url }: DueScript, error: unknown): Promise<void> {
    if (stopping.signal.aborted) return void (await contents.putOff(zoneId, id, 0))
    const problem = error instanceof FetchFailed && error.problem !== 'stopped' ? error.problem : 'failure'
    if (problem === 'failure') log.error({ err: error, scriptId: id, url }, 'scan failed')
    else log.info({ zoneId, scriptId: id, url, problem, detail: messageOf(error) }, 'script not fetched')
    await contents.saveFailure(zoneId, id, problem)
  }
}

const UNREADABLE = 'It could not be read as a script: it is compared octet by octet.'

/** A script that did it once does it again: it is not analysed anew before its content is another. */
const ENDS: Readonly<Record<AnalysisEnd, string>> = {
  time: 'Its analysis took too long and was ended.',
  exit: 'Its analysis ended early, of memory most likely.',
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** One fetch at a time of each site, with a pause after it. */
function createSiteTurns(clock: Clock, gapMillis: number) {
  /** When a site's next turn is; Infinity = it has one. */
  const nextAt = new Map<string, number>()

  return {
    /** Those that have a turn, or just had one. */
    busy(): ReadonlySet<string> {
      const now = clock.now()
      for (const [site, at] of nextAt) if (at <= now) nextAt.delete(site)
      return new Set(nextAt.keys())
    },
    take: (site: string) => void nextAt.set(site, Infinity),
    giveBack: (site: string) => void nextAt.set(site, clock.now() + gapMillis),
  }
}
