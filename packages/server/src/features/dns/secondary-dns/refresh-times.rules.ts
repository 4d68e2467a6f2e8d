// How often a primary is queried, and when a zone expires without it: the values of its SOA, within bounds, so that
// queries are neither too frequent nor too rare, and no zone expires between two queries (RFC 1034 §4.3.5).
import type { Soa } from '@zonereeve/dns'

export interface RefreshTimes {
  readonly refreshSeconds: number
  readonly retrySeconds: number
  /** After this time without the primary the zone is not answered. */
  readonly expireSeconds: number
}

/** Half a minute to four weeks. */
const REFRESH_SECONDS = { least: 30, most: 2_419_200 }
/** Up to a day. */
const RETRY_SECONDS = { least: 5, most: 86_400 }
/** 24 weeks, as in BIND. */
const MOST_EXPIRE_SECONDS = 14_515_200

/** The times in effect for a zone with this SOA. At least one query and one retry fit into `expireSeconds`. */
export function refreshTimesOf({
  refresh,
  retry,
  expire,
}: Pick<Soa, 'refresh' | 'retry' | 'expire'>): RefreshTimes {
  const refreshSeconds = within(REFRESH_SECONDS, refresh)
  const retrySeconds = within(RETRY_SECONDS, retry)
  const bounds = { least: refreshSeconds + retrySeconds, most: MOST_EXPIRE_SECONDS }
  return { refreshSeconds, retrySeconds, expireSeconds: within(bounds, expire) }
}

const within = ({ least, most }: { readonly least: number; readonly most: number }, value: number): number =>
  Math.min(Math.max(value, least), most)
