// The server as the edge uses it: which zones there are, their configuration, and the activity log.
import { randomUUID } from 'node:crypto'
import { Agent, fetch, type Response } from 'undici'
import type { LoggedFields } from '@zonereeve/firewall'
import type { ActivityEvent } from './activity-event.ts'
import type { CountedAmount } from './shared-counts.ts'
import { readCoreRules, type CoreRulesDocument } from './core-rules-document.ts'
import type { SeenCookie } from './seen-cookies.ts'
import type { SeenPage } from './seen-pages.ts'
import { readZoneDocument, type ZoneDocument } from './zone-document.ts'

/** Where the server is, and the token with the permission to decide. */
export interface EdgeServerOptions {
  /** Ends in the version of the API, without a trailing slash. */
  readonly baseUrl: string
  readonly token: string
}

/** All zones of the token, and the versions of their configurations. */
export interface ZoneVersions {
  /** For the next call, which waits until something differs. */
  readonly cursor: string
  /** Identifies the imported Core Rule Set; null if there is none. */
  readonly core_rule_set: string | null
  readonly zones: readonly { readonly id: string; readonly version: string }[]
}

export type EdgeServer = ReturnType<typeof createEdgeServer>

/** How long the server may wait for a change before it answers. */
const WAIT_SECONDS = 20
const ANSWER_MILLIS = 30_000
const UNKNOWN_STATUSES = [403, 404]
/** Of a zone whose stored data are damaged, for example. */
const UNREADABLE = 500
const INVALID = 400
const FORBIDDEN = 403

/** What a certificate authority looks for. */
interface HostChallenge {
  readonly host: string
  readonly value: string
}

interface ExchangedCounts {
  readonly cursor: number
  readonly counts: readonly {
    readonly zone_id: string
    readonly key: string
    readonly period_ms: number
    readonly amount: number
  }[]
}

/** What an edge reports about a zone. */
export interface Activity {
  readonly events: readonly ActivityEvent[]
  /** Events that had no room. */
  readonly dropped: number
  /** Requests by their anomaly score. */
  readonly scores: ReadonlyMap<number, number>
  readonly cookies: readonly SeenCookie[]
  readonly pages: readonly SeenPage[]
}

/** A report of a browser, as it was received. */
export interface BrowserReport {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export function createEdgeServer({ baseUrl, token }: EdgeServerOptions) {
  const agent = new Agent()
  /** Tells this edge from others that share counts. */
  const edgeId = randomUUID()
  return {
    zoneVersions,
    coreRuleSet,
    zoneDocument,
    sendActivity,
    exchangeCounts,
    forwardReport,
    publishChallenge,
    removeChallenge,
    close,
  }

  /** @param cursor of the last reply; undefined for an immediate one. @throws if the server does not answer. */
  async function zoneVersions(cursor: string | undefined, signal: AbortSignal): Promise<ZoneVersions> {
    const waiting = cursor === undefined ? '' : `?wait=${WAIT_SECONDS}&cursor=${encodeURIComponent(cursor)}`
    const response = await request('GET', `/zonereeve/edge/zones${waiting}`, { signal })
    return (await resultOf(response)) as ZoneVersions // as the contract declares it
  }

  /** @returns undefined if there is none. @throws if the server does not answer, or its answer is invalid. */
  async function coreRuleSet(signal: AbortSignal): Promise<CoreRulesDocument | undefined> {
    const result = await resultOf(await request('GET', '/zonereeve/edge/core_rule_set', { signal }))
    return result === null ? undefined : readCoreRules(result)
  }

  /**
   * @returns undefined if the zone is gone, `unreadable` if the server cannot read what it has stored of it.
   * @throws if the server does not answer, or the document is invalid.
   */
  async function zoneDocument(
    zoneId: string,
    signal: AbortSignal,
  ): Promise<ZoneDocument | 'unreadable' | undefined> {
    const response = await request('GET', `/zonereeve/zones/${zoneId}/edge/configuration`, { signal })
    const isUnreadable = response.status === UNREADABLE
    if (!isUnreadable && !UNKNOWN_STATUSES.includes(response.status))
      return readZoneDocument(await resultOf(response))
    await response.body?.cancel()
    return isUnreadable ? 'unreadable' : undefined
  }

