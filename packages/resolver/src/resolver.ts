// Answers for names outside our zones, always at once: from the cache, while queries run in the background.
//
// An answer is cached for its TTL and refreshed before it expires if the name is watched. While there is no newer one
// it is used beyond its TTL (RFC 8767). There is at most one query per name at a time.
import { setMaxListeners } from 'node:events'
import { Semaphore } from '@zonereeve/cooperate'
import type { Name } from '@zonereeve/dns'
import type { Answer } from './answer.ts'
import { NoAnswer } from './query.ts'
import type { ResolverLimits } from './limits.ts'
import type { Ask } from './stub.ts'

/** The cached state: an answer, a failure, or nothing yet. */
export type Resolution = (Answer & { readonly kind: 'answer' }) | { readonly kind: 'failed' | 'pending' }

export interface Resolver {
  /** Returns the cached state. Starts a query in the background if there is none or it is too old. */
  peek(name: Name, type: number): Resolution
  /** Like peek, after a running query has ended. Never rejects. */
  lookUp(name: Name, type: number): Promise<Resolution>
  /**
   * Keeps an answer fresh and calls `changed` when it changes, never during this call. Returns the function to stop.
   */
  watch(name: Name, type: number, changed: () => void): () => void
  /** False after several queries in a row without a reply: then waiting for an answer is most likely in vain. */
  readonly isAnswering: boolean
  /** Refreshes answers that expire soon, and reports those that have expired. To be called about every second. */
  sweep(): void
  close(): Promise<void>
}

export interface ResolverDeps {
  readonly ask: Ask
  /** `now`: milliseconds since the epoch. */
  readonly clock: { now(): number }
  readonly log: Record<'debug' | 'warn' | 'error', (fields: object, event: string) => void>
  readonly limits: ResolverLimits
}

interface CacheEntry {
  readonly key: string
  readonly name: Name
  readonly type: number
  answer: Answer | undefined
  /** When the answer is refreshed, becomes stale, and becomes unusable; milliseconds of the clock. */
  refreshAt: number
  staleAt: number
  deadAt: number
  /** After a failure: time of the earliest retry. */
  retryAt: number
  hasFailed: boolean
  flight: Promise<void> | undefined
  readonly watchers: Set<() => void>
  /** The state last reported to the watchers. */
  question: string
  /** The second in which sweep checks it. */
  dueSecond: number | undefined
}

const FAILED: Resolution = { kind: 'failed' }
const PENDING: Resolution = { kind: 'pending' }
/** Share of the caching time after which a watched answer is refreshed. */
const REFRESH_AFTER = 0.8

