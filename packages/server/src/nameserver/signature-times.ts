// When signatures hold, and when they are made anew: long before anybody who has one could see it expire.
import type { SignatureWindow } from '@zonereeve/dns'

const HOUR = 3600
const DAY = 24 * HOUR

/** Seconds before now from which on a signature holds: clocks of validators may be late. */
const BACKDATED = HOUR
/** Seconds that a signature holds after it was made, at least. */
const VALID = 14 * DAY
/**
 * Seconds after which it is made anew, at most. What is left, 7 days, is more than anybody may keep a record: TTLs end at
 * one day, and those of what is found at the end of a chain are held to theirs.
 */
const REFRESHED = 7 * DAY
/** So that not all signatures of a zone end at once. */
const JITTER = DAY

export interface SignatureTimes extends Freshness {
  readonly window: SignatureWindow
}

/** Milliseconds since 1970 between which a signature is answered with. */
export interface Freshness {
  readonly usableFrom: number
  readonly refreshAt: number
}

/** Not only what is too old is made anew: when a clock is put back, signatures are from a future that validators refuse. */
export const isFresh = ({ usableFrom, refreshAt }: Freshness, nowMillis: number): boolean =>
  nowMillis >= usableFrom && nowMillis < refreshAt

/** @param random from 0 up to but not 1. */
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
