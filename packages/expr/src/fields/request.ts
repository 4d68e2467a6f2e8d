// The request line, headers with their own fields, and the client's address.
import { elementAt } from '../checked-reads.ts'
import { asciiLower, type Bytes } from '../bytes.ts'
import { percentDecode } from '../functions/url-decode.ts'
import { BOOL, BYTES, BYTES_ARRAY, INT, IP, mapOf } from '../types.ts'
import { type CatalogField, computedField } from './catalog-field.ts'
import { type HeaderLine, oncePerRequest, type RequestFacts } from './facts.ts'
import { groupPairs, namesOf, type Pair, splitAt, valuesOf } from './pairs.ts'

/** Header values under the lower-case name. */
export const groupHeaders = (headers: readonly HeaderLine[]) =>
  groupPairs(headers.map(([name, value]) => [asciiLower(name), value]))

/** All values of one header, joined as a list; empty if the header is absent. */
export function headerOf(headers: readonly HeaderLine[], desired: Bytes, separator = ', '): Bytes {
  let found: Bytes | undefined
  for (const [name, value] of headers) {
    if (name.length !== desired.length || asciiLower(name) !== desired) continue
    found = found === undefined ? value : found + separator + value
  }
  return found ?? '' // not sent
}

/**
 * A host as rules compare it: without port and final dot, in lower case. Clients can use any spelling and reach the
 * same site (RFC 9110 §4.2.3), so a rule that distinguished them could be bypassed.
 */
const hostNameOf = (host: Bytes): Bytes => asciiLower(host.replace(/:\d*$/, '').replace(/\.$/, ''))

const cookieHeader = ({ headers }: RequestFacts): Bytes => headerOf(headers, 'cookie', '; ')

/** Cookie names are decoded, so that two spellings of one name are equal; values are kept. */
const cookies = oncePerRequest((facts) =>
  cookieHeader(facts)
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): Pair => {
      const [name, value] = splitAt(part, part.indexOf('='))
      return [percentDecode(name), value]
    }),
)

/** Language tags by descending weight; equal weights keep their order, weight 0 means "not acceptable". */
function acceptedLanguages({ headers }: RequestFacts): readonly Bytes[] {
  return headerOf(headers, 'accept-language')
    .split(',')
    .map((part) => {
      const segments = part.split(';').map((segment) => segment.trim())
      const weight = segments.slice(1).find((parameter) => parameter.startsWith('q='))
      return { tag: elementAt(segments, 0), weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

export const REQUEST_FIELDS: readonly CatalogField[] = [
  computedField('http.cookie', BYTES, cookieHeader),
  computedField('http.host', BYTES, ({ host }) => hostNameOf(host)),
  computedField('http.referer', BYTES, ({ headers }) => headerOf(headers, 'referer')),
  computedField('http.request.accepted_languages', BYTES_ARRAY, acceptedLanguages),
  computedField('http.request.cookies', mapOf(BYTES_ARRAY), (facts) => groupPairs(cookies(facts))),
  computedField('http.request.headers', mapOf(BYTES_ARRAY), ({ headers }) => groupHeaders(headers)),
  computedField('http.request.headers.names', BYTES_ARRAY, ({ headers }) => namesOf(headers)),
  computedField(
    'http.request.headers.truncated',
    BOOL,
    ({ areHeadersTruncated }) => areHeadersTruncated === true,
  ),
  computedField('http.request.headers.values', BYTES_ARRAY, ({ headers }) => valuesOf(headers)),
  computedField('http.request.method', BYTES, ({ method }) => method),
  computedField('http.request.timestamp.msec', INT, ({ receivedAtMs }) => receivedAtMs % 1000),
  computedField('http.request.timestamp.sec', INT, ({ receivedAtMs }) => Math.floor(receivedAtMs / 1000)),
  computedField('http.request.version', BYTES, ({ version }) => version),
  computedField('http.user_agent', BYTES, ({ headers }) => headerOf(headers, 'user-agent')),
  computedField('http.x_forwarded_for', BYTES, ({ headers }) => headerOf(headers, 'x-forwarded-for')),
  computedField('ip.src', IP, ({ clientIp }) => clientIp),
  computedField('ssl', BOOL, ({ isTls }) => isTls),
]
