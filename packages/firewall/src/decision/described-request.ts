// Parses a described request and converts it to the facts that expressions see.
import {
  parseIp,
  utf8,
  withoutMapping,
  type HeaderLine,
  type RequestFacts,
  type ResponseFacts,
} from '@zonereeve/expr'
import type { Issue } from '../issue.ts'

type Plan = 'free' | 'pro' | 'business' | 'enterprise'

export interface DescribedRequest {
  readonly method: string
  readonly url: string
  readonly version: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | undefined
  readonly bodyBase64: string | undefined
  readonly ip: string
  /** Of the origin; undefined if it is not to be traced. */
  readonly response?: DescribedResponse
}

export interface DescribedResponse {
  readonly status: number
  readonly headers: DescribedRequest['headers']
}

export interface DescribedZone {
  readonly name: string
  readonly plan: Plan
}

export interface ReadRequest {
  readonly facts: RequestFacts
  readonly body: Uint8Array
  readonly response: ResponseFacts | undefined
}

/** Plan names in expressions. */
export const PLAN_NAMES: Readonly<Record<Plan, string>> = {
  free: 'FREE',
  pro: 'PRO',
  business: 'BIZ',
  enterprise: 'ENT',
}

// Parsed by hand: a URL parser would normalize the very paths that the firewall inspects.
const URL_PARTS = /^(https?):\/\/([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?([/?][^#\s]*)?(?:#\S*)?$/i
/** As the schema of a single trace; lists of requests have no limit there, so that one does not refuse all. */
const MAX_URL_LENGTH = 32_768
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Reads a description. @returns the facts and the octets of the body, or all issues at once. */
export function readDescribedRequest(
  described: DescribedRequest,
  zone: DescribedZone,
  receivedAtMs: number,
): ReadRequest | readonly Issue[] {
  const issues: Issue[] = []
  const isTooLong = described.url.length > MAX_URL_LENGTH
  const parts = isTooLong ? null : URL_PARTS.exec(described.url)
  if (isTooLong) issues.push(traceIssue('/url', `url must have at most ${MAX_URL_LENGTH} characters`))
  else if (parts === null) issues.push(traceIssue('/url', 'url must be an absolute URL of http or https'))
  const [, scheme = '', host = '', port = '', rest = ''] = parts ?? []
  if (parts !== null && !isWithin(host.toLowerCase(), zone.name))
    issues.push(traceIssue('/url', `the host of url must be ${zone.name} or a name below it`))
  if (port !== '' && !isPort(Number(port.slice(1))))
    issues.push(traceIssue('/url', `the port of url must be 1 to ${MAX_PORT}`))
  const clientIp = parseIp(described.ip)
  if (clientIp === undefined) issues.push(traceIssue('/ip', 'ip must be an IP address'))
  const headers = readHeaders(described.headers, '/headers', issues)
  const response = described.response && {
    status: described.response.status,
    headers: readHeaders(described.response.headers, '/response/headers', issues),
  }
  const body = readBody(described, issues)
  if (issues.length > 0 || clientIp === undefined) return issues
  const isTls = scheme.toLowerCase() === 'https'
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host')
  const hostLine: HeaderLine = ['host', utf8(host + port)]
  const facts: RequestFacts = {
    method: utf8(described.method),
    version: described.version,
    isTls,
    host: utf8(host + port),
    target: utf8(rest.startsWith('/') ? rest : `/${rest}`),
    headers: hasHost ? headers : [hostLine, ...headers],
    // Dual-stack sockets report IPv4 addresses as mapped IPv6 ones; rules about IPv4 must match them.
    clientIp: withoutMapping(clientIp),
    receivedAtMs,
    server: { port: port === '' ? DEFAULT_PORTS[isTls ? 'https' : 'http'] : Number(port.slice(1)) },
    zone: { name: utf8(zone.name), plan: PLAN_NAMES[zone.plan] },
  }
  return { facts, body, response }
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const
const MAX_PORT = 65_535
const isPort = (port: number): boolean => port >= 1 && port <= MAX_PORT

const isWithin = (host: string, apex: string): boolean => host === apex || host.endsWith(`.${apex}`)

const traceIssue = (pointer: string, problem: string): Issue => ({
  reason: 'firewall.trace',
  pointer,
  values: { problem },
})

function readHeaders(
  headers: DescribedRequest['headers'],
  pointer: string,
  issues: Issue[],
): readonly HeaderLine[] {
  return Object.entries(headers).flatMap(([name, given]) => {
    const values = typeof given === 'string' ? [given] : given
    const isGood = HEADER_NAME.test(name) && values.every((value) => !/[\r\n\0]/.test(value))
    if (!isGood)
      issues.push(
        traceIssue(pointer, 'headers must have names of letters, digits and hyphens, and values of one line'),
      )
    return values.map((value): HeaderLine => [utf8(name), utf8(withoutWhitespace(value))])
  })
}

const isWhitespace = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** Strips spaces and tabs around a value, but no other characters (RFC 9110 §5.5), in linear time. */
function withoutWhitespace(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isWhitespace(value[start])) start += 1
  while (end > start && isWhitespace(value[end - 1])) end -= 1
  return value.slice(start, end)
}

function readBody({ body, bodyBase64 }: DescribedRequest, issues: Issue[]): Uint8Array {
  if (body !== undefined && bodyBase64 !== undefined)
    issues.push(traceIssue('/body_base64', 'body and body_base64 are mutually exclusive'))
  if (bodyBase64 === undefined) return new TextEncoder().encode(body ?? '') // a request without a body
  if (BASE64.test(bodyBase64)) return Uint8Array.from(atob(bodyBase64), (octet) => octet.charCodeAt(0))
  issues.push(traceIssue('/body_base64', 'body_base64 must be in Base64'))
  return new Uint8Array()
}
