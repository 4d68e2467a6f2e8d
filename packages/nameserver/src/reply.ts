// The answer while it is written: sections in order, size limit, header last (RFC 1035 §4.1; truncation: RFC 2181
// §9).
import { RCODE, uint16At } from '@zonereeve/dns'
import { OPT_OCTETS, writeOpt } from './edns.ts'
import type { EdnsOptions } from './edns-options.ts'
import type { AnswerObserver } from './observer.ts'
import type { CountedZone } from './metrics.ts'
import { HEADER_OCTETS } from './query.ts'
import type { Query } from './query.ts'
import { RDATA_OFFSET } from './rrset.ts'
import type { Rrset } from './rrset.ts'

/** Highest offset of a compression pointer (RFC 1035 §4.1.4). */
const MAX_POINTER = 0x3fff

/** Holds one answer at a time, written into the caller's buffer. */
export class Reply {
  out: Uint8Array = new Uint8Array(0)
  /** Position of the next record. */
  at = 0
  rcode: number = RCODE.NOERROR
  /** The AA bit. */
  authoritative = false
  /** The zone that the question was in. */
  zone: CountedZone | undefined
  readonly #query: Query
  readonly #observer: AnswerObserver | undefined
  #limit = 0
  #truncated = false
  #isPutOff = false
  #answers = 0
  #authorities = 0
  #additionals = 0

  constructor(query: Query, observer?: AnswerObserver) {
    this.#query = query
    this.#observer = observer
  }

  /**
   * Begins with the question as received, with its case. `limit` is the size of the whole answer; `optionOctets` of
   * it are reserved for EDNS options.
   */
  start(packet: Uint8Array, out: Uint8Array, limit: number, optionOctets = 0): void {
    const { questionEnd, hasEdns } = this.#query
    for (let i = HEADER_OCTETS; i < questionEnd; i += 1) out[i] = packet[i] as number // within the question
    this.out = out
    this.at = questionEnd
    this.rcode = RCODE.NOERROR
    this.authoritative = false
    this.zone = undefined
    this.#limit = Math.min(limit, out.length) - (hasEdns ? OPT_OCTETS + optionOctets : 0)
    this.#clear()
    this.#truncated = false
    this.#isPutOff = false
  }

