// Caches UDP answers as they were sent, keyed by the query's bytes after the ID. An answer is cached from the second
// identical query on.
//
// Entries are never stale: every zone change empties the cache before the next query is read. Entries lie one after
// another in one buffer, and a table of fixed size holds their positions. Positions only grow, so the cache is
// emptied by raising the lowest valid position.
import { RCODE, rcodeText } from '@zonereeve/dns'
import { OPT_OCTETS } from './edns.ts'
import type { CountedZone, NameserverMetrics } from './metrics.ts'
import type { Peer } from './peer.ts'
import { HEADER_OCTETS } from './query.ts'
import type { Query } from './query.ts'
import { ANSWER_KINDS } from './rate-limits.ts'
import type { AnswerKind, RateLimits } from './rate-limits.ts'

/** find() returns this if the answer is not cached. */
export const NOT_KEPT = -1

export interface AnswerCacheLimits {
  /** Bytes of queries and answers together. When they are used up, the whole cache is emptied. */
  readonly memoryOctets: number
  /** Entries of the table, a power of two. */
  readonly places: number
  /**
   * How many hashes of queries seen once are remembered, a power of two. 0: answers are cached at the first query.
   */
  readonly seen: number
  /** Longer queries are not cached. */
  readonly questionOctets: number
  readonly answerOctets: number
  /** Maximum age in milliseconds: signatures are renewed over time. */
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
  /** Changes whenever any answer can change. */
  readonly version: () => number
  readonly metrics: NameserverMetrics
  readonly rateLimits?: RateLimits | undefined
  /** Milliseconds. */
  readonly now: () => number
  readonly limits?: Partial<AnswerCacheLimits>
}

/** The fields of a query that decide whether its answer is cached. */
type KeptQuery = Pick<Query, 'questionEnd' | 'hasEdns' | 'type'>

export type AnswerCache = ReturnType<typeof createAnswerCache>

/** Table entries that a query may use. */
const WAYS = 4

/**
 * QTYPEs and meta types start here (RFC 6895 §3.1). They are never cached, because their handlers must see every
 * query.
 */
const FIRST_QTYPE = 128
const LAST_QTYPE = 254

/** Offsets of the 16-bit fields at the start of each entry; the lengths of query and answer include the ID. */
const ENTRY = { QUESTION: 0, ANSWER: 2, KIND: 4, RCODE: 6, ZONE: 8, OCTETS: 10 } as const
const MAX_ZONES = 65_535

/** Positions are 32-bit. Before they overflow, the table is cleared and they start again. */
const MAX_POSITION = 0x7fff_ffff

/** Length of the ID, which is not part of the key. */
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
  /** Hashes of queries seen once. Random names come only once and must not evict repeated queries. */
  const seen = new Int32Array(limits.seen)
  /** Lowest valid position in the buffer. Position 0 is never valid. */
  let base = 1
  let used = 0
  let keptVersion = -1
  let expiresAt = -Infinity
  /** Zones whose queries are counted, indexed by the number in the entry. */
  let zones: (CountedZone | undefined)[] = []
  let zoneNumbers = new Map<CountedZone | undefined, number>()

  return { find, keep }

  /**
   * Writes the cached answer to the packet in the first `length` octets into `out`, and counts it. Returns its
   * length, 0 if it must not be sent, or NOT_KEPT if there is none.
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

  /** As Reply.slip: the question and TC, and the OPT record if there is one (it is the last record). */
  function writeSlip(entry: number, packet: Uint8Array, out: Uint8Array): number {
    const whole = writeWhole(entry, packet, out)
    const question = get16(entry, ENTRY.QUESTION)
    const optOctets = packet[11] === 0 ? 0 : OPT_OCTETS
    const questionEnd = question - optOctets
    out.copyWithin(questionEnd, whole - optOctets, whole)
    out[2] = ((out[2] ?? 0) & ~4) | 2 // clears AA, sets TC
    out[3] = 0
    for (let i = 6; i < HEADER_OCTETS; i += 1) out[i] = 0
    out[11] = optOctets === 0 ? 0 : 1
    return question
  }

  /** Caches the answer in the first `octets` of `out`, if the query is cacheable and was seen before. */
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

  /** Returns whether a query with this hash was seen before, and remembers the hash. */
  function isSeen(sum: number): boolean {
    if (limits.seen === 0) return true
    const place = (sum >>> 7) & (limits.seen - 1)
    const isKnown = seen[place] === sum
    seen[place] = sum
    return isKnown
  }

  /** Returns a free table entry for this hash, or the first of its entries. */
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

/**
 * Whether the query is one question for data with at most an OPT record without options, and was answered from data.
 */
function isPlain({ questionEnd, hasEdns, type }: KeptQuery, length: number, rcode: number): boolean {
  if (questionEnd === HEADER_OCTETS || questionEnd + (hasEdns ? OPT_OCTETS : 0) !== length) return false
  if (type >= FIRST_QTYPE && type <= LAST_QTYPE) return false
  return rcode === RCODE.NOERROR || rcode === RCODE.NXDOMAIN || rcode === RCODE.REFUSED
}

/** Hashes everything after the ID, four octets at a time, because this runs for every packet. */
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
