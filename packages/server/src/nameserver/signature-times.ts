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

export interface SignatureTimes {
  readonly window: SignatureWindow
  /** Milliseconds since 1970. */
  readonly refreshAt: number
}

/** @param random from 0 up to but not 1. */
export function signatureTimes(nowMillis: number, random: number): SignatureTimes {
  const now = Math.floor(nowMillis / 1000)
  const jitter = Math.floor(random * JITTER)
  return {
    window: { inception: now - BACKDATED - Math.floor(random * HOUR), expiration: now + VALID + jitter },
    refreshAt: nowMillis + (REFRESHED - jitter) * 1000,
  }
}
