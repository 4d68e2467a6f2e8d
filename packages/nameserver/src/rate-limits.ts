// Response rate limiting: how many answers of each kind a network gets over UDP. Limits what attackers can send to
// forged addresses. Memory is fixed: a table of buckets in which a new network replaces the one that was idle the
// longest.
import { addressOctets } from './peer.ts'

/** Kinds of answers that are counted separately, so that a flood of one kind does not affect the others. */
export const ANSWER_KINDS = ['answer', 'no_data', 'no_name', 'referral', 'error'] as const
export type AnswerKind = (typeof ANSWER_KINDS)[number]

const KIND_NUMBERS: Readonly<Record<AnswerKind, number>> = {
  answer: 0,
  no_data: 1,
  no_name: 2,
  referral: 3,
  error: 4,
}

/** `slip`: sent truncated, so that real clients retry over TCP. */
export type Verdict = 'send' | 'slip' | 'drop'

export interface RateLimitsOptions {
  /** Answers of one kind that a network gets per second. After an idle second it can get them all at once. */
  readonly perSecond: number
  /** Every Nth answer over the limit slips instead of being dropped; 0: none. */
  readonly slip: number
  /** Addresses that are never limited; the result must not change. Called only for answers over the limit. */
  readonly isExempt: (address: string) => boolean
  /** Milliseconds, monotonic. */
  readonly now: () => number
  /** 32 secret bits, so that attackers cannot target a bucket. */
  readonly seed: number
  /** Buckets: a power of two, at least WAYS. */
  readonly buckets?: number
  /** Of rateLimitMemory(): several threads count in it together. */
  readonly memory?: SharedArrayBuffer | undefined
}

export type RateLimits = ReturnType<typeof createRateLimits>

const BUCKETS = 65_536
const BUCKET_OCTETS = 20
/** Buckets that a network may use; all of them are checked. */
const WAYS = 4
/** Networks are counted by these octets: /24 and /56, which is what one customer may get. */
const PREFIX_OCTETS: Readonly<Record<number, number>> = { 4: 3, 16: 7 }

/** Memory for limits that several threads share. Threads that count in one bucket at the same time may lose a count. */
export const rateLimitMemory = (buckets = BUCKETS): SharedArrayBuffer =>
  new SharedArrayBuffer(buckets * BUCKET_OCTETS)

export function createRateLimits(options: RateLimitsOptions) {
  const { perSecond, slip, isExempt, now, seed, buckets = BUCKETS } = options
  const memory = options.memory ?? new ArrayBuffer(buckets * BUCKET_OCTETS)
  const filledAt = new Float64Array(memory, 0, buckets)
  /** Hash of the network and kind of each bucket; 0: free. */
  const owners = new Uint32Array(memory, 8 * buckets, buckets)
  /** Answers that may be sent now. */
  const levels = new Float32Array(memory, 12 * buckets, buckets)
  /** Answers that were not sent since the bucket was last full. */
  const held = new Uint32Array(memory, 16 * buckets, buckets)
  /** The last client and its cached results: packets of one client often arrive together. */
  let lastAddress: string | undefined
  let lastSum = 0
  let lastExempt: boolean | undefined

  return { judge }

  /** Decides on an answer to an address, and counts it. */
  function judge(address: string, kind: AnswerKind): Verdict {
    const time = now()
    const bucket = bucketOf(hash(address, kind), time)
    const elapsed = Math.max(0, time - (filledAt[bucket] ?? 0))
    const level = Math.min(perSecond, (levels[bucket] ?? 0) + (elapsed * perSecond) / 1000)
    filledAt[bucket] = time
    if (level >= 1) {
      levels[bucket] = level - 1
      if (level === perSecond) held[bucket] = 0
      return 'send'
    }
    levels[bucket] = level
    if ((lastExempt ??= isExempt(address))) return 'send'
    const count = (held[bucket] ?? 0) + 1
    held[bucket] = count
    return slip > 0 && count % slip === 0 ? 'slip' : 'drop'
  }

  /** Returns the bucket of an owner: its own, or that of the longest idle owner, refilled. */
  function bucketOf(owner: number, time: number): number {
    const first = (Math.imul(owner, 0x9e37_79b1) >>> 0) & (buckets - 1) & ~(WAYS - 1)
    let oldest = first
    for (let bucket = first; bucket < first + WAYS; bucket += 1) {
      if (owners[bucket] === owner) return bucket
      if ((filledAt[bucket] ?? 0) < (filledAt[oldest] ?? 0)) oldest = bucket
    }
    owners[oldest] = owner
    levels[oldest] = perSecond
    filledAt[oldest] = time
    held[oldest] = 0
    return oldest
  }

  /** FNV-1a over network and kind, never 0. */
  function hash(address: string, kind: AnswerKind): number {
    if (address !== lastAddress) {
      lastSum = networkSum(address, seed)
      lastAddress = address
      lastExempt = undefined
    }
    return step(lastSum, KIND_NUMBERS[kind]) >>> 0 || 1
  }
}

function networkSum(address: string, seed: number): number {
  let sum = 0x811c_9dc5 ^ seed
  if (address.includes(':')) {
    const octets = addressOctets(address)
    const end = PREFIX_OCTETS[octets.length] ?? 0
    for (let i = 0; i < end; i += 1) sum = step(sum, octets[i] ?? 0)
    return sum
  }
  const end = address.lastIndexOf('.')
  for (let i = 0; i < end; i += 1) sum = step(sum, address.charCodeAt(i))
  return sum
}

function step(sum: number, octet: number): number {
  return Math.imul(sum ^ octet, 0x0100_0193)
}
