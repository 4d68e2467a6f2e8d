// Decides about the requests that adapters receive: by the rules of their zone, or undecided, open or closed.
import {
  asciiLower,
  decodeUtf8,
  ipText,
  withoutMapping,
  type BodyFacts,
  type Bytes,
  type HeaderLine,
  type Ip,
  type RequestFacts,
  type ResponseFacts,
} from '@zonereeve/expr'
import {
  changesResponses,
  countRequest,
  answeredByRule,
  evaluateLogFields,
  type KnownResponse,
  hasLogFields,
  type LoggedFields,
  type Decision,
  decideRequest,
  type ErrorPage,
  evaluateErrorPage,
  evaluateResponse,
  eventRuleOf,
  hasErrorPages,
  type HeaderEdit,
  inspect,
  isChallenge,
  completeFacts,
  type FirewallResponse,
  type ResponseVerdict,
  type Stage,
  type RateCounters,
  type RequestCounting,
} from '@zonereeve/firewall'
import {
  CHALLENGE_PATH,
  type Challenged,
  type Challenges,
  type Clearance,
  type OfferedChallenge,
} from './challenge.ts'
import type { ActivityEvent, WaitingEvent } from './activity-event.ts'
import type { EdgeLog } from './edge-log.ts'
import { withPageHeaders } from './page-headers.ts'
import { newRayId } from './ray-id.ts'
import type { SeenCookies } from './seen-cookies.ts'
import type { SeenPages } from './seen-pages.ts'
import type { CountedAmount } from './shared-counts.ts'
import { UndecidedResponse } from './undecided-response.ts'
import { watchedPage } from './watched-pages.ts'
import type { EdgeZone, ZoneTable } from './zone-table.ts'

/** A request as an adapter has received it. Strings hold one character for each octet. */
export interface EdgeRequest {
  readonly method: Bytes
  /** Path and query. */
  readonly target: Bytes
  /** With its port, if there is one. */
  readonly host: Bytes
  readonly isTls: boolean
  readonly version: string
  readonly headers: readonly HeaderLine[]
  readonly clientIp: Ip
  readonly serverPort: number
  /** Whether the adapter sees the response to a request that passes, and hands it to `noteAnswer` and `noteSent`. */
  readonly seesResponse?: true | undefined
  /** The start of the body, and its whole size if it is known; undefined if the adapter has no body. */
  readonly body?:
    | { readonly octets: Uint8Array; readonly isTruncated: boolean; readonly sizeBytes: number }
    | undefined
}

/** What happened to a request. */
export type Outcome =
  /** Rules decided; without a response, the request passes. */
  | 'decided'
  /** The host belongs to no zone of this edge. */
  | 'unknown_host'
  /** Nothing could decide: passed if the edge fails open, refused if it fails closed. */
  | 'undecided'

export interface EdgeDecision {
  readonly rayId: string
  readonly outcome: Outcome
  readonly action: string
  /** undefined if the request passes. */
  readonly response: FirewallResponse | undefined
  readonly zone: EdgeZone | undefined
  /** What a browser can do to pass. */
  readonly challenge?: OfferedChallenge
  /** A header `Set-Cookie` of the response. */
  readonly setCookie?: string
  /** To be called with the response of the origin, if rules count by it, its cookies are observed, or the request has an event. */
  readonly noteAnswer?: (response: ResponseFacts) => void
  /** To be called with the response as the client gets it, if the page is watched or the request has an event. */
  readonly noteSent?: (response: ResponseFacts) => void
  /** What the origin gets in place of what the client has sent. */
  readonly forwarded?: ForwardedRequest
  /**
   * The headers of a response as rules change them, and for documents of the origin those of policies and monitoring;
   * undefined if no header is ever changed. It throws UndecidedResponse if the client must not get the response.
   */
  readonly responseHeaders?: (response: ResponseFacts) => readonly HeaderLine[]
  /** The page that rules have for a response with an error, of the origin or of the edge; undefined if no rule has any. */
  readonly errorPage?: (response: ResponseFacts) => ErrorPage | undefined
  /** What rules do to the headers of a response, for proxies that need it before it is there. It throws as `responseHeaders`. */
  readonly responseEdits?: (expected: ResponseFacts) => readonly HeaderEdit[]
}