  /** @throws if the server does not answer, or cannot store them now. */
  async function sendActivity(
    zoneId: string,
    { events, dropped, scores, cookies, pages }: Activity,
  ): Promise<'stored' | 'refused'> {
    const response = await request('POST', `/zonereeve/zones/${zoneId}/edge/activity`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        events: events.map(toWire),
        dropped,
        scores: [...scores].map(([score, requests]) => ({ score, requests })),
        ...(cookies.length > 0 && { cookies: cookies.map(toWireCookie) }),
        ...(pages.length > 0 && { pages }),
      }),
    })
    if ([INVALID, ...UNKNOWN_STATUSES].includes(response.status)) {
      await response.body?.cancel()
      return 'refused'
    }
    await resultOf(response)
    return 'stored'
  }

  /** @returns what other edges have counted, and the next cursor. @throws if the server does not answer. */
  async function exchangeCounts(
    after: number | undefined,
    counts: readonly CountedAmount[],
    signal: AbortSignal,
  ): Promise<{ readonly cursor: number; readonly counts: readonly CountedAmount[] }> {
    const response = await request('POST', '/zonereeve/edge/counts', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        edge: edgeId,
        ...(after !== undefined && { after }),
        counts: counts.map(({ zoneId, key, periodMillis, amount }) => ({
          zone_id: zoneId,
          key,
          period_ms: periodMillis,
          amount,
        })),
      }),
      signal,
    })
    const result = (await resultOf(response)) as ExchangedCounts // as the contract declares it
    return {
      cursor: result.cursor,
      counts: result.counts.map(({ zone_id: zoneId, key, period_ms: periodMillis, amount }) => ({
        zoneId,
        key,
        periodMillis,
        amount,
      })),
    }
  }

  /** Resolves when all nodes answer it. @throws if the server does not answer, or refuses it. */
  async function publishChallenge(zoneId: string, { host, value }: HostChallenge): Promise<void> {
    const response = await request('POST', `/zonereeve/zones/${zoneId}/acme_challenges?wait=all`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ host, value }),
    })
    if (response.status === FORBIDDEN) {
      await response.body?.cancel()
      throw new Error('the token may not publish challenges (permission ACME Challenges Write)')
    }
    await resultOf(response)
  }

  /** @returns refused: the token may not, or has no such zone. @throws if the server does not answer. */
  async function removeChallenge(
    zoneId: string,
    { host, value }: HostChallenge,
  ): Promise<'removed' | 'refused'> {
    const response = await request(
      'DELETE',
      `/zonereeve/zones/${zoneId}/acme_challenges/${host}/${value}`,
      {},
    )
    if (UNKNOWN_STATUSES.includes(response.status)) {
      await response.body?.cancel()
      return 'refused'
    }
    await resultOf(response)
    return 'removed'
  }

  /** Forwards a report to the server's collector. @returns the status of its reply. @throws if it does not answer. */
  async function forwardReport({ method, target, headers, body }: BrowserReport): Promise<number> {
    const response = await fetch(new URL(target, baseUrl), {
      method,
      headers,
      body: body.length === 0 ? null : body,
      signal: AbortSignal.timeout(ANSWER_MILLIS),
      dispatcher: agent,
    })
    await response.body?.cancel()
    return response.status
  }

  function request(method: string, path: string, init: SentRequest): Promise<Response> {
    const deadline = AbortSignal.timeout(ANSWER_MILLIS)
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    const { body = null, headers = {} } = init
    const all = { ...headers, authorization: `Bearer ${token}` }
    return fetch(baseUrl + path, { method, headers: all, body, signal, dispatcher: agent })
  }

  /** Ends all connections, also those that would wait for the next request. */
  async function close(): Promise<void> {
    await agent.destroy()
  }
}

async function resultOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`the server answers ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { readonly result: unknown }).result // the envelope of the API
}

interface SentRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

const toWireCookie = ({ pageUrl, setCookie, name }: SeenCookie) => ({
  page_url: pageUrl,
  ...(setCookie !== null && { set_cookie: setCookie }),
  ...(name !== null && { name }),
})

const toWire = (event: ActivityEvent) => ({
  ray_id: event.rayId,
  occurred_at: event.at,
  action: event.action,
  source: event.source,
  level: event.level,
  phase: event.phase,
  ruleset_id: event.rulesetId,
  rule_id: event.ruleId,
  description: event.description,
  expression: event.expression,
  matched_field: event.matchedField,
  ...(event.uninspectedField !== null && { uninspected_field: event.uninspectedField }),
  method: event.method,
  host: event.host,
  target: event.target,
  ip: event.ip,
  ...(event.originStatus !== null && { origin_status: event.originStatus }),
  ...(event.loggedFields !== null && { logged_fields: toWireFields(event.loggedFields) }),
})

const toWireFields = ({ requestHeaders, responseHeaders, cookies, isShortened }: LoggedFields) => ({
  request_headers: requestHeaders,
  response_headers: responseHeaders,
  cookies,
  shortened: isShortened,
})