  /**
   * Adds an rrset owned by the name at `owner` in this message. Returns false, and adds nothing, if it does not fit.
   */
  answer(rrset: Rrset, owner: number): boolean {
    if (!this.#put(rrset, owner)) return false
    this.#answers += rrset.count
    this.#observer?.wrote('answer', rrset)
    return true
  }

  /** As answer(); only after all answers. */
  authority(rrset: Rrset, owner: number): boolean {
    if (!this.#put(rrset, owner)) return false
    this.#authorities += rrset.count
    this.#observer?.wrote('authority', rrset)
    return true
  }

  /**
   * As authority(), for one record and its signatures whose owner is `label` below the name at `parent` in this
   * message. Where no pointer can refer to that owner, each record has it in full.
   */
  authorityBelow(rrset: Rrset, label: Uint8Array, parent: number): boolean {
    const { out, at } = this
    const { wire, count } = rrset
    const isInReach = at <= MAX_POINTER
    const end = at + label.length * (isInReach ? 1 : count) + wire.length
    if (end > this.#limit || parent > MAX_POINTER) return false
    if (isInReach) writeBelow(out, at, rrset, label, parent)
    else writeEachBelow(out, at, rrset, label, parent)
    this.at = end
    this.#authorities += rrset.count
    this.#observer?.wrote('authority', rrset)
    return true
  }

  /** As answer(); only after all answers and authorities. */
  additional(rrset: Rrset, owner: number): boolean {
    if (!this.#put(rrset, owner)) return false
    this.#additionals += rrset.count
    this.#observer?.wrote('additional', rrset)
    return true
  }

  /** A required record did not fit: the answer will have TC set and no records. */
  truncate(): void {
    this.#truncated = true
  }

  /**
   * A required record cannot be made now. As truncate(), but the answer must not be cached: the next one may be
   * complete.
   */
  putOff(): void {
    this.#truncated = true
    this.#isPutOff = true
  }

  get isPutOff(): boolean {
    return this.#isPutOff
  }

  get truncated(): boolean {
    return this.#truncated
  }

  /** Discards everything written and sets TC, so that the client retries over TCP. */
  slip(): void {
    this.fail(RCODE.NOERROR)
    this.#truncated = true
  }

  /** Discards everything written and answers with `rcode` alone. */
  fail(rcode: number): void {
    this.#clear()
    this.#truncated = false
    this.authoritative = false
    this.rcode = rcode
  }

  /** Whether the answer section has records. */
  get hasAnswers(): boolean {
    return this.#answers > 0
  }

  /** Writes OPT record and header. Returns the length of the whole answer. */
  finish(payloadOctets: number, options?: EdnsOptions): number {
    const query = this.#query
    const { out } = this
    if (this.#truncated) this.#clear()
    let end = this.at
    if (query.hasEdns) {
      writeOpt(query, out, end, payloadOctets, this.rcode)
      end = options?.write(out, end) ?? end + OPT_OCTETS
    }
    out[0] = query.id >> 8
    out[1] = query.id & 0xff
    // QR, the opcode and RD of the query; AA and TC of the answer. RA, Z, AD and CD stay clear (RFC 4035 §3.1.6).
    out[2] = 0x80 | ((query.flags >> 8) & 0x79) | (this.authoritative ? 4 : 0) | (this.#truncated ? 2 : 0)
    out[3] = this.rcode & 0xf
    put16(out, 4, query.questionEnd > HEADER_OCTETS ? 1 : 0)
    put16(out, 6, this.#answers)
    put16(out, 8, this.#authorities)
    put16(out, 10, this.#additionals + (query.hasEdns ? 1 : 0))
    return end
  }

  #clear(): void {
    this.#observer?.cleared()
    this.at = this.#query.questionEnd
    this.#answers = 0
    this.#authorities = 0
    this.#additionals = 0
  }

  #put(rrset: Rrset, owner: number): boolean {
    const { wire } = rrset
    const { out, at } = this
    const end = at + wire.length
    if (end > this.#limit || owner > MAX_POINTER) return false
    if (wire.length > 64) out.set(wire, at)
    else for (let i = 0; i < wire.length; i += 1) out[at + i] = wire[i] as number // within it
    if (owner !== HEADER_OCTETS) pointOwners(out, at, end, owner)
    this.at = end
    return true
  }
}

/** Writes one record and its signatures at `at`; their owner is `label` below the name at `parent` in the message. */
export function writeBelow(
  out: Uint8Array,
  at: number,
  { wire }: Rrset,
  label: Uint8Array,
  parent: number,
): void {
  const first = at + label.length
  out.set(label, at)
  out.set(wire, first)
  put16(out, first, 0xc000 | parent)
  const second = first + RDATA_OFFSET + uint16At(out, first + 10)
  pointOwners(out, second, first + wire.length, at)
}

/** As writeBelow(), with the owner at each record. */
function writeEachBelow(
  out: Uint8Array,
  start: number,
  { wire }: Rrset,
  label: Uint8Array,
  parent: number,
): void {
  for (let from = 0, at = start; from < wire.length;) {
    const next = from + RDATA_OFFSET + uint16At(wire, from + 10)
    out.set(label, at)
    out.set(wire.subarray(from, next), at + label.length)
    put16(out, at + label.length, 0xc000 | parent)
    at += label.length + next - from
    from = next
  }
}

/** Sets the owner of every record of the rrset in `out[at, end)` to the name at `owner`. */
export function pointOwners(out: Uint8Array, start: number, end: number, owner: number): void {
  for (let at = start; at < end;) {
    put16(out, at, 0xc000 | owner)
    at += RDATA_OFFSET + uint16At(out, at + 10)
  }
}

function put16(out: Uint8Array, at: number, value: number): void {
  out[at] = value >> 8
  out[at + 1] = value & 0xff
}
