// Forward authentication: a proxy sends the head of each request here first, and forwards the request if the reply
// is 2xx. The path says which headers carry the original request, since a client could send those of another proxy:
//
//   /auth/nginx       X-Original-Method, -Uri, -Host, -Scheme, -Client; the reply is 204 or 403 (auth_request knows
//                     no more), and headers tell nginx what else the rule wants
//   /auth/forwarded   X-Forwarded-Method, -Uri, -Host, -Proto, -For, which Caddy and Traefik set
//   /auth/envoy/…     the request itself: Envoy keeps method, path and host
import type { IncomingMessage, ServerResponse } from 'node:http'
import { asciiLower, parseIp, type Ip, type ResponseFacts } from '@zonereeve/expr'
import type { EdgeDecision, EdgeRequest, Engine } from '../engine.ts'
import { changesOf, editedHeaders } from '../header-changes.ts'
import { headerLines, headerOf } from '../received-request.ts'
import { RAY_HEADER, refusalOf } from '../refusal.ts'
import { forwardedTarget } from './forwarded-target.ts'

/** What nginx needs beside 204 and 403. */
const STATUS_HEADER = 'x-edge-status'
const LOCATION_HEADER = 'x-edge-location'
/** The new path and query, if a rule has rewritten them. */
const TARGET_HEADER = 'x-edge-target'
const REMOVED_HEADER = 'x-envoy-auth-headers-to-remove'
const PASSED = 204
const STOPPED = 403
const BAD_REQUEST = 400

const NGINX = '/auth/nginx'
const FORWARDED = '/auth/forwarded'
const ENVOY = '/auth/envoy'

/** Answers requests below `/auth/`. @returns false if the path is none of them. */
export function answerForwardAuth(
  engine: Pick<Engine, 'decide'>,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const kind = kindOf(request.url)
  if (kind === undefined) return false
  response.sendDate = false // a rule may name this header, and the proxy would copy ours
  request.resume() // the body of a request for authentication is none of ours
  const original = READERS[kind](request)
  if (typeof original === 'string') {
    response.writeHead(BAD_REQUEST, { 'content-type': 'text/plain' }).end(`${original}\n`)
    return true
  }
  const decision = engine.decide(original)
  if (decision.response === undefined) {
    const headers = forwardedHeaders(decision, original)
    if (kind === NGINX) Object.assign(headers, pageHeadersFor(decision))
    if (kind !== ENVOY) Object.assign(headers, responseChangesFor(decision))
    headers[RAY_HEADER] = decision.rayId
    response.writeHead(PASSED, headers).end()
    return true
  }
  const { statusCode, headers, body } = refusalOf(decision, headerOf(request, 'accept'))
  if (kind === NGINX) {
    const { location } = headers
    const more = location === undefined ? {} : { [LOCATION_HEADER]: location }
    const all = { [RAY_HEADER]: decision.rayId, [STATUS_HEADER]: String(statusCode), ...more }
    response.writeHead(STOPPED, all).end()
  } else response.writeHead(statusCode, headers).end(body)
  return true
}

/**
 * What rules change in the request, for proxies that copy headers of the reply to it: each changed header with its new
 * value, and the names of those to remove, as Envoy has it.
 */
function forwardedHeaders(decision: EdgeDecision, original: EdgeRequest): Record<string, string> {
  const { headers } = original
  const sent = Object.create(null) as Record<string, string> // rules name headers
  const target = forwardedTarget(decision, original)
  if (decision.forwarded !== undefined) {
    const removed: string[] = []
    for (const [name, value] of editedHeaders(headers, decision.forwarded.edits))
      if (value === undefined) removed.push(name)
      else sent[name] = value
    if (removed.length > 0) sent[REMOVED_HEADER] = removed.join(',')
  }
  if (target !== original.target) sent[TARGET_HEADER] = target
  return sent
}

/** Headers of the reply with which nginx can set those of a page, by the name of the header. */
const PAGE_HEADERS = [
  'content-security-policy',
  'content-security-policy-report-only',
  'reporting-endpoints',
] as const
/** The response that is not there yet: nginx sends the headers only with a page. */
const EXPECTED_PAGE: ResponseFacts = { status: 200, headers: [['content-type', 'text/html']] }

function pageHeadersFor({ responseHeaders }: EdgeDecision): Readonly<Record<string, string>> {
  if (responseHeaders === undefined) return {}
  const lines = responseHeaders(EXPECTED_PAGE)
  return Object.fromEntries(
    PAGE_HEADERS.flatMap((desired) => {
      const values = lines.filter(([name]) => name === desired).map(([, value]) => value)
      return values.length === 0 ? [] : [[`x-edge-${desired}`, values.join(', ')]]
    }),
  )
}

