// Which headers rules may change.

export type HeaderOperation = 'set' | 'add' | 'remove'

/** Names of headers that rules can write. */
export const HEADER_NAME = /^[A-Za-z0-9_-]{1,256}$/

/** Headers that frame a message or concern one connection (RFC 9110 §7.6.1, RFC 9112 §6). */
const FRAMING: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]
/** The proxy says these itself; the origin relies on them. */
const OF_THE_PROXY: readonly string[] = [
  'accept-encoding',
  'forwarded',
  'true-client-ip',
  'x-original-url',
  'x-real-ip',
  'x-ray-id',
]
const OF_THE_RESPONSE: readonly string[] = [
  'content-encoding',
  'content-range',
  'date',
  'eh-cache-tag',
  'eh-cdn-cache-control',
  'server',
  'x-ray-id',
]
const PREFIXES: readonly string[] = ['cf-', 'x-cf-', 'x-edge-', 'x-envoy-']

/** Whether a rule may do this. Rules that an earlier version has saved may not. */
export const isChangeable = (name: string, operation: HeaderOperation, isOfResponse: boolean): boolean =>
  HEADER_NAME.test(name) && !isFixed(name, isOfResponse) && !isFixedValue(name, operation, isOfResponse)

/** Whether no rule may change the header. */
export function isFixed(name: string, isOfResponse: boolean): boolean {
  const lower = name.toLowerCase()
  if (FRAMING.includes(lower) || PREFIXES.some((one) => lower.startsWith(one))) return true
  if (isOfResponse) return OF_THE_RESPONSE.includes(lower)
  return OF_THE_PROXY.includes(lower) || lower.startsWith('x-forwarded-')
}

/** Whether rules may only remove the header. */
export const isFixedValue = (name: string, operation: HeaderOperation, isOfResponse: boolean): boolean =>
  !isOfResponse && name.toLowerCase() === 'cookie' && operation !== 'remove'
