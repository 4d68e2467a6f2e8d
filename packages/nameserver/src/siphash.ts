// SipHash-2-4: a keyed 64-bit hash for short input (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
// 64-bit words are pairs of 32-bit halves, because BigInt would be many times slower.

/** Octets of the key. */
export const SIPHASH_KEY_OCTETS = 16

/** Octets of the hash. */
export const SIPHASH_OCTETS = 8

const FINAL_ROUNDS = 4

/** The words v0 to v3, the lower half of each before its upper half. Shared by all calls, which never overlap. */
const state = new Int32Array(8)

function word(at: number): number {
  const value = state[at]
  if (value === undefined) throw new RangeError(`the state has no word ${at}`)
  return value
}

/** Hashes `input` with a key of 16 octets. Returns 8 octets in the order of the reference implementation. */
export function sipHash(key: Uint8Array, input: Uint8Array): Uint8Array {
  start(key)
  const { length } = input
  const whole = length - (length % 8)
  for (let at = 0; at < whole; at += 8) compress(low32(input, at), low32(input, at + 4))
  // Beyond its end the input reads as zeros; the last octet is its length.
  compress(low32(input, whole), low32(input, whole + 4) | (length << 24))
  state[4] = word(4) ^ 0xff
  rounds(FINAL_ROUNDS)
  const hash = new Uint8Array(SIPHASH_OCTETS)
  put32(hash, 0, word(0) ^ word(2) ^ word(4) ^ word(6))
  put32(hash, 4, word(1) ^ word(3) ^ word(5) ^ word(7))
  return hash
}

/** "somepseudorandomlygeneratedbytes", each word XORed with half of the key. */
function start(key: Uint8Array): void {
  const k0 = low32(key, 0)
  const k1 = low32(key, 4)
  const k2 = low32(key, 8)
  const k3 = low32(key, 12)
  state[0] = 0x70736575 ^ k0
  state[1] = 0x736f6d65 ^ k1
  state[2] = 0x6e646f6d ^ k2
  state[3] = 0x646f7261 ^ k3
  state[4] = 0x6e657261 ^ k0
  state[5] = 0x6c796765 ^ k1
  state[6] = 0x79746573 ^ k2
  state[7] = 0x74656462 ^ k3
}

function compress(low: number, high: number): void {
  state[6] = word(6) ^ low
  state[7] = word(7) ^ high
  rounds(2)
  state[0] = word(0) ^ low
  state[1] = word(1) ^ high
}

/**
 * Unrolled, with the halves in local variables (`a` lower, `b` upper): loops over arrays take ten times as long. A
 * sum of lower halves carries if it is smaller than the summand.
 */
function rounds(count: number): void {
  let a0 = word(0)
  let b0 = word(1)
  let a1 = word(2)
  let b1 = word(3)
  let a2 = word(4)
  let b2 = word(5)
  let a3 = word(6)
  let b3 = word(7)
  for (let i = 0; i < count; i += 1) {
    a0 = (a0 + a1) | 0
    b0 = (b0 + b1 + (a0 >>> 0 < a1 >>> 0 ? 1 : 0)) | 0
    let old = a1
    a1 = ((a1 << 13) | (b1 >>> 19)) ^ a0
    b1 = ((b1 << 13) | (old >>> 19)) ^ b0
    old = a0 // v0 rotated by 32: its halves swap
    a0 = b0
    b0 = old
    a2 = (a2 + a3) | 0
    b2 = (b2 + b3 + (a2 >>> 0 < a3 >>> 0 ? 1 : 0)) | 0
    old = a3
    a3 = ((a3 << 16) | (b3 >>> 16)) ^ a2
    b3 = ((b3 << 16) | (old >>> 16)) ^ b2
    a0 = (a0 + a3) | 0
    b0 = (b0 + b3 + (a0 >>> 0 < a3 >>> 0 ? 1 : 0)) | 0
    old = a3
    a3 = ((a3 << 21) | (b3 >>> 11)) ^ a0
    b3 = ((b3 << 21) | (old >>> 11)) ^ b0
    a2 = (a2 + a1) | 0
    b2 = (b2 + b1 + (a2 >>> 0 < a1 >>> 0 ? 1 : 0)) | 0
    old = a1
    a1 = ((a1 << 17) | (b1 >>> 15)) ^ a2
    b1 = ((b1 << 17) | (old >>> 15)) ^ b2
    old = a2 // v2 rotated by 32
    a2 = b2
    b2 = old
  }
  state[0] = a0
  state[1] = b0
  state[2] = a1
  state[3] = b1
  state[4] = a2
  state[5] = b2
  state[6] = a3
  state[7] = b3
}

function low32(octets: Uint8Array, at: number): number {
  // Beyond its end the input reads as zeros.
  const octet = (i: number): number => octets[at + i] ?? 0 // past the end
  return octet(0) | (octet(1) << 8) | (octet(2) << 16) | (octet(3) << 24)
}

function put32(octets: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i += 1) octets[at + i] = value >>> (8 * i)
}