export interface ForwardedRequest {
  /** Path and query; undefined if no rule has rewritten them. */
  readonly target: Bytes | undefined
  /** Of the request headers. */
  readonly edits: readonly HeaderEdit[]
}

export interface EngineDeps {
  readonly zones: ZoneTable
  /** Whether there has ever been a configuration. */
  readonly isReady: () => boolean
  readonly undecided: FailureModes
  readonly record: (zoneId: string, event: ActivityEvent) => void
  /** Records an event when the returned function is called, or later without that. */
  readonly recordOnceAnswered: (waiting: WaitingEvent) => () => void
  readonly challenges: Challenges
  /** Of rate limits. */
  readonly counters: RateCounters
  /** Shares what was counted with other edges. */
  readonly noteCount: (count: CountedAmount) => void
  /** Counts a request by its anomaly score. */
  readonly countScore: (zoneId: string, score: number) => void
  readonly cookies: SeenCookies
  readonly seenPages: SeenPages
  readonly log: EdgeLog
  readonly now: () => number
}

/** What happens to requests about which nothing could decide, or not all rules. */
export interface FailureModes {
  readonly mode: 'open' | 'closed'
  /** Phases with another one: after `open`, the next phase decides. */
  readonly phases: ReadonlyMap<Stage, 'open' | 'closed'>
}

/** Status of requests that are refused because nothing could decide about them. */
const UNDECIDED_STATUS = 503
const SEE_OTHER = 303

export type Engine = ReturnType<typeof createEngine>

