// The request line, the headers that have fields of their own, and where the request came from.
import { asciiLower, type Bytes } from '../bytes.ts'
import { percentDecode } from '../functions/url-decode.ts'
import { BOOL, BYTES, BYTES_ARRAY, INT, IP, mapOf } from '../types.ts'
import { type CatalogField, computed } from './catalog-field.ts'
import { type HeaderLine, oncePerRequest, type RequestFacts } from './facts.ts'
import { groupPairs, namesOf, type Pair, splitAt, valuesOf } from './pairs.ts'

/** Header values under the lower-case name. */
export const groupHeaders = (headers: readonly HeaderLine[]) =>
  groupPairs(headers.map(([name, value]) => [asciiLower(name), value]))

/** All values of one header, joined as a list; empty where the header is absent. */
export function headerOf(headers: readonly HeaderLine[], wanted: Bytes, separator = ', '): Bytes {
  return headers
    .filter(([name]) => asciiLower(name) === wanted)
    .map(([, value]) => value)
    .join(separator)
}

/**
 * A host as rules compare it: without port and final dot, in lower case. Clients may spell it in any of these ways and
 * reach the same site (RFC 9110 §4.2.3), so a rule that tells them apart could be walked around.
 */
const hostNameOf = (host: Bytes): Bytes => asciiLower(host.replace(/:\d*$/, '').replace(/\.$/, ''))

const cookieHeader = ({ headers }: RequestFacts): Bytes => headerOf(headers, 'cookie', '; ')

/** Cookie names are decoded, so that two spellings of one name meet; values are kept. */
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

/** Language tags by descending weight; equal weights keep their order, weight 0 means "not this one". */
function acceptedLanguages({ headers }: RequestFacts): readonly Bytes[] {
  return headerOf(headers, 'accept-language')
    .split(',')
    .map((part) => {
      const [tag, ...parameters] = part.split(';').map((piece) => piece.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { tag: tag ?? '', weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

export const REQUEST_FIELDS: readonly CatalogField[] = [
  computed('http.cookie', BYTES, cookieHeader),
  computed('http.host', BYTES, ({ host }) => hostNameOf(host)),
  computed('http.referer', BYTES, ({ headers }) => headerOf(headers, 'referer')),
  computed('http.request.accepted_languages', BYTES_ARRAY, acceptedLanguages),
  computed('http.request.cookies', mapOf(BYTES_ARRAY), (facts) => groupPairs(cookies(facts))),
  computed('http.request.headers', mapOf(BYTES_ARRAY), ({ headers }) => groupHeaders(headers)),
  computed('http.request.headers.names', BYTES_ARRAY, ({ headers }) => namesOf(headers)),
  computed('http.request.headers.truncated', BOOL, ({ areHeadersTruncated }) => areHeadersTruncated === true),
  computed('http.request.headers.values', BYTES_ARRAY, ({ headers }) => valuesOf(headers)),
  computed('http.request.method', BYTES, ({ method }) => method),
  computed('http.request.timestamp.msec', INT, ({ receivedAtMs }) => receivedAtMs % 1000),
  computed('http.request.timestamp.sec', INT, ({ receivedAtMs }) => Math.floor(receivedAtMs / 1000)),
  computed('http.request.version', BYTES, ({ version }) => version),
  computed('http.user_agent', BYTES, ({ headers }) => headerOf(headers, 'user-agent')),
  computed('http.x_forwarded_for', BYTES, ({ headers }) => headerOf(headers, 'x-forwarded-for')),
  computed('ip.src', IP, ({ clientIp }) => clientIp),
  computed('ssl', BOOL, ({ isTls }) => isTls),
]
