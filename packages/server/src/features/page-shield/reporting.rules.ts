// The address that browsers report to: its query says for which zone and policy, and is signed, so that nobody else can
// put anything into a zone's inventory.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Which header made the browser report: that of a policy, or that of monitoring (null). */
export interface ReportingTicket {
  readonly zoneId: string
  readonly policyId: string | null
  /** The header went with one document of so many; policies go with all. */
  readonly oneIn: number
}

export const REPORTING_PATH = '/cdn-cgi/script_monitor/report'
/** The vendor's pages spell it in both ways. */
export const REPORTING_PATHS = [REPORTING_PATH, '/cdn-cgi/script-monitor/report'] as const

const VERSION = '1'
const DAY_SECONDS = 86_400
/** How long an address is good for: pages are kept by caches, and stay open. */
const VALID_DAYS = 30
/** Octets of the signature: 128 bits cannot be guessed, and headers are short. */
const SIGNATURE_BYTES = 16

/** Path and query of the address. The same for a day, so that headers can be kept by caches. */
export function reportingAddress(
  key: Uint8Array,
  { zoneId, policyId, oneIn }: ReportingTicket,
  nowMillis: number,
): string {
  const expires = (Math.floor(nowMillis / 1000 / DAY_SECONDS) + 1 + VALID_DAYS) * DAY_SECONDS
  const purpose = policyId === null ? `s=${oneIn}` : `p=${policyId}`
  const signed = `v=${VERSION}&z=${zoneId}&${purpose}&e=${expires}`
  return `${REPORTING_PATH}?${signed}&m=${signatureOf(key, signed)}`
}

export type ReadTicket =
  | { readonly ticket: ReportingTicket; readonly expiresMillis: number }
  | { readonly problem: 'unsigned' | 'expired' }

const QUERY =
  /^(v=1&z=([0-9a-f]{32})&(?:s=([1-9]\d{0,2})|p=([0-9a-f]{32}))&e=(\d{1,12}))&m=([A-Za-z0-9_-]{22})$/

/** Reads the query of a report's address; anything but what {@link reportingAddress} makes is unsigned. */
export function readReportingQuery(key: Uint8Array, query: string, nowMillis: number): ReadTicket {
  const match = QUERY.exec(query)
  if (match === null) return { problem: 'unsigned' }
  const [, signed = '', zoneId = '', sample = '1', policyId = null, expires = '', signature = ''] = match
  const expected = Buffer.from(signatureOf(key, signed))
  if (!timingSafeEqual(expected, Buffer.from(signature))) return { problem: 'unsigned' }
  const expiresMillis = Number(expires) * 1000
  const ticket = { zoneId, policyId, oneIn: Number(sample) }
  return expiresMillis <= nowMillis ? { problem: 'expired' } : { ticket, expiresMillis }
}

const signatureOf = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES).toString('base64url')
