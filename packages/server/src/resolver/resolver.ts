// Answers about names outside our zones, always at once: from memory, with the question asked in the background.
//
// An answer is held for its TTL and asked for again before that is over, if somebody watches the name. While no newer one
// is to be had it is used beyond its TTL (RFC 8767). Every name is asked for once at a time.
import type { Name } from '@zonereeve/dns'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Answer } from './answer.ts'
import { NoAnswer } from './exchange.ts'
import type { ResolverLimits } from './limits.ts'
import type { Ask } from './stub.ts'

/** What is known: an answer, that there is none to be had, or nothing yet. */
export type Resolution = (Answer & { readonly kind: 'answer' }) | { readonly kind: 'failed' | 'pending' }

export interface Resolver {
  /** What is known now. Asks, in the background, if that is nothing or too old. */
  peek(name: Name, type: number): Resolution
  /** The same once the question that is under way has been answered, or given up. Never rejects. */
  lookUp(name: Name, type: number): Promise<Resolution>
  /** Keeps an answer fresh and tells when it changes; never during this call. Returns how to stop. */
  watch(name: Name, type: number, changed: () => void): () => void
  /** False after silence on several questions in a row: then waiting for an answer is in vain, most likely. */
  readonly isAnswering: boolean
  /** Asks for what is soon too old, and tells of what has become so. To be called every second or so. */
  sweep(): void
  close(): Promise<void>
}

export interface ResolverDeps {
  readonly ask: Ask
  readonly clock: Clock
  readonly log: Log
  readonly limits: ResolverLimits
}

interface Entry {
  readonly key: string
  readonly name: Name
  readonly type: number
  answer: Answer | undefined
  /** When the answer is to be asked for again, is stale, and cannot be used any more; milliseconds of the clock. */
  refreshAt: number
  staleAt: number
  deadAt: number
  /** Not to be asked for before; after a failure. */
  retryAt: number
  hasFailed: boolean
  flight: Promise<void> | undefined
  readonly watchers: Set<() => void>
  /** What the watchers were told last. */
  told: string
  /** The second in which sweep looks at it. */
  dueSecond: number | undefined
}

const FAILED: Resolution = { kind: 'failed' }
const PENDING: Resolution = { kind: 'pending' }
/** Part of the time that an answer is held after which a watched one is asked for again. */
const REFRESH_AFTER = 0.8

