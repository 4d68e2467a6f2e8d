// Answers over UDP, kept as they were sent and found again by the octets of the question: most questions are asked often.
// Kept is what is asked a second time.
//
// Nothing is ever stale: whatever changes the zones empties the cache, before the next question is read. What is kept lies
// behind one another in one piece of memory; a table of fixed size tells where. Positions only rise, so that emptying is to
// say from which on they count.
import { RCODE, rcodeText } from '@zonereeve/dns'
import { OPT_OCTETS } from './edns.ts'
import type { CountedZone, NameserverMetrics } from './metrics.ts'
import type { Peer } from './peer.ts'
import { HEADER_OCTETS } from './query.ts'
import type { Query } from './query.ts'
import { ANSWER_KINDS } from './rate-limits.ts'
import type { AnswerKind, RateLimits } from './rate-limits.ts'

/** What find() returns for a question whose answer is not kept. */
export const NOT_KEPT = -1

export interface AnswerCacheLimits {
  /** Octets of questions and answers together; when they are used up, everything is forgotten. */
  readonly memoryOctets: number
  /** Places of the table, a power of two. */
  readonly places: number
  /** Questions that were seen once and are remembered, a power of two; with none, an answer is kept at once. */
  readonly seen: number
  /** Larger ones are not kept. */
  readonly questionOctets: number
  readonly answerOctets: number
  /** Milliseconds: signatures are renewed as time goes by. */
  readonly ageMs: number
}

export const ANSWER_CACHE_LIMITS: AnswerCacheLimits = {
  memoryOctets: 8_388_608,
  places: 131_072,
  seen: 65_536,
  questionOctets: 128,
  answerOctets: 512,
  ageMs: 30_000,
}

export interface AnswerCacheDeps {
  /** Differs after every change of what is answered. */
  readonly version: () => number
  readonly metrics: NameserverMetrics
  readonly rateLimits?: RateLimits | undefined
  /** Milliseconds. */
  readonly now: () => number
  readonly limits?: Partial<AnswerCacheLimits>
}

/** What of a query decides whether its answer is kept. */
type KeptQuery = Pick<Query, 'questionEnd' | 'hasEdns' | 'type'>

export type AnswerCache = ReturnType<typeof createAnswerCache>

/** Places that a question may take. */
const WAYS = 4

/** Types that are questions for more than data: whoever answers them must see them (RFC 6895 §3.1: QTYPEs). */
const FIRST_QTYPE = 128
const LAST_QTYPE = 254

/** Where fields of 16 bits stand in front of the octets of each entry; lengths of question and answer count the id. */
const ENTRY = { QUESTION: 0, ANSWER: 2, KIND: 4, RCODE: 6, ZONE: 8, OCTETS: 10 } as const
const MAX_ZONES = 65_535

/** Positions are kept in 32 bits; before they overflow, the table is wiped and counting begins anew. */
const MAX_POSITION = 0x7fff_ffff

/** Octets of a message before what makes it equal to another one: its id. */
const ID_OCTETS = 2

