// SipHash-2-4: a keyed hash of 64 bits for short input (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
// 64-bit words are pairs of 32-bit halves, because big integers would be many times as slow.

/** Octets of the key. */
export const SIPHASH_KEY_OCTETS = 16

/** Octets of the hash. */
export const SIPHASH_OCTETS = 8

const FINAL_ROUNDS = 4

/** The words v0 to v3, the lower half of each before its upper half. */
type State = Int32Array

/** Hashes `input` by a key of 16 octets. Returns 8 octets in the order in which the reference writes them. */
export function sipHash(key: Uint8Array, input: Uint8Array): Uint8Array {
  const state = startState(key)
  const whole = input.length - (input.length % 8)
  for (let at = 0; at < whole; at += 8) compress(state, low32(input, at), low32(input, at + 4))
  const last = new Uint8Array(8)
  last.set(input.subarray(whole))
  last[7] = input.length
  compress(state, low32(last, 0), low32(last, 4))
  xorInto(state, 2, 0xff, 0)
  for (let i = 0; i < FINAL_ROUNDS; i += 1) sipRound(state)
  const hash = new Uint8Array(SIPHASH_OCTETS)
  const view = new DataView(hash.buffer)
  for (const half of [0, 1]) {
    const word = [0, 1, 2, 3].reduce((sum, v) => sum ^ (state[2 * v + half] ?? 0), 0)
    view.setInt32(4 * half, word, true)
  }
  return hash
}

/** "somepseudorandomlygeneratedbytes", each word with half of the key. */
function startState(key: Uint8Array): State {
  const state = Int32Array.of(
    0x70736575,
    0x736f6d65,
    0x6e646f6d,
    0x646f7261,
    0x6e657261,
    0x6c796765,
    0x79746573,
    0x74656462,
  )
  for (const word of [0, 1, 2, 3]) {
    const at = 8 * (word % 2)
    xorInto(state, word, low32(key, at), low32(key, at + 4))
  }
  return state
}

function compress(state: State, low: number, high: number): void {
  xorInto(state, 3, low, high)
  sipRound(state)
  sipRound(state)
  xorInto(state, 0, low, high)
}

function sipRound(state: State): void {
  add(state, 0, 1)
  rotate(state, 1, 13)
  xor(state, 1, 0)
  swapHalves(state, 0)
  add(state, 2, 3)
  rotate(state, 3, 16)
  xor(state, 3, 2)
  add(state, 0, 3)
  rotate(state, 3, 21)
  xor(state, 3, 0)
  add(state, 2, 1)
  rotate(state, 1, 17)
  xor(state, 1, 2)
  swapHalves(state, 2)
}

function add(state: State, to: number, from: number): void {
  const low = ((state[2 * to] ?? 0) >>> 0) + ((state[2 * from] ?? 0) >>> 0)
  const carry = low > 0xffff_ffff ? 1 : 0
  state[2 * to] = low
  state[2 * to + 1] = (state[2 * to + 1] ?? 0) + (state[2 * from + 1] ?? 0) + carry
}

function xor(state: State, to: number, from: number): void {
  xorInto(state, to, state[2 * from] ?? 0, state[2 * from + 1] ?? 0)
}

function xorInto(state: State, to: number, low: number, high: number): void {
  state[2 * to] = (state[2 * to] ?? 0) ^ low
  state[2 * to + 1] = (state[2 * to + 1] ?? 0) ^ high
}

/** Turns a word left by 1 to 31 bits. */
function rotate(state: State, word: number, bits: number): void {
  const low = state[2 * word] ?? 0
  const high = state[2 * word + 1] ?? 0
  state[2 * word] = (low << bits) | (high >>> (32 - bits))
  state[2 * word + 1] = (high << bits) | (low >>> (32 - bits))
}

/** Turns a word left by 32 bits. */
function swapHalves(state: State, word: number): void {
  const low = state[2 * word] ?? 0
  state[2 * word] = state[2 * word + 1] ?? 0
  state[2 * word + 1] = low
}

function low32(octets: Uint8Array, at: number): number {
  return (
    (octets[at] ?? 0) |
    ((octets[at + 1] ?? 0) << 8) |
    ((octets[at + 2] ?? 0) << 16) |
    ((octets[at + 3] ?? 0) << 24)
  )
}