/** What rules do to the origin's headers, by their names; generated configurations copy it. */
const RESPONSE_PREFIX = 'x-edge-response-'
const ADDED_PREFIX = 'x-edge-added-'
const REPLACED_HEADER = 'x-edge-replaced'

function responseChangesFor({ responseEdits }: EdgeDecision): Readonly<Record<string, string>> {
  if (responseEdits === undefined) return {}
  const changes = changesOf(responseEdits(EXPECTED_PAGE))
  const replaced = changes.filter(({ isReplaced }) => isReplaced).map(({ name }) => name)
  return {
    ...Object.fromEntries(
      changes.flatMap(({ name, value, added }) => [
        ...(value === undefined ? [] : [[RESPONSE_PREFIX + name, value]]),
        ...(added === undefined ? [] : [[ADDED_PREFIX + name, added]]),
      ]),
    ),
    ...(replaced.length > 0 && { [REPLACED_HEADER]: replaced.join(',') }),
  }
}

type Kind = typeof NGINX | typeof FORWARDED | typeof ENVOY

function kindOf(url: string | undefined): Kind | undefined {
  const path = url?.replace(/\?.*$/s, '') // Caddy adds the query of the original request
  if (path === NGINX || path === FORWARDED) return path
  return url?.startsWith(`${ENVOY}/`) === true ? ENVOY : undefined
}

const READERS: Readonly<Record<Kind, (request: IncomingMessage) => EdgeRequest | string>> = {
  [NGINX]: (request) => readHeaders(request, 'x-original-', 'scheme', 'client'),
  [FORWARDED]: (request) => readHeaders(request, 'x-forwarded-', 'proto', 'for'),
  [ENVOY]: readEnvoy,
}

/** @returns a description of the problem if a header is missing or invalid. */
function readHeaders(
  request: IncomingMessage,
  prefix: string,
  schemeName: string,
  clientName: string,
): EdgeRequest | string {
  const [method, target, host, scheme, client] = ['method', 'uri', 'host', schemeName, clientName].map(
    (name) => headerOf(request, prefix + name),
  )
  if (method === undefined || target === undefined || host === undefined)
    return `the proxy must send ${prefix}method, ${prefix}uri and ${prefix}host`
  const clientIp = lastAddress(client)
  if (clientIp === undefined) return `the proxy must send the client's address in ${prefix}${clientName}`
  // nginx sends no body, so that the length of the client's body comes in a header of its own.
  const length = headerOf(request, `${prefix}content-length`)
  const isLeftOut = (name: string): boolean =>
    name.startsWith(prefix) || name === 'host' || name === 'connection' || name === 'content-length'
  const lines = headerLines(request, isLeftOut)
  return {
    method,
    target,
    host,
    isTls: scheme === 'https',
    version: 'HTTP/1.1',
    headers: [
      ['host', host],
      ...lines,
      ...(length === undefined || length === '' ? [] : [['content-length', length] as const]),
    ],
    clientIp,
    serverPort: portOf(host, scheme === 'https'),
  }
}

function readEnvoy(request: IncomingMessage): EdgeRequest | string {
  const { method, url } = request
  const host = headerOf(request, 'host')
  const clientIp = lastAddress(headerOf(request, 'x-forwarded-for'))
  if (method === undefined || url === undefined || host === undefined) return 'the proxy must send a host'
  if (clientIp === undefined) return "the proxy must send the client's address in x-forwarded-for"
  const isTls = headerOf(request, 'x-forwarded-proto') === 'https'
  return {
    method,
    target: url.slice(ENVOY.length),
    host,
    isTls,
    version: 'HTTP/1.1',
    headers: headerLines(request, (name) => name.startsWith('x-forwarded-')),
    clientIp,
    serverPort: portOf(host, isTls),
  }
}

/** The address that the proxy itself has added: earlier ones may come from the client. */
function lastAddress(list: string | undefined): Ip | undefined {
  const last = list?.split(',').at(-1)
  return last === undefined ? undefined : parseIp(last.trim())
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const

/** The port in a Host header, or the default one of the scheme. */
export function portOf(host: string, isTls: boolean): number {
  const port = /:(\d{1,5})$/.exec(asciiLower(host))?.[1]
  return port === undefined ? DEFAULT_PORTS[isTls ? 'https' : 'http'] : Number(port)
}
