// Splits a request into parts once, so that hundreds of rules can inspect them. No octets make it fail.
import {
  type Bytes,
  type EvaluationContext,
  isArray,
  requestContext,
  type RequestFacts,
  requestScheme,
  type Scheme,
} from '@zonereeve/expr'
import { MAX_STRINGS } from './body-strings.ts'
import { MIN_DIGITS } from './encoded-text.ts'
import type { NamedText } from './named-text.ts'
import { MAX_DECODED, MAX_HEADER_BYTES, MAX_TARGET_BYTES, PartReaders } from './part-readers.ts'
import type { PartText, RequestPart } from './request-parts.ts'
import { RequestWork } from './request-work.ts'

/** Characters created by one call: its arguments go on the stack. */
const LATIN1_CHUNK = 8_192

/** The rest of the body is not inspected. */
export const MAX_BODY_BYTES = 128 * 1024
/** Smaller requests have neither more texts than are inspected nor more values than are decoded. */
const SMALL_BYTES = Math.min(MAX_STRINGS - MAX_DECODED, MIN_DIGITS * (MAX_DECODED + 1))

export interface InspectedRequest {
  /** As given, with the inspected part of the body. */
  readonly facts: RequestFacts
  /** The fields of the expression language for the same request. */
  readonly context: () => EvaluationContext
  readonly stringsOf: (part: RequestPart) => readonly PartText[]
  /** All arguments, or headers, with their names. */
  readonly named: (kind: 'arg' | 'header') => readonly NamedText[]
  /** @param name in lower case */
  readonly hasHeader: (name: Bytes) => boolean
  /** A field of which a part is beyond a limit and is not inspected; undefined if there is none. */
  readonly cutField: () => string | undefined
  /** Of all managed rules together. */
  readonly work: RequestWork
}

/** The scheme of detections that are expressions. */
export const DETECTION_SCHEME: Scheme = requestScheme()

/** The value of a Bytes field of the language; empty if the request has none. */
export function fieldText({ context }: InspectedRequest, name: string): Bytes {
  const slot = DETECTION_SCHEME.fields.get(name)?.slot
  const value = slot === undefined ? undefined : context().read(slot)
  const first = isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : ''
}

/**
 * Splits a request. Parts are computed on first use.
 * @param body the octets of the body as received, of any length; if it is empty, `facts.body` is used
 */
export function inspect(facts: RequestFacts, body: Uint8Array): InspectedRequest {
  const inspected = withBody(facts, body)
  let context: EvaluationContext | undefined
  // Many zones have no rule that inspects anything.
  let known: PartReaders | undefined
  const readers = (): PartReaders => (known ??= new PartReaders(inspected))
  const counted: (readonly PartText[] | undefined)[] = []
  /** Most parts are read once. */
  const readPart = (part: RequestPart): readonly PartText[] => {
    const number = COUNTED_NAMES.indexOf(part)
    return number === -1 ? readers().partOf(part) : (counted[number] ??= readers().partOf(part))
  }
  const cutField = (): string | undefined => {
    if (inspected.body?.isTruncated === true) return 'http.request.body.raw'
    if (isBelowLimits(inspected)) return undefined
    if (readers().isBodyCut()) return 'http.request.body.raw'
    if (inspected.target.length > MAX_TARGET_BYTES) return 'http.request.uri'
    if (inspected.headers.some(([, value]) => value.length > MAX_HEADER_BYTES)) return 'http.request.headers'
    return (
      COUNTED_PARTS.find(([part]) => readPart(part).length > MAX_STRINGS)?.[1] ?? readers().undecodedField()
    )
  }
  return {
    facts: inspected,
    // No getter: V8 keeps a hidden class for each object literal that has one, and with it the request, for a long time.
    context: () => (context ??= requestContext(DETECTION_SCHEME, inspected)),
    stringsOf: (part) => firstOf(readPart(part)),
    named: (kind) => readers().named(kind),
    hasHeader: (name) => readers().hasHeader(name),
    cutField,
    work: new RequestWork(),
  }
}

/**
 * Small requests need no split: each text is made of at least an octet, and each decoded one of `MIN_DIGITS` more, so
 * that there are too few of them for any limit.
 */
function isBelowLimits({ target, headers, body }: RequestFacts): boolean {
  let size = target.length + headers.length
  if (body !== undefined) size += body.bytes.length
  for (let i = 0; size < SMALL_BYTES && i < headers.length; i += 1) size += headers[i]?.[1].length ?? 0 // within the list
  return size < SMALL_BYTES
}

const firstOf = (strings: readonly PartText[]): readonly PartText[] =>
  strings.length > MAX_STRINGS ? strings.slice(0, MAX_STRINGS) : strings

/** Parts that can have many strings, and their fields. */
const COUNTED_PARTS: readonly (readonly [RequestPart, string])[] = [
  ['args', 'http.request.uri.args'],
  ['arg-names', 'http.request.uri.args.names'],
  ['cookies', 'http.request.cookies'],
  ['headers', 'http.request.headers'],
  ['files', 'http.request.body.multipart'],
]
const COUNTED_NAMES = COUNTED_PARTS.map(([part]) => part)

function withBody(facts: RequestFacts, body: Uint8Array): RequestFacts {
  if (body.length === 0) {
    const given = facts.body
    if (given === undefined || given.bytes.length <= MAX_BODY_BYTES) return facts
    return { ...facts, body: { ...given, bytes: given.bytes.slice(0, MAX_BODY_BYTES), isTruncated: true } }
  }
  const remaining = body.subarray(0, MAX_BODY_BYTES)
  const bytes = latin1(remaining)
  const isTruncated = remaining.length < body.length
  return { ...facts, body: { bytes, sizeBytes: body.length, isTruncated } }
}

/** Converts each byte to the character with its number. */
function latin1(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += LATIN1_CHUNK)
    // Spread, the bytes would become an array first.
    text += String.fromCharCode.apply(
      null,
      bytes.subarray(start, start + LATIN1_CHUNK) as unknown as number[],
    ) // array-like
  return text
}
