// Counts requests over sliding periods, for a bounded number of clients.
import { BoundedMap } from '@zonereeve/cooperate'
import type { RateLimit } from './rate-limit.ts'

/** Maximum counts; the one that was used longest ago is forgotten first. */
const MAX_COUNTS = 50_000
/** Parts of a period. A request counts until its part has left the period: for 1 to 1.1 periods. */
const PARTS = 10

interface Count {
  /** Number of the newest part, counted from the epoch. */
  part: number
  /** By number of the part, modulo their number. */
  readonly parts: number[]
  /** End of the mitigation, in milliseconds; 0 = none. */
  stoppedUntil: number
}

type Limit = Pick<RateLimit, 'limit' | 'periodMillis' | 'mitigationMillis'>

export interface RateCounters {
  /** Whether one more request is too many, or an earlier one was and its mitigation lasts. */
  readonly isOver: (key: string, limit: Limit, nowMillis: number) => boolean
  readonly add: (key: string, limit: Pick<Limit, 'periodMillis'>, amount: number, nowMillis: number) => void
}

/** @param maxCounts for tests; each count takes some 200 bytes. */
export function createRateCounters(maxCounts = MAX_COUNTS): RateCounters {
  const counts = new BoundedMap<string, Count>(maxCounts)
  return { isOver, add }

  function isOver(key: string, limit: Limit, nowMillis: number): boolean {
    const count = counts.touch(key)
    if (count === undefined) return limit.limit <= 0
    if (count.stoppedUntil > nowMillis) return true
    advance(count, limit.periodMillis, nowMillis)
    if (count.parts.reduce((sum, one) => sum + one, 0) < limit.limit) return false
    count.stoppedUntil = nowMillis + limit.mitigationMillis
    return true
  }

  function add(
    key: string,
    { periodMillis }: Pick<Limit, 'periodMillis'>,
    amount: number,
    nowMillis: number,
  ): void {
    let count = counts.touch(key)
    if (count === undefined) {
      count = {
        part: partAt(periodMillis, nowMillis),
        parts: Array<number>(PARTS + 1).fill(0),
        stoppedUntil: 0,
      }
      counts.set(key, count)
    }
    advance(count, periodMillis, nowMillis)
    const place = count.part % count.parts.length
    count.parts[place] = (count.parts[place] ?? 0) + amount // every place has a number
  }
}

const partAt = (periodMillis: number, nowMillis: number): number =>
  Math.floor((nowMillis * PARTS) / periodMillis)

/** Clears the parts that began since the last use. A clock that was set back changes nothing. */
function advance(count: Count, periodMillis: number, nowMillis: number): void {
  const now = partAt(periodMillis, nowMillis)
  const { length } = count.parts
  if (now - count.part >= length) count.parts.fill(0)
  else for (let part = count.part + 1; part <= now; part += 1) count.parts[part % length] = 0
  count.part = Math.max(count.part, now)
}