export function createEngine({
  zones,
  isReady,
  undecided,
  record,
  recordOnceAnswered,
  countScore,
  challenges,
  counters,
  noteCount,
  cookies,
  seenPages,
  log,
  now,
}: EngineDeps) {
  const counts: Record<Outcome | 'stopped' | 'uninspected' | 'phases_skipped', number> = {
    decided: 0,
    unknown_host: 0,
    undecided: 0,
    stopped: 0,
    uninspected: 0,
    phases_skipped: 0,
  }
  return { decide, hasPages, counts }

  /** Whether pages of a host report to this edge's server. */
  function hasPages(host: Bytes): boolean {
    return zones.zoneOf(hostOf(host))?.pages !== undefined
  }

  /** Never throws: a failure is an undecided request. */
  function decide(request: EdgeRequest): EdgeDecision {
    const rayId = newRayId()
    const host = hostOf(request.host)
    try {
      const zone = zones.zoneOf(host)
      if (zone === undefined)
        return isReady() ? unknownHost(rayId) : withoutDecision(rayId, host, 'no configuration yet')
      return decideBy(zone, request, rayId, host)
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      const mode = error instanceof RefusedPhase ? 'closed' : undecided.mode
      return withoutDecision(rayId, host, problem, mode)
    }
  }

  function decideBy(zone: EdgeZone, request: EdgeRequest, rayId: string, host: string): EdgeDecision {
    const receivedAtMs = now()
    const challenged = { host, clientIp: withoutMapping(request.clientIp), isTls: request.isTls }
    if (request.target.startsWith(`${CHALLENGE_PATH}?`))
      return sendBack(zone, challenges.verify(request.target, challenged, receivedAtMs), rayId)
    const facts = completeFacts(factsOf(request, zone, rayId, receivedAtMs), zone.deciding)
    // Most requests meet no rate limit.
    let counting: RequestCounting | undefined
    // The body is a part of the facts: an empty one means that there is no other.
    const decision = decideRequest(zone.deciding, inspect(facts, NO_BODY), {
      count: (rule) => (counting ??= countRequest(countersOf(zone.id), zone.id, receivedAtMs)).count(rule),
      isSkippedAfter: (phase, error) => isSkipped(phase, error, rayId, request.host),
      isCleared: (ruleId) => challenges.isCleared(ruleId, request.headers, challenged, receivedAtMs),
    })
    const isAnswerCounted = counting?.settle(decision.response === undefined) === true
    const rule = eventRuleOf(decision, zone.deciding.firewall)
    const { score } = decision.verdict
    if (score !== undefined && score > 0) countScore(zone.id, score)
    counts.decided += 1
    if (decision.response !== undefined) counts.stopped += 1
    // Each of them has an event.
    else if (decision.uninspectedField !== undefined) counts.uninspected += 1
    const event = rule && { ...rule, ...recordedOf(request, rayId, receivedAtMs) }
    const { action } = decision.effective
    const { response } = decision
    const decided: Mutable<EdgeDecision> = { rayId, outcome: 'decided', action, response, zone }
    if (response === undefined) {
      const received = { rayId, host: request.host }
      addAfterwards(decided, zone, decision, received, isAnswerCounted ? counting : undefined)
      if (event !== undefined) recordPassed(decided, zone, decision, request, event)
      return decided
    }
    if (event !== undefined) {
      record(zone.id, {
        ...event,
        originStatus: null,
        loggedFields: loggedFields(zone, decision, rayId, answeredByRule(response)),
      })
    }
    return {
      ...decided,
      ...challengeBy(decision.effective, challenged, receivedAtMs),
      ...repliedBy(zone, decision, rayId, request.host),
    }
  }

  /** Counts are shared with other edges. */
  function countersOf(zoneId: string): RateCounters {
    return {
      isOver: counters.isOver,
      add: (key, limit, amount, nowMillis) => {
        counters.add(key, limit, amount, nowMillis)
        noteCount({ zoneId, key, periodMillis: limit.periodMillis, amount })
      },
    }
  }

  /** Challenges stay as they are: their page would not work with other headers. */
  function repliedBy(zone: EdgeZone, decision: Decision, rayId: string, host: Bytes): Partial<EdgeDecision> {
    if (isChallenge(decision.effective.action)) return {}
    const received = { rayId, host }
    return {
      ...errorPages(zone, decision, received),
      ...(changesResponses(zone.deciding.firewall) && {
        responseHeaders: (response: ResponseFacts) =>
          changeHeaders(zone, decision, response, received).headers,
      }),
    }
  }

  /** A rule that cannot be evaluated leaves the response as it is: it would only have explained the error. */
  function errorPages(
    { deciding: { firewall } }: EdgeZone,
    { verdict: { changes } }: Decision,
    { rayId, host }: Received,
  ): Pick<EdgeDecision, 'errorPage'> {
    if (!hasErrorPages(firewall)) return {}
    const isSkippedAfter = (phase: Stage, error: unknown) => noteSkipped(phase, error, rayId, host)
    return {
      errorPage: (response) => evaluateErrorPage(firewall, changes, response, { isSkippedAfter }).page,
    }
  }

  /** @throws UndecidedResponse if rules about responses cannot be evaluated, and their phase is closed. */
  function changeHeaders(
    { deciding: { firewall } }: EdgeZone,
    { verdict: { changes } }: Decision,
    response: ResponseFacts,
    { rayId, host }: Received,
  ): ResponseVerdict {
    try {
      const isSkippedAfter = (phase: Stage, error: unknown) => isSkipped(phase, error, rayId, host)
      return evaluateResponse(firewall, changes, response, { isSkippedAfter })
    } catch (error) {
      counts.undecided += 1
      const problem = String(error)
      log.warn({ rayId, host: hostOf(host), problem, undecided: 'closed' }, 'response undecided')
      throw new UndecidedResponse(problem)
    }
  }

  /** Each phase that is skipped is counted and logged, as an undecided request is. @throws RefusedPhase if it is closed. */
  function isSkipped(phase: Stage, error: unknown, rayId: string, host: Bytes): true {
    const mode = undecided.phases.get(phase) ?? undecided.mode // most phases have none of their own
    if (mode === 'closed') throw new RefusedPhase(`${phase}: ${String(error)}`)
    return noteSkipped(phase, error, rayId, host)
  }

  function noteSkipped(phase: Stage, error: unknown, rayId: string, host: Bytes): true {
    counts.phases_skipped += 1
    log.warn({ rayId, host: hostOf(host), phase, problem: String(error) }, 'phase skipped')
    return true
  }

  /** What is to be done with a request that passes, and with its response. Most need nothing: spreads would be noticeable. */
  function addAfterwards(
    decided: Mutable<EdgeDecision>,
    zone: EdgeZone,
    decision: Decision,
    received: Received,
    counting: RequestCounting | undefined,
  ): void {
    const { id, pages } = zone
    const { firewall } = zone.deciding
    const { facts, headers: edits } = decision.verdict.changes
    const isMonitored = pages !== undefined && pages.headers.monitoring !== null
    const watched = pages && watchedPage(pages.watched, facts)
    const isChanging = changesResponses(firewall)
    const target = facts.rawTarget === undefined ? undefined : facts.target
    if (hasErrorPages(firewall)) Object.assign(decided, errorPages(zone, decision, received))
    if (target !== undefined || edits.length > 0) decided.forwarded = { target, edits }
    if (counting !== undefined || isMonitored)
      decided.noteAnswer = (response) => {
        counting?.noteAnswer(response)
        if (isMonitored) cookies.note(id, facts, response, facts.receivedAtMs)
      }
    if (watched !== undefined)
      decided.noteSent = (response) => seenPages.note(id, watched, response, facts.receivedAtMs)
    if (isChanging)
      decided.responseEdits = (expected) => changeHeaders(zone, decision, expected, received).edits
    if (pages !== undefined || isChanging)
      decided.responseHeaders = (response) => {
        const headers = isChanging
          ? changeHeaders(zone, decision, response, received).headers
          : response.headers
        return pages === undefined
          ? headers
          : withPageHeaders(pages, facts, { ...response, headers }, Math.random())
      }
  }

  /** The event of a request that passes has the status of the response, and fields of it. */
  function recordPassed(
    decided: Mutable<EdgeDecision>,
    zone: EdgeZone,
    decision: Decision,
    { seesResponse, body }: EdgeRequest,
    event: EventStart,
  ): void {
    let answered: ResponseFacts | undefined
    let sent: ResponseFacts | undefined
    // Only with such rules the request is kept, with its body.
    let open = hasLogFields(zone.deciding.firewall) ? decision : undefined
    const eventNow = (): ActivityEvent => {
      const fields = open && loggedFields(zone, open, event.rayId, { answered, sent })
      open = undefined
      return { ...event, originStatus: answered?.status ?? null, loggedFields: fields ?? null }
    }
    if (seesResponse !== true) {
      record(zone.id, eventNow())
      return
    }
    const { noteAnswer, noteSent } = decided
    const octets = open === undefined || body === undefined ? 0 : body.octets.length
    const finish = recordOnceAnswered({ zoneId: zone.id, octets, eventNow })
    decided.noteAnswer = (response) => {
      noteAnswer?.(response)
      answered = response
    }
    decided.noteSent = (response) => {
      noteSent?.(response)
      sent = response
      finish()
    }
  }

  /** Rules that cannot be evaluated add nothing. */
  function loggedFields(
    { deciding: { firewall } }: EdgeZone,
    { verdict: { changes } }: Decision,
    rayId: string,
    response: KnownResponse,
  ): LoggedFields | null {
    const isSkippedAfter = (phase: Stage, error: unknown) =>
      noteSkipped(phase, error, rayId, changes.facts.host)
    return evaluateLogFields(firewall, changes, response, { isSkippedAfter }).fields
  }

  /** Sends a browser back to where it was: with a clearance it passes there, else it gets another challenge. */
  function sendBack(zone: EdgeZone, { setCookie, target }: Clearance, rayId: string): EdgeDecision {
    counts.decided += 1
    const response = { statusCode: SEE_OTHER, location: target }
    const cookie = setCookie === undefined ? {} : { setCookie }
    return { rayId, outcome: 'decided', action: 'redirect', response, zone, ...cookie }
  }

  function challengeBy(
    { action, ruleId }: Decision['effective'],
    challenged: Challenged,
    nowMillis: number,
  ): { readonly challenge?: OfferedChallenge } {
    if (ruleId === null || !isChallenge(action)) return {}
    return { challenge: challenges.offer(ruleId, challenged, action === 'challenge', nowMillis) }
  }

  function unknownHost(rayId: string): EdgeDecision {
    counts.unknown_host += 1
    return { rayId, outcome: 'unknown_host', action: 'allow', response: undefined, zone: undefined }
  }

  function withoutDecision(
    rayId: string,
    host: string,
    problem: string,
    mode: FailureModes['mode'] = undecided.mode,
  ): EdgeDecision {
    counts.undecided += 1
    log.warn({ rayId, host, problem, undecided: mode }, 'request undecided')
    const response = mode === 'open' ? undefined : { statusCode: UNDECIDED_STATUS }
    return { rayId, outcome: 'undecided', action: mode, response, zone: undefined }
  }
}

