// The URL that browsers report to: its query identifies zone and policy and is signed, so that others
// cannot add to a zone's inventory.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { REPORTING_PATHS } from '@zonereeve/csp'

/** The header that caused the report: a policy's, or monitoring's (null). */
export interface ReportingTicket {
  readonly zoneId: string
  readonly policyId: string | null
  /** The header goes with one of this many documents; policies go with all (1). */
  readonly oneIn: number
  /** What may be sent to it: reports of browsers, or names of cookies by the monitoring script. */
  readonly carries: 'reports' | 'cookies'
}

const [REPORTING_PATH] = REPORTING_PATHS
const VERSION = '1'
const DAY_SECONDS = 86_400
/** How long a reporting URL is valid: pages are cached, and stay open. */
const VALID_DAYS = 30
/** Bytes of the signature: 128 bits cannot be guessed, and headers stay short. */
const SIGNATURE_BYTES = 16

/** Path and query of the reporting URL. Constant for a day, so that headers can be cached. */
export function reportingAddress(
  key: Uint8Array,
  { zoneId, policyId, oneIn }: Omit<ReportingTicket, 'carries'>,
  nowMillis: number,
): string {
  return signedAddress(key, zoneId, policyId === null ? `s=${oneIn}` : `p=${policyId}`, nowMillis)
}

/** Path and query of the URL that the monitoring script reports to. Constant for a day. */
export function cookieReportAddress(
  key: Uint8Array,
  { zoneId, oneIn }: Pick<ReportingTicket, 'zoneId' | 'oneIn'>,
  nowMillis: number,
): string {
  return signedAddress(key, zoneId, `c=${oneIn}`, nowMillis)
}

function signedAddress(key: Uint8Array, zoneId: string, purpose: string, nowMillis: number): string {
  const signed = `v=${VERSION}&z=${zoneId}&${purpose}&e=${expirySeconds(nowMillis)}`
  return `${REPORTING_PATH}?${signed}&m=${signatureOf(key, signed)}`
}

/** When the addresses of a day expire. */
export const expirySeconds = (nowMillis: number): number =>
  (Math.floor(nowMillis / 1000 / DAY_SECONDS) + 1 + VALID_DAYS) * DAY_SECONDS

export type ReadTicket =
  | { readonly ticket: ReportingTicket; readonly expiresMillis: number }
  | { readonly problem: 'unsigned' | 'expired' }

const QUERY =
  /^(v=1&z=([0-9a-f]{32})&(?:s=([1-9]\d{0,2})|p=([0-9a-f]{32})|c=([1-9]\d{0,2}))&e=(\d{1,12}))&m=([A-Za-z0-9_-]{22})$/

/** Parses the query of a reporting URL; anything not made by {@link reportingAddress} counts as unsigned. */
export function readReportingQuery(key: Uint8Array, query: string, nowMillis: number): ReadTicket {
  const match = QUERY.exec(query)
  if (match === null) return { problem: 'unsigned' }
  const [, signed = '', zoneId = '', sample, policyId = null, cookieSample, expires = '', signature = ''] =
    match
  const expected = Buffer.from(signatureOf(key, signed))
  if (!timingSafeEqual(expected, Buffer.from(signature))) return { problem: 'unsigned' }
  const expiresMillis = Number(expires) * 1000
  const carries = cookieSample === undefined ? ('reports' as const) : ('cookies' as const)
  // Policies have no sampling.
  const ticket = { zoneId, policyId, oneIn: Number(sample ?? cookieSample ?? '1'), carries }
  return expiresMillis <= nowMillis ? { problem: 'expired' } : { ticket, expiresMillis }
}

const signatureOf = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES).toString('base64url')
