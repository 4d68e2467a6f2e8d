// The scanner: fetches, hashes and scores due scripts, a few at a time and one at a time per site, and stores
// the results. Each script is leased, so that no other node processes it.
import { FetchFailed, type SafeFetch } from '@zonereeve/safe-fetch'
import { createHash } from 'node:crypto'
import {
  NO_SCORES,
  type AnalysisEnd,
  type Contents,
  type DueScript,
  type FetchedContent,
  type Validators,
} from '../page-shield/index.ts'
import type { Clock, Log } from '@zonereeve/platform'
import type { Analyser } from './analyser.ts'
import { ANALYSIS_VERSION } from './analysis.ts'
import { decodeScript } from './script-text.ts'
import { mayBeScript } from './script-types.ts'

export interface ScanningLimits {
  /** Concurrent fetches. */
  readonly fetches: number
  readonly maxBytes: number
  readonly totalMillis: number
  readonly idleMillis: number
  /** Pause between two fetches of the same site. */
  readonly siteGapMillis: number
}

/** Five megabytes, which is the scoring limit, and ten seconds. */
export const DEFAULT_SCANNING_LIMITS: ScanningLimits = {
  fetches: 4,
  maxBytes: 5 * 1_048_576,
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
  /** Starts due scripts up to the concurrency limit. Call it about once per second. */
  tick(): Promise<void>
  /** Resolves when no fetch is running. */
  waitUntilIdle(): Promise<void>
  /** Stops running fetches and returns their leases. */
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
  const sites = createSiteRoundRobin(clock, limits.siteGapMillis)
  let filling: Promise<void> = Promise.resolve()

  return { tick, waitUntilIdle, close }

  function tick(): Promise<void> {
    const filled = filling.then(fill)
    filling = filled.catch(() => undefined) // its caller gets the error
    return filled
  }

  async function fill(): Promise<void> {
    const freeFetches = limits.fetches - underway.size
    if (freeFetches <= 0 || stopping.signal.aborted) return
    for (const script of await contents.dueForFetch(freeFetches, sites.busy())) {
      sites.take(script.site)
      const work = begin(script).finally(() => {
        underway.delete(work)
        goOn()
      })
      underway.add(work)
    }
  }

  /** A slot is free: do not wait for the next tick. */
  function goOn(): void {
    tick().catch((error: unknown) => log.error({ err: error }, 'due scripts could not be read'))
  }

  async function waitUntilIdle(): Promise<void> {
    do {
      await Promise.all(underway)
      await filling
    } while (underway.size > 0)
  }

  async function close(): Promise<void> {
    stopping.abort()
    await analyser.close()
    await waitUntilIdle()
  }

  /** Never rejects. */
  async function begin(script: DueScript): Promise<void> {
    const { id, zoneId, site } = script
    try {
      // Leased while the program was stopping.
      if (stopping.signal.aborted) return void (await contents.putOff(zoneId, id, 0))
      try {
        await scan(script)
      } finally {
        sites.giveBack(site)
      }
    } catch (error) {
      await fail(script, error).catch((failure: unknown) =>
        // The lease expires by itself, and the script becomes due again.
        log.error({ err: failure, scriptId: id }, 'script lease could not be returned'),
      )
    }
  }

  async function scan(script: DueScript): Promise<void> {
    const { id, zoneId, url, contentSha256, memory } = script
    const isComparable = memory?.analysis === ANALYSIS_VERSION
    const fetched = await safeFetch.fetch({
      url,
      accept: '*/*', // as browsers send it for scripts
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
    await contents.saveFetch(
      zoneId,
      id,
      await contentOf(script, { body, source, charset: contentType.charset }, sha256, validators),
    )
    log.info({ zoneId, scriptId: id, bytes: body.length }, 'script scanned')
  }

  async function contentOf(
    { host }: DueScript,
    {
      body,
      source,
      charset,
    }: { readonly body: Buffer; readonly source: string; readonly charset: string | null },
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
      source: { bytes: body, charset },
    }
  }

  async function fail({ id, zoneId, url }: DueScript, error: unknown): Promise<void> {
    if (stopping.signal.aborted) return void (await contents.putOff(zoneId, id, 0))
    const problem = error instanceof FetchFailed && error.problem !== 'stopped' ? error.problem : 'failure'
    if (problem === 'failure') log.error({ err: error, scriptId: id, url }, 'scan failed')
    else
      log.info(
        { zoneId, scriptId: id, url, problem, detail: messageOf(error) },
        'script could not be fetched',
      )
    await contents.saveFailure(zoneId, id, problem)
  }
}

const UNREADABLE = 'It could not be parsed as a script: it is compared byte by byte.'

/** A script that stopped an analysis would do it again: it is not reanalyzed until its content changes. */
const ENDS: Readonly<Record<AnalysisEnd, string>> = {
  time: 'Its analysis took too long and was stopped.',
  exit: 'Its analysis ended early, most likely out of memory.',
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Allows one fetch at a time per site, with a pause after it. */
function createSiteRoundRobin(clock: Clock, gapMillis: number) {
  /** Start of a site's next turn; Infinity = a fetch is running. */
  const nextAt = new Map<string, number>()

  return {
    /** Sites with a fetch running or in their pause. */
    busy(): ReadonlySet<string> {
      const now = clock.now()
      for (const [site, at] of nextAt) if (at <= now) nextAt.delete(site)
      return new Set(nextAt.keys())
    },
    take: (site: string) => void nextAt.set(site, Infinity),
    giveBack: (site: string) => void nextAt.set(site, clock.now() + gapMillis),
  }
}