export function createResolver({ ask, clock, log, limits }: ResolverDeps): Resolver {
  const entries = new Map<string, Entry>()
  /** Those that nobody watches, the longest unused first. */
  const idle = new Map<string, Entry>()
  /** Watched entries by the second in which there is something to do about them. */
  const due = new Map<number, Set<Entry>>()
  const waiting: (() => void)[] = []
  const stopping = new AbortController()
  let flights = 0
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
      for (const start of waiting.splice(0)) start()
      await Promise.all([...entries.values()].map(({ flight }) => flight))
    },
  }

  function peek(name: Name, type: number): Resolution {
    const entry = demandEntry(name, type)
    if (entry === undefined) return FAILED
    if (clock.now() >= entry.staleAt) refresh(entry)
    return resolutionOf(entry)
  }

  function watch(name: Name, type: number, changed: () => void): () => void {
    const entry = demandEntry(name, type)
    if (entry === undefined) return () => {}
    idle.delete(entry.key)
    entry.watchers.add(changed)
    entry.told = signatureOf(resolutionOf(entry))
    schedule(entry)
    return () => {
      entry.watchers.delete(changed)
      if (entry.watchers.size > 0) return
      unschedule(entry)
      idle.set(entry.key, entry)
    }
  }

  function demandEntry(name: Name, type: number): Entry | undefined {
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
    const entry: Entry = {
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
      told: '',
      dueSecond: undefined,
    }
    entries.set(key, entry)
    idle.set(key, entry)
    return entry
  }

  /** Forgets the idle entry that was not used for the longest time. */
  function evictOne(): boolean {
    for (const entry of idle.values()) {
      if (entry.flight !== undefined) continue
      idle.delete(entry.key)
      entries.delete(entry.key)
      return true
    }
    return false
  }

  function resolutionOf(entry: Entry): Resolution {
    const { answer } = entry
    const now = clock.now()
    if (answer === undefined || now >= entry.deadAt) return entry.hasFailed ? FAILED : PENDING
    if (now < entry.staleAt) return { kind: 'answer', ...answer }
    return { kind: 'answer', ...answer, ttlSeconds: Math.min(answer.ttlSeconds, limits.staleTtlSeconds) }
  }

  /** Asks, unless that is under way or has failed just now. */
  function refresh(entry: Entry): void {
    if (entry.flight !== undefined || clock.now() < entry.retryAt || stopping.signal.aborted) return
    entry.flight = fly(entry).finally(() => {
      entry.flight = undefined
      if (entry.watchers.size > 0) schedule(entry)
      tell(entry)
    })
  }

  async function fly(entry: Entry): Promise<void> {
    if (flights < limits.concurrency) flights += 1
    else await new Promise<void>((start) => waiting.push(start))
    try {
      hold(entry, await ask(entry.name, entry.type, stopping.signal))
      silences = 0
    } catch (error) {
      if (!(error instanceof NoAnswer)) log.error({ err: error, name: entry.name }, 'resolver failed')
      else log.debug({ name: entry.name, type: entry.type, problem: error.message }, 'no answer')
      silences = error instanceof NoAnswer && error.heard ? 0 : silences + 1
      entry.hasFailed = true
      entry.retryAt = clock.now() + limits.retrySeconds * 1000
    } finally {
      // The next in line takes over the place.
      const next = waiting.shift()
      if (next === undefined) flights -= 1
      else next()
    }
  }

  function hold(entry: Entry, answer: Answer): void {
    const most = answer.rdatas.length === 0 ? limits.maxNegativeSeconds : limits.maxHoldSeconds
    const holdMs = Math.min(Math.max(answer.ttlSeconds, limits.minHoldSeconds), most) * 1000
    const now = clock.now()
    entry.answer = answer
    entry.refreshAt = now + holdMs * REFRESH_AFTER
    entry.staleAt = now + holdMs
    // A "no" is not used beyond its time: the name may have come into being.
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
        tell(entry)
        schedule(entry)
      }
    }
  }

  /** Tells the watchers if what they would see is not what they saw. */
  function tell(entry: Entry): void {
    const signature = signatureOf(resolutionOf(entry))
    if (signature === entry.told || stopping.signal.aborted) return
    entry.told = signature
    const watchers = [...entry.watchers] // who is told may stop watching, or begin
    for (const changed of watchers) changed()
  }

  /** Puts a watched entry where sweep finds it at the next moment that matters. */
  function schedule(entry: Entry): void {
    unschedule(entry)
    const now = clock.now()
    const moments = [Math.max(entry.refreshAt, entry.retryAt), entry.staleAt, entry.deadAt]
    // A question that is under way schedules anew when it ends.
    const next = Math.min(...moments.filter((moment) => moment > now))
    const soonest = entry.flight === undefined && moments[0] !== undefined && moments[0] <= now ? now : next
    if (soonest === Infinity) return
    entry.dueSecond = Math.ceil(soonest / 1000)
    const batch = due.get(entry.dueSecond)
    if (batch === undefined) due.set(entry.dueSecond, new Set([entry]))
    else batch.add(entry)
  }

  function unschedule(entry: Entry): void {
    if (entry.dueSecond === undefined) return
    const batch = due.get(entry.dueSecond)
    batch?.delete(entry)
    if (batch?.size === 0) due.delete(entry.dueSecond)
    entry.dueSecond = undefined
  }
}

const keyOf = (name: Name, type: number): string => `${type} ${name}`

/** Everything that a watcher could see, as text; the order of records says nothing. */
function signatureOf(resolution: Resolution): string {
  if (resolution.kind !== 'answer') return resolution.kind
  const { links, rdatas, ttlSeconds, isOpen } = resolution
  const values = rdatas.map((rdata) => Buffer.from(rdata).toString('latin1')).toSorted()
  return JSON.stringify([links, values, ttlSeconds, isOpen])
}
