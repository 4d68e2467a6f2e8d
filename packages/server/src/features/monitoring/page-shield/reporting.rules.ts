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

/** Parses the query of a reporting URL; anything not made by {@link reportingAddress} counts as unsigned. */
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