/** An event without what only the response tells. */
type EventStart = Omit<ActivityEvent, 'originStatus' | 'loggedFields'>

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A request by which messages name it. */
interface Received {
  readonly rayId: string
  readonly host: Bytes
}

/** The rules of a phase that is closed could not be evaluated. */
class RefusedPhase extends Error {}

const NO_BODY = new Uint8Array()

/** Lower case, without the port and the final dot. */
export const hostOf = (host: Bytes): string => asciiLower(host).replace(/:\d*$/, '').replace(/\.$/, '')

function factsOf(request: EdgeRequest, zone: EdgeZone, rayId: string, receivedAtMs: number): RequestFacts {
  const { method, target, host, isTls, version, headers, clientIp, serverPort, body } = request
  return {
    method,
    version,
    isTls,
    host,
    target,
    headers,
    // Dual-stack sockets report IPv4 addresses as mapped IPv6 ones; rules about IPv4 must match them.
    clientIp: withoutMapping(clientIp),
    receivedAtMs,
    rayId,
    server: { port: serverPort },
    zone: zone.facts,
    body: body === undefined || body.sizeBytes === 0 ? undefined : bodyFacts(body),
    // Of copies for later phases: V8 makes a hidden class for each copy that has another member than these.
    rawTarget: undefined,
    response: undefined,
  }
}

const bodyFacts = ({ octets, isTruncated, sizeBytes }: NonNullable<EdgeRequest['body']>): BodyFacts => ({
  bytes: Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString('latin1'),
  sizeBytes,
  isTruncated,
})

/** The server stores the start of the path, without the query. */
const MAX_SENT_TARGET = 2_048
const MAX_SENT_METHOD = 64
const MAX_SENT_HOST = 512

const recordedOf = ({ method, host, target, clientIp }: EdgeRequest, rayId: string, atMs: number) => ({
  rayId,
  at: new Date(atMs).toISOString(),
  method: decodeUtf8(method.slice(0, MAX_SENT_METHOD)),
  host: decodeUtf8(host.slice(0, MAX_SENT_HOST)),
  target: decodeUtf8(target.replace(/\?.*$/s, '').slice(0, MAX_SENT_TARGET)),
  ip: ipText(withoutMapping(clientIp)),
})
