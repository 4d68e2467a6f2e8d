// How often a primary is asked, and how long a zone lives without it: what its SOA says, within bounds, so that nobody is asked
// every second or only next year, and no zone dies between two questions (RFC 1034 §4.3.5).
import type { Soa } from '@zonereeve/dns'

export interface RefreshTimes {
  readonly refreshSeconds: number
  readonly retrySeconds: number
  /** After this time without the primary nothing is answered. */
  readonly expireSeconds: number
}

/** Half a minute to four weeks. */
const REFRESH_SECONDS = { least: 30, most: 2_419_200 }
/** Up to a day. */
const RETRY_SECONDS = { least: 5, most: 86_400 }
/** 24 weeks, as in BIND. */
const MOST_EXPIRE_SECONDS = 14_515_200

/** The times that hold for a zone with this SOA. At least one question, and one more, fit into `expireSeconds`. */
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
