// sha256(source), and the hash function that it and HMAC use (FIPS 180-4 §6.2, RFC 2104).
import { wordAt } from '../checked-reads.ts'
import type { Bytes } from '../bytes.ts'
import { fromOctets, toOctets } from '../bytes.ts'
import { BYTES } from '../types.ts'
import { defineFunction } from './definition.ts'
import { anyBytes } from './parameters.ts'

const BLOCK_BYTES = 64

/** The first 32 bits of the fractional parts of roots of primes: square roots start the state, cube roots the rounds. */
const INITIAL = fractionBits(8, Math.sqrt)
const ROUNDS = fractionBits(64, Math.cbrt)

function fractionBits(count: number, root: (value: number) => number): Uint32Array {
  const out = new Uint32Array(count)
  let found = 0
  for (let candidate = 2; found < count; candidate += 1) {
    if (!isPrime(candidate)) continue
    out[found] = Math.floor((root(candidate) % 1) * 2 ** 32)
    found += 1
  }
  return out
}

function isPrime(value: number): boolean {
  for (let factor = 2; factor * factor <= value; factor += 1) if (value % factor === 0) return false
  return true
}

/** The 32 bytes of SHA-256. */
export function sha256(message: Bytes): Bytes {
  const padding = '\u0080'.padEnd(1 + ((119 - (message.length % BLOCK_BYTES)) % BLOCK_BYTES), '\0')
  const data = toOctets(message + padding + lengthBytes(message.length))
  const state = Uint32Array.from(INITIAL)
  const words = new Uint32Array(64)
  const view = new DataView(data.buffer)
  for (let block = 0; block < data.length; block += BLOCK_BYTES) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(block + i * 4)
    compress(state, words)
  }
  return fromOctets([...state].flatMap((word) => [word >>> 24, word >>> 16, word >>> 8, word]))
}

/** The length in bits, 64 bits wide. */
function lengthBytes(bytes: number): Bytes {
  const bits = BigInt(bytes) * 8n
  return fromOctets(Array.from({ length: 8 }, (_, i) => Number((bits >> BigInt(56 - 8 * i)) & 255n)))
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

function compress(state: Uint32Array, words: Uint32Array): void {
  const w = (i: number): number => wordAt(words, i)
  for (let i = 16; i < 64; i += 1) {
    const s0 = rotate(w(i - 15), 7) ^ rotate(w(i - 15), 18) ^ (w(i - 15) >>> 3)
    const s1 = rotate(w(i - 2), 17) ^ rotate(w(i - 2), 19) ^ (w(i - 2) >>> 10)
    words[i] = w(i - 16) + s0 + w(i - 7) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + wordAt(ROUNDS, i) + w(i)
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = wordAt(state, i) + word
}

/** The 32 bytes of HMAC-SHA-256. */
export function hmacSha256(key: Bytes, message: Bytes): Bytes {
  const block = (key.length > BLOCK_BYTES ? sha256(key) : key).padEnd(BLOCK_BYTES, '\0')
  const mask = (by: number): Bytes => fromOctets([...toOctets(block)].map((octet) => octet ^ by))
  return sha256(mask(0x5c) + sha256(mask(0x36) + message))
}

export const sha256Function = defineFunction({
  name: 'sha256',
  summary: 'The 32 raw bytes of SHA-256.',
  parameters: [anyBytes('source')],
  returns: BYTES,
  implement:
    () =>
    ([source]) =>
      typeof source === 'string' ? sha256(source) : undefined,
})
