// Sends the events of decisions, counts of anomaly scores, cookies and watched pages to the server. They wait in memory, up to a
// limit for each zone; a flood is sampled, and the server gets the number of the events that are left out.
import { MAX_COUNTED_SCORE } from '@zonereeve/firewall'
import type { EdgeLog } from './edge-log.ts'
import type { ActivityEvent, WaitingEvent } from './activity-event.ts'
import type { EdgeServer } from './edge-server.ts'
import type { SeenCookie } from './seen-cookies.ts'
import type { SeenPage } from './seen-pages.ts'

/** Maximum waiting events of a zone. */
const MAX_WAITING = 1_000
/** Maximum events in one request to the server. */
const EVENTS_PER_REQUEST = 100
/** Maximum waiting cookies of a zone, which are one request. */
const MAX_COOKIES = 200
/** Maximum watched pages in one request to the server, each with its headers. */
const PAGES_PER_REQUEST = 10
const FLUSH_MILLIS = 1_000
/** How long an event waits for the response to its request. */
const RESPONSE_MILLIS = 5_000
/** Maximum events that wait for one, and octets of the bodies that are kept with them; beyond that, the oldest go without it. */
const MAX_UNANSWERED = 10_000
const MAX_KEPT_OCTETS = 67_108_864

interface Waiting {
  readonly events: ActivityEvent[]
  /** Events that had no room since the last delivery. */
  dropped: number
  /** Requests by their anomaly score, since the last delivery. */
  readonly scores: Map<number, number>
  readonly cookies: SeenCookie[]
  /** By URL, so that there are no more than the zone watches. */
  readonly pages: Map<string, SeenPage>
  /** Events since the last delivery, which decide which ones stay in the sample. */
  seen: number
}

/** An event of a request whose response is not there yet. */
interface Unanswered {
  readonly sinceMillis: number
  readonly record: () => void
}

export interface ActivityDeps {
  readonly server: Pick<EdgeServer, 'sendActivity'>
  readonly log: EdgeLog
  readonly now: () => number
  readonly random?: () => number
}

export function createActivity({ server, log, now, random = Math.random }: ActivityDeps) {
  const byZone = new Map<string, Waiting>()
  /** The oldest first. */
  const unanswered = new Set<Unanswered>()
  let keptOctets = 0
  let flushing: Promise<void> | undefined
  const timer = setInterval(() => void begin(), FLUSH_MILLIS).unref()
  return { record, recordOnceAnswered, countScore, noteCookie, notePage, flush, close }

  function record(zoneId: string, event: ActivityEvent): void {
    const waiting = waitingOf(zoneId)
    waiting.seen += 1
    if (waiting.events.length < MAX_WAITING) {
      waiting.events.push(event)
      return
    }
    waiting.dropped += 1
    // Reservoir sampling: each event of the flood has the same chance to stay.
    const place = Math.floor(random() * waiting.seen)
    if (place < MAX_WAITING) waiting.events[place] = event
  }

  /** Records an event when the function that is returned is called, or after some seconds without that. */
  function recordOnceAnswered({ zoneId, octets, eventNow }: WaitingEvent): () => void {
    const event: Unanswered = {
      sinceMillis: now(),
      record: () => {
        if (!unanswered.delete(event)) return
        keptOctets -= octets
        record(zoneId, eventNow())
      },
    }
    unanswered.add(event)
    keptOctets += octets
    for (const oldest of unanswered) {
      if (unanswered.size <= MAX_UNANSWERED && keptOctets <= MAX_KEPT_OCTETS) break
      oldest.record()
    }
    return event.record
  }

  function recordUnansweredSince(millis: number): void {
    for (const event of unanswered) {
      if (event.sinceMillis > millis) return
      event.record()
    }
  }

  /** @param score above 0; scores above 100 are counted as 100. */
  function countScore(zoneId: string, score: number, requests = 1): void {
    const { scores } = waitingOf(zoneId)
    const counted = Math.min(score, MAX_COUNTED_SCORE)
    scores.set(counted, (scores.get(counted) ?? 0) + requests) // the first one
  }

  /** @returns false if there is no room. */
  function noteCookie(zoneId: string, cookie: SeenCookie): boolean {
    const { cookies } = waitingOf(zoneId)
    if (cookies.length === MAX_COOKIES) return false
    cookies.push(cookie)
    return true
  }

  /** Replaces what waits of the same page. */
  function notePage(zoneId: string, page: SeenPage): void {
    waitingOf(zoneId).pages.set(page.url, page)
  }

  function waitingOf(zoneId: string): Waiting {
    const known = byZone.get(zoneId)
    if (known !== undefined) return known
    const waiting = { events: [], dropped: 0, seen: 0, scores: new Map(), cookies: [], pages: new Map() }
    byZone.set(zoneId, waiting)
    return waiting
  }

  /** Delivers all that waits now: a delivery in progress began before the last of it. */
  function flush(): Promise<void> {
    return flushing?.then(begin) ?? begin()
  }

  /** One delivery at a time. What cannot be delivered waits for the next. */
  function begin(): Promise<void> {
    flushing ??= deliverAll().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  async function deliverAll(): Promise<void> {
    recordUnansweredSince(now() - RESPONSE_MILLIS)
    // What cannot be delivered is put back, and waits for the next time.
    const all = new Map(byZone)
    byZone.clear()
    for (const [zoneId, waiting] of all) await deliver(zoneId, waiting)
  }

  async function deliver(zoneId: string, waiting: Waiting): Promise<void> {
    while (hasContent(waiting)) {
      const events = waiting.events.slice(0, EVENTS_PER_REQUEST)
      const { dropped, scores, cookies } = waiting
      const pages = [...waiting.pages.values()].slice(0, PAGES_PER_REQUEST)
      const sent = await server
        .sendActivity(zoneId, { events, dropped, scores, cookies, pages })
        .catch((error: unknown) => {
          log.warn(
            { zoneId, problem: String(error), waiting: waiting.events.length },
            'activity not delivered',
          )
          return 'later' as const
        })
      if (sent === 'later') return keep(zoneId, waiting)
      if (sent === 'refused') {
        log.warn({ zoneId, lost: waiting.events.length + waiting.dropped }, 'activity refused')
        return
      }
      if (waiting.dropped > 0) log.warn({ zoneId, dropped: waiting.dropped }, 'activity sampled')
      waiting.events.splice(0, events.length)
      waiting.dropped = 0
      scores.clear()
      cookies.length = 0
      for (const { url } of pages) waiting.pages.delete(url)
    }
  }

  /** Puts undelivered events back, before those that came meanwhile. */
  function keep(zoneId: string, old: Waiting): void {
    const newer = byZone.get(zoneId)
    byZone.set(zoneId, old)
    for (const event of newer === undefined ? [] : newer.events) record(zoneId, event)
    if (newer === undefined) return
    old.dropped += newer.dropped
    for (const [score, requests] of newer.scores) countScore(zoneId, score, requests)
    for (const cookie of newer.cookies) noteCookie(zoneId, cookie)
    for (const page of newer.pages.values()) notePage(zoneId, page)
  }

  async function close(): Promise<void> {
    clearInterval(timer)
    recordUnansweredSince(now())
    await flush()
  }
}

const hasContent = ({ events, scores, cookies, pages }: Waiting): boolean =>
  events.length > 0 || scores.size > 0 || cookies.length > 0 || pages.size > 0
