// Addresses as bigints, for tests with a second implementation.
import type { Ip } from './ip.ts'

/** All 128 bits in one number. */
export const toBigInt = ({ a, b, c, d }: Ip): bigint =>
  (BigInt(a) << 96n) | (BigInt(b) << 64n) | (BigInt(c) << 32n) | BigInt(d)
