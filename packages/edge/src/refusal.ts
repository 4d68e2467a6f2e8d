// The reply to a client whose request does not pass: the rule's own response, or a page with the ray ID.
import type { HeaderLine } from '@zonereeve/expr'
import { challengePage } from './challenge-page.ts'
import type { EdgeDecision } from './engine.ts'
import { sentType } from '@zonereeve/firewall'
import { UndecidedResponse } from './undecided-response.ts'

/** A reply, ready to send. */
export interface RefusalReply {
  readonly statusCode: number
  /** Names in lower case; a list has one line for each value. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}

/** Name of the header with the ray ID. */
export const RAY_HEADER = 'x-ray-id'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  404: 'Unknown site',
  502: 'The site does not answer',
  403: 'Access denied',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
}
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

/**
 * The reply for a decision that stops a request.
 *
 * @param accept the client's Accept header: a client that prefers JSON gets JSON.
 */
export function refusalOf(decision: EdgeDecision, accept: string | undefined): RefusalReply {
  const own = unchangedRefusal(decision, accept)
  // A rule's own response is what its author wants to be sent.
  return withRules(decision, decision.response?.content === undefined ? pageInPlaceOf(own, decision) : own)
}

/** The page that rules have for an error, or the edge's own reply. */
function pageInPlaceOf(own: RefusalReply, { errorPage }: EdgeDecision): RefusalReply {
  const page = errorPage?.({ status: own.statusCode, headers: linesOf(own.headers) })
  if (page === undefined) return own
  // The policy of the edge's own pages would keep other ones from their styles.
  const { 'content-security-policy': _, ...headers } = own.headers
  return {
    statusCode: page.statusCode,
    headers: { ...headers, 'content-type': sentType(page.contentType) },
    body: page.content,
  }
}

const withRules = (decision: EdgeDecision, { statusCode, headers, body }: RefusalReply): RefusalReply => ({
  statusCode,
  headers: changedHeaders(decision, statusCode, headers),
  body,
})

const linesOf = (headers: RefusalReply['headers']): HeaderLine[] =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one): HeaderLine => [name, one]))

/** The headers of a reply as rules change them. */
function changedHeaders(
  { responseHeaders }: EdgeDecision,
  status: number,
  headers: RefusalReply['headers'],
): RefusalReply['headers'] {
  if (responseHeaders === undefined) return headers
  const lines = linesOf(headers)
  const changed = new Map<string, string[]>()
  for (const [name, value] of unlessUndecided(() => responseHeaders({ status, headers: lines })) ?? lines)
    changed.set(name, [...(changed.get(name) ?? []), value]) // the first line of a header
  return Object.fromEntries(
    [...changed].map(([name, values]) => [name, values.length === 1 ? values.join('') : values]),
  )
}

/** The request is refused in any case: then a page keeps its own headers. */
function unlessUndecided<T>(change: () => T): T | undefined {
  try {
    return change()
  } catch (error) {
    if (error instanceof UndecidedResponse) return undefined
    throw error
  }
}

function unchangedRefusal(
  { response, rayId, action, challenge, setCookie }: EdgeDecision,
  accept: string | undefined,
): RefusalReply {
  if (response === undefined) throw new Error('a request that passes is not refused')
  const { statusCode, contentType, content, location } = response
  const cookie = setCookie === undefined ? {} : { 'set-cookie': setCookie }
  const headers = { [RAY_HEADER]: rayId, 'cache-control': 'no-store', ...cookie }
  if (location !== undefined)
    return { statusCode, headers: { ...headers, location: headerValue(location) }, body: '' }
  if (content !== undefined && contentType !== undefined)
    return { statusCode, headers: { ...headers, 'content-type': contentType }, body: content }
  const title = TITLES[statusCode] ?? 'Request refused' // of statuses that only rules choose
  if (prefersJson(accept)) {
    const problem = JSON.stringify({ error: title, status: statusCode, action, ray_id: rayId })
    return { statusCode, headers: { ...headers, 'content-type': 'application/json' }, body: `${problem}\n` }
  }
  if (challenge !== undefined) {
    const page = challengePage(challenge, rayId)
    return { statusCode, headers: { ...headers, ...page.headers }, body: page.body }
  }
  return { statusCode, headers: { ...headers, ...PAGE_HEADERS }, body: pageOf(title, rayId) }
}

/** The reply to a request that passes, but whose origin does not answer: a page of rules, or the edge's own. */
export function failureOf(decision: EdgeDecision | undefined, statusCode: number): RefusalReply {
  const own = replyPage(statusCode, decision === undefined ? '' : decision.rayId)
  return decision === undefined ? own : withRules(decision, pageInPlaceOf(own, decision))
}

/** A page of the edge itself: the request was not forwarded. */
export function replyPage(statusCode: number, rayId: string): RefusalReply {
  const title = TITLES[statusCode]
  if (title === undefined) throw new Error(`there is no page for ${statusCode}`)
  const headers = {
    ...(rayId === '' ? {} : { [RAY_HEADER]: rayId }),
    'cache-control': 'no-store',
    ...PAGE_HEADERS,
  }
  return { statusCode, headers, body: pageOf(title, rayId) }
}

const prefersJson = (accept: string | undefined): boolean =>
  accept !== undefined &&
  /\bapplication\/(?:[a-z.-]+\+)?json\b/i.test(accept) &&
  !/\btext\/html\b/i.test(accept)

/** Characters that a header cannot have are percent-encoded. */
const headerValue = (text: string): string =>
  text.toWellFormed().replace(/[^\x21-\x7e]/gu, (one) => encodeURIComponent(one))

const pageOf = (title: string, rayId: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body>
<main>
<h1>${title}</h1>
<p>If you think that this is a mistake, send this number to the owner of the site: <code>${rayId}</code></p>
</main>
</body>
</html>
`
