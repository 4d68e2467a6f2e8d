// The request target: as received (`raw.…`) and normalized, its path, its query and its arguments.
import { asciiLower, asciiUpper, type Bytes } from '../bytes.ts'
import { percentDecode } from '../functions/url-decode.ts'
import { BYTES, BYTES_ARRAY, mapOf } from '../types.ts'
import { type CatalogField, computedField } from './catalog-field.ts'
import { oncePerRequest, type PathNormalization, type RequestFacts } from './facts.ts'
import { groupPairs, namesOf, splitAt, splitQuery, valuesOf } from './pairs.ts'

type Target = { readonly path: Bytes; readonly query: Bytes; readonly uri: Bytes }

function targetOf(path: Bytes, query: Bytes, target: Bytes): Target {
  return { path, query, uri: target.includes('?') ? `${path}?${query}` : path }
}

function splitTarget(target: Bytes): Target {
  const [path, query] = splitAt(target, target.indexOf('?'))
  return targetOf(path, query, target)
}

const rawTarget = oncePerRequest(({ target, rawTarget: received = target }) => splitTarget(received))

const normalTarget = oncePerRequest((facts) => {
  const plain = facts.rawTarget === undefined ? rawTarget(facts) : splitTarget(facts.target)
  const path = normalisePath(plain.path, facts.normalization)
  return path === plain.path ? plain : targetOf(path, plain.query, facts.target)
})

/**
 * The path as rules should see it. `rfc3986`: unreserved characters decoded, digits of other escapes in upper case, dot
 * segments removed (RFC 3986 §6.2.2). `cloudflare`: in addition, backslashes as slashes and repeated slashes as one.
 * `none`: as received.
 */
export function normalisePath(path: Bytes, normalization: PathNormalization = 'cloudflare'): Bytes {
  if (normalization === 'none' || isNormal(path)) return path
  const decoded = decodeUnreserved(path)
  return normalization === 'rfc3986'
    ? withoutDotSegments(decoded)
    : joinSegments(decoded.replaceAll('\\', '/').split('/'))
}

/** True for nearly all paths: neither normalization changes them. */
const isNormal = (path: Bytes): boolean =>
  path.startsWith('/') &&
  !path.includes('%') &&
  !path.includes('//') &&
  !path.includes('/.') &&
  !path.includes('\\')

/** Path and query with the path normalized. */
export function normaliseTarget(target: Bytes, normalization: PathNormalization): Bytes {
  const [path, query] = splitAt(target, target.indexOf('?'))
  return targetOf(normalisePath(path, normalization), query, target).uri
}

/**
 * Escapes of unreserved characters are decoded, unless the digit that one stands for would complete an escape with a `%`
 * before it that is none: `%%41a` stays, so that what was decoded once is never read as an escape.
 */
function decodeUnreserved(path: Bytes): Bytes {
  if (!path.includes('%')) return path
  let out = ''
  for (let i = 0; i < path.length; i += 1) {
    const escape = path.slice(i, i + 3)
    const character = escape.length === 3 ? percentDecode(escape) : ''
    if (character.length !== 1) out += path.charAt(i)
    else {
      const isDecoded = UNRESERVED.has(character) && !(HEX_DIGIT.test(character) && OPEN_ESCAPE.test(out))
      out += isDecoded ? character : asciiUpper(escape)
      i += 2
    }
  }
  return out
}

const UNRESERVED = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')
const HEX_DIGIT = /[0-9A-Fa-f]/
/** A `%` at the end that is no escape, alone or with one digit. */
const OPEN_ESCAPE = /%[0-9A-Fa-f]?$/

/** Empty segments stay (RFC 3986 §5.2.4). */
function withoutDotSegments(path: Bytes): Bytes {
  const segments = path.split('/')
  const out: Bytes[] = []
  for (const [i, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..'
    if (segment === '..' && out.length > 1) out.pop()
    if (!isDots) out.push(segment)
    else if (i === 0 || i === segments.length - 1) out.push('')
  }
  return out.join('/')
}

/** Joins segments without dot segments and without empty segments inside. */
function joinSegments(segments: readonly Bytes[]): Bytes {
  const out: Bytes[] = []
  for (const [i, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..'
    const isEdge = i === 0 || i === segments.length - 1
    if (segment === '..' && out.length > 1) out.pop()
    if (!isDots && (segment !== '' || isEdge)) out.push(segment)
    else if (isDots && isEdge) out.push('')
  }
  return out.join('/')
}

/** The text after the last dot of the last segment, in lower case; empty if there is no dot. */
function extensionOf(path: Bytes): Bytes {
  const segment = path.slice(path.lastIndexOf('/') + 1)
  const dot = segment.lastIndexOf('.')
  return dot === -1 ? '' : asciiLower(segment.slice(dot + 1))
}

const fullUri = ({ isTls, host }: RequestFacts, uri: Bytes): Bytes =>
  `${isTls ? 'https' : 'http'}://${asciiLower(host)}${uri}`

/** The same fields for either form of the target. */
function targetFields(prefix: string, target: (facts: RequestFacts) => Target): readonly CatalogField[] {
  const args = oncePerRequest((facts) => splitQuery(target(facts).query))
  const uri = `${prefix}http.request.uri`
  return [
    computedField(`${prefix}http.request.full_uri`, BYTES, (facts) => fullUri(facts, target(facts).uri)),
    computedField(uri, BYTES, (facts) => target(facts).uri),
    computedField(`${uri}.path`, BYTES, (facts) => target(facts).path),
    computedField(`${uri}.path.extension`, BYTES, (facts) => extensionOf(target(facts).path)),
    computedField(`${uri}.query`, BYTES, (facts) => target(facts).query),
    computedField(`${uri}.args`, mapOf(BYTES_ARRAY), (facts) => groupPairs(args(facts))),
    computedField(`${uri}.args.names`, BYTES_ARRAY, (facts) => namesOf(args(facts))),
    computedField(`${uri}.args.values`, BYTES_ARRAY, (facts) => valuesOf(args(facts))),
  ]
}

export const URI_FIELDS: readonly CatalogField[] = [
  ...targetFields('', normalTarget),
  ...targetFields('raw.', rawTarget),
]
