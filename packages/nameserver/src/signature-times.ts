// Validity and renewal times of signatures: they are renewed long before a cached one can expire.
import type { SignatureWindow } from '@zonereeve/dns'

const HOUR = 3600
const DAY = 24 * HOUR

/** Seconds before now at which a signature becomes valid: validators' clocks may be late. */
const BACKDATED = HOUR
/** Minimum seconds that a signature is valid after it was made. */
const VALID = 14 * DAY
/**
 * Maximum seconds until a signature is renewed. The remaining 7 days are longer than any cache may keep a record:
 * TTLs are at most one day, and targets of flattened aliases keep their own TTLs.
 */
const REFRESHED = 7 * DAY
/** Spreads the renewal times of a zone's signatures. */
const JITTER = DAY

export interface SignatureTimes extends Freshness {
  readonly window: SignatureWindow
}

/** The period in which a signature is used, in milliseconds since 1970. */
export interface Freshness {
  readonly usableFrom: number
  readonly refreshAt: number
}

/**
 * Not only old signatures are renewed: after the clock was set back, signatures are in the future and validators
 * refuse them.
 */
export const isFresh = ({ usableFrom, refreshAt }: Freshness, nowMillis: number): boolean =>
  nowMillis >= usableFrom && nowMillis < refreshAt

/** @param random from 0 up to but not including 1. */
export function signatureTimes(nowMillis: number, random: number): SignatureTimes {
  const now = Math.floor(nowMillis / 1000)
  const jitter = Math.floor(random * JITTER)
  const inception = now - BACKDATED - Math.floor(random * HOUR)
  return {
    window: { inception, expiration: now + VALID + jitter },
    usableFrom: inception * 1000,
    refreshAt: nowMillis + (REFRESHED - jitter) * 1000,
  }
}