export function createAnswerCache({
  version,
  metrics,
  rateLimits,
  now,
  limits: given = {},
}: AnswerCacheDeps) {
  const limits = { ...ANSWER_CACHE_LIMITS, ...given }
  const memory = Buffer.from(new ArrayBuffer(limits.memoryOctets))
  const positions = new Uint32Array(limits.places)
  const hashes = new Int32Array(limits.places)
  const mask = limits.places - 1
  /** Hashes of questions that came once. Random names come once, and must not push out what is asked again and again. */
  const seen = new Int32Array(limits.seen)
  /** Position of the first octet in memory; those before it are no more. Position 0 is nothing's. */
  let base = 1
  let used = 0
  let keptVersion = -1
  let expiresAt = -Infinity
  /** The zones that entries are counted for, by the entries' numbers. */
  let zones: (CountedZone | undefined)[] = []
  let zoneNumbers = new Map<CountedZone | undefined, number>()

  return { find, keep }

  /**
   * Writes the kept answer to the packet in the first `length` octets into `out`, and counts it. Returns its length; 0 when
   * it is not to be sent, NOT_KEPT when there is none.
   */
  function find(packet: Uint8Array, length: number, peer: Peer, out: Uint8Array): number {
    if (length < HEADER_OCTETS || length > limits.questionOctets) return NOT_KEPT
    if (version() !== keptVersion || now() >= expiresAt) {
      forget()
      return NOT_KEPT
    }
    const sum = hash(packet, length)
    for (let i = 0; i < WAYS; i += 1) {
      const place = (sum + i) & mask
      const position = positions[place] ?? 0
      if (position < base) return NOT_KEPT
      const entry = position - base
      if (hashes[place] === sum && isFor(entry, packet, length)) return answer(entry, packet, peer, out)
    }
    return NOT_KEPT
  }

  function isFor(entry: number, packet: Uint8Array, length: number): boolean {
    if (get16(entry, ENTRY.QUESTION) !== length) return false
    const shift = entry + ENTRY.OCTETS - ID_OCTETS
    for (let i = ID_OCTETS; i < length; i += 1) if (memory[shift + i] !== packet[i]) return false
    return true
  }

  function answer(entry: number, packet: Uint8Array, peer: Peer, out: Uint8Array): number {
    const kind = ANSWER_KINDS[get16(entry, ENTRY.KIND)] ?? 'error'
    const verdict = rateLimits === undefined ? 'send' : rateLimits.judge(peer.address, kind)
    if (verdict === 'drop') {
      metrics.countDropped('udp', 'rate')
      return 0
    }
    const isSlip = verdict === 'slip'
    const octets = isSlip ? writeSlip(entry, packet, out) : writeWhole(entry, packet, out)
    const rcode = isSlip ? RCODE.NOERROR : get16(entry, ENTRY.RCODE)
    metrics.countQuery('udp', rcodeText(rcode), zones[get16(entry, ENTRY.ZONE)])
    return octets
  }

  function writeWhole(entry: number, packet: Uint8Array, out: Uint8Array): number {
    const octets = get16(entry, ENTRY.ANSWER)
    const shift = entry + ENTRY.OCTETS + get16(entry, ENTRY.QUESTION) - 2 * ID_OCTETS
    out[0] = packet[0] ?? 0
    out[1] = packet[1] ?? 0
    for (let i = ID_OCTETS; i < octets; i += 1) out[i] = memory[shift + i] ?? 0
    return octets
  }

  /** As Reply.slip: the question, and TC; an OPT record if there is one, which is the last. */
  function writeSlip(entry: number, packet: Uint8Array, out: Uint8Array): number {
    const whole = writeWhole(entry, packet, out)
    const question = get16(entry, ENTRY.QUESTION)
    const optOctets = packet[11] === 0 ? 0 : OPT_OCTETS
    const questionEnd = question - optOctets
    out.copyWithin(questionEnd, whole - optOctets, whole)
    out[2] = ((out[2] ?? 0) & ~4) | 2 // neither authoritative nor whole
    out[3] = 0
    for (let i = 6; i < HEADER_OCTETS; i += 1) out[i] = 0
    out[11] = optOctets === 0 ? 0 : 1
    return question
  }

  /** Keeps the answer in the first `octets` of `out` to a query, if it is one of those that are asked again and again. */
  function keep(
    query: KeptQuery,
    packet: Uint8Array,
    length: number,
    made: {
      readonly out: Uint8Array
      readonly octets: number
      readonly rcode: number
      readonly kind: AnswerKind
      readonly zone: CountedZone | undefined
    },
  ): void {
    const { out, octets, rcode, kind, zone } = made
    if (length > limits.questionOctets || octets > limits.answerOctets || !isPlain(query, length, rcode))
      return
    const sum = hash(packet, length)
    if (!isSeen(sum)) return
    const size = ENTRY.OCTETS + length + octets - 2 * ID_OCTETS
    if (version() !== keptVersion || used + size > limits.memoryOctets) forget()
    const zoneNumber = numberOf(zone)
    if (zoneNumber === undefined || size > limits.memoryOctets) return
    const entry = used
    used += size
    put16(entry, ENTRY.QUESTION, length)
    put16(entry, ENTRY.ANSWER, octets)
    put16(entry, ENTRY.KIND, ANSWER_KINDS.indexOf(kind))
    put16(entry, ENTRY.RCODE, rcode)
    put16(entry, ENTRY.ZONE, zoneNumber)
    let at = entry + ENTRY.OCTETS
    for (let i = ID_OCTETS; i < length; i += 1) memory[at++] = packet[i] ?? 0
    for (let i = ID_OCTETS; i < octets; i += 1) memory[at++] = out[i] ?? 0
    const place = placeFor(sum)
    positions[place] = base + entry
    hashes[place] = sum
  }

  /** Whether a question with this hash came before; notes that it has. */
  function isSeen(sum: number): boolean {
    if (limits.seen === 0) return true
    const place = (sum >>> 7) & (limits.seen - 1)
    const isKnown = seen[place] === sum
    seen[place] = sum
    return isKnown
  }

  /** A free place of those that a question may take, or the first of them. */
  function placeFor(sum: number): number {
    for (let i = 0; i < WAYS; i += 1) if ((positions[(sum + i) & mask] ?? 0) < base) return (sum + i) & mask
    return sum & mask
  }

  function numberOf(zone: CountedZone | undefined): number | undefined {
    const known = zoneNumbers.get(zone)
    if (known !== undefined) return known
    if (zones.length === MAX_ZONES) return undefined
    zoneNumbers.set(zone, zones.length)
    return zones.push(zone) - 1
  }

  function forget(): void {
    base += used
    used = 0
    keptVersion = version()
    expiresAt = now() + limits.ageMs
    if (zones.length > 0) {
      zones = []
      zoneNumbers = new Map()
    }
    if (base + limits.memoryOctets <= MAX_POSITION) return
    positions.fill(0)
    base = 1
  }

  function get16(entry: number, field: number): number {
    return (memory[entry + field] ?? 0) | ((memory[entry + field + 1] ?? 0) << 8)
  }

  function put16(entry: number, field: number, value: number): void {
    memory[entry + field] = value & 0xff
    memory[entry + field + 1] = value >> 8
  }
}

/** One question for data, and at most an OPT record without options; answered from data. */
function isPlain({ questionEnd, hasEdns, type }: KeptQuery, length: number, rcode: number): boolean {
  if (questionEnd === HEADER_OCTETS || questionEnd + (hasEdns ? OPT_OCTETS : 0) !== length) return false
  if (type >= FIRST_QTYPE && type <= LAST_QTYPE) return false
  return rcode === RCODE.NOERROR || rcode === RCODE.NXDOMAIN || rcode === RCODE.REFUSED
}

/** Of all octets but those of the id; by four, since this is done for each packet. */
function hash(packet: Uint8Array, length: number): number {
  let sum = length
  let at = ID_OCTETS
  for (; at + 4 <= length; at += 4) {
    const four =
      (packet[at] ?? 0) |
      ((packet[at + 1] ?? 0) << 8) |
      ((packet[at + 2] ?? 0) << 16) |
      ((packet[at + 3] ?? 0) << 24)
    sum = Math.imul(sum ^ four, 0x9e37_79b1)
    sum ^= sum >>> 15
  }
  for (; at < length; at += 1) sum = Math.imul(sum ^ (packet[at] ?? 0), 0x0100_0193)
  return sum ^ (sum >>> 13)
}