export function createResolver({ ask, clock, log, limits }: ResolverDeps): Resolver {
  const entries = new Map<string, CacheEntry>()
  /** Unwatched entries, least recently used first. */
  const idle = new Map<string, CacheEntry>()
  /** Watched entries by the second in which sweep must check them. */
  const due = new Map<number, Set<CacheEntry>>()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal) // each query in flight listens; `limits.concurrency` bounds them
  const flights = new Semaphore(limits.concurrency)
  let silences = 0
  let isFull = false

  return {
    peek,
    async lookUp(name, type) {
      peek(name, type)
      await entries.get(keyOf(name, type))?.flight
      return peek(name, type)
    },
    watch,
    get isAnswering() {
      return silences < limits.silencesUntilDown
    },
    sweep,
    async close() {
      stopping.abort()
      await Promise.all([...entries.values()].map(({ flight }) => flight))
    },
  }

  function peek(name: Name, type: number): Resolution {
    const entry = requireEntry(name, type)
    if (entry === undefined) return FAILED
    if (clock.now() >= entry.staleAt) refresh(entry)
    return resolutionOf(entry)
  }

  function watch(name: Name, type: number, changed: () => void): () => void {
    const entry = requireEntry(name, type)
    if (entry === undefined) return () => {}
    idle.delete(entry.key)
    entry.watchers.add(changed)
    entry.question = signatureOf(resolutionOf(entry))
    schedule(entry)
    return () => {
      entry.watchers.delete(changed)
      if (entry.watchers.size > 0) return
      unschedule(entry)
      idle.set(entry.key, entry)
    }
  }

  function requireEntry(name: Name, type: number): CacheEntry | undefined {
    const key = keyOf(name, type)
    const known = entries.get(key)
    if (known !== undefined) {
      if (idle.delete(key)) idle.set(key, known)
      return known
    }
    if (entries.size >= limits.entries && !evictOne()) {
      if (!isFull) log.warn({ entries: limits.entries }, 'resolver full')
      isFull = true
      return undefined
    }
    isFull = false
    const entry: CacheEntry = {
      key,
      name,
      type,
      answer: undefined,
      refreshAt: 0,
      staleAt: 0,
      deadAt: 0,
      retryAt: 0,
      hasFailed: false,
      flight: undefined,
      watchers: new Set(),
      question: '',
      dueSecond: undefined,
    }
    entries.set(key, entry)
    idle.set(key, entry)
    return entry
  }

  /** Evicts the least recently used idle entry. */
  function evictOne(): boolean {
    for (const entry of idle.values()) {
      if (entry.flight !== undefined) continue
      idle.delete(entry.key)
      entries.delete(entry.key)
      return true
    }
    return false
  }

  function resolutionOf(entry: CacheEntry): Resolution {
    const { answer } = entry
    const now = clock.now()
    if (answer === undefined || now >= entry.deadAt) return entry.hasFailed ? FAILED : PENDING
    if (now < entry.staleAt) return { kind: 'answer', ...answer }
    return { kind: 'answer', ...answer, ttlSeconds: Math.min(answer.ttlSeconds, limits.staleTtlSeconds) }
  }

  /** Queries the name, unless a query is running or has just failed. */
  function refresh(entry: CacheEntry): void {
    if (entry.flight !== undefined || clock.now() < entry.retryAt || stopping.signal.aborted) return
    entry.flight = fly(entry).finally(() => {
      entry.flight = undefined
      if (entry.watchers.size > 0) schedule(entry)
      report(entry)
    })
  }

  async function fly(entry: CacheEntry): Promise<void> {
    try {
      hold(entry, await flights.run(() => ask(entry.name, entry.type, stopping.signal)))
      silences = 0
    } catch (error) {
      if (!(error instanceof NoAnswer)) log.error({ err: error, name: entry.name }, 'resolver failed')
      else log.debug({ name: entry.name, type: entry.type, problem: error.message }, 'no answer')
      silences = error instanceof NoAnswer && error.heard ? 0 : silences + 1
      entry.hasFailed = true
      entry.retryAt = clock.now() + limits.retrySeconds * 1000
    }
  }

  function hold(entry: CacheEntry, answer: Answer): void {
    const most = answer.rdatas.length === 0 ? limits.maxNegativeSeconds : limits.maxHoldSeconds
    const holdMs = Math.min(Math.max(answer.ttlSeconds, limits.minHoldSeconds), most) * 1000
    const now = clock.now()
    entry.answer = answer
    entry.refreshAt = now + holdMs * REFRESH_AFTER
    entry.staleAt = now + holdMs
    // A negative answer is not used beyond its TTL: the name may exist by now.
    entry.deadAt = answer.rdatas.length === 0 ? entry.staleAt : entry.staleAt + limits.maxStaleSeconds * 1000
    entry.retryAt = 0
    entry.hasFailed = false
  }

  function sweep(): void {
    if (stopping.signal.aborted) return
    const second = Math.floor(clock.now() / 1000)
    for (const [at, batch] of due) {
      if (at > second) continue
      due.delete(at)
      for (const entry of batch) {
        entry.dueSecond = undefined
        if (clock.now() >= entry.refreshAt) refresh(entry)
        report(entry)
        schedule(entry)
      }
    }
  }

  /** Notifies the watchers if the state has changed for them. */
  function report(entry: CacheEntry): void {
    const signature = signatureOf(resolutionOf(entry))
    if (signature === entry.question || stopping.signal.aborted) return
    entry.question = signature
    const watchers = [...entry.watchers] // a watcher may stop watching, or start, during the call
    for (const changed of watchers) changed()
  }

  /** Schedules a watched entry for the next time at which sweep must check it. */
  function schedule(entry: CacheEntry): void {
    unschedule(entry)
    const now = clock.now()
    const moments = [Math.max(entry.refreshAt, entry.retryAt), entry.staleAt, entry.deadAt]
    // A running query schedules the entry again when it ends.
    const next = Math.min(...moments.filter((moment) => moment > now))
    const soonest = entry.flight === undefined && moments[0] !== undefined && moments[0] <= now ? now : next
    if (soonest === Infinity) return
    entry.dueSecond = Math.ceil(soonest / 1000)
    const batch = due.get(entry.dueSecond)
    if (batch === undefined) due.set(entry.dueSecond, new Set([entry]))
    else batch.add(entry)
  }

  function unschedule(entry: CacheEntry): void {
    if (entry.dueSecond === undefined) return
    const batch = due.get(entry.dueSecond)
    batch?.delete(entry)
    if (batch?.size === 0) due.delete(entry.dueSecond)
    entry.dueSecond = undefined
  }
}

const keyOf = (name: Name, type: number): string => `${type} ${name}`

/** Everything that a watcher can see, as a string; the order of records is ignored. */
function signatureOf(resolution: Resolution): string {
  if (resolution.kind !== 'answer') return resolution.kind
  const { links, rdatas, ttlSeconds, isOpen } = resolution
  const values = rdatas.map((rdata) => Buffer.from(rdata).toString('latin1')).toSorted()
  return JSON.stringify([links, values, ttlSeconds, isOpen])
}
