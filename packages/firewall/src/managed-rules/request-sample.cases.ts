// Short notation of a request for tables of samples, and its conversion to request facts.
import { parseIp, type RequestFacts, utf8 } from '@zonereeve/expr'
import { type InspectedRequest, inspect } from './inspected-request.ts'

export interface RequestSample {
  /** Default: GET. */
  readonly method?: string
  /** Path and query as received. Default: `/`. */
  readonly target?: string
  /** Default: `HTTP/1.1`. */
  readonly version?: string
  /** Added to those of an ordinary browser, or replacing them; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as UTF-8; for arbitrary octets use `octets`, where `\u00XX` is one octet. */
  readonly body?: string
  readonly octets?: string
  readonly ip?: string
}

/** The headers of an ordinary browser. */
const BROWSER: Readonly<Record<string, string>> = {
  host: 'www.example.com',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.7',
  'accept-encoding': 'gzip, deflate, br',
}

const DEFAULT_IP = '192.0.2.7'

/** The request as the edge would see it. */
export function factsOfSample(sample: RequestSample): RequestFacts {
  const headers = new Map<string, string>(Object.entries(BROWSER))
  const body = bodyOfSample(sample)
  if (body.length > 0) headers.set('content-length', String(body.length))
  for (const [name, value] of Object.entries(sample.headers ?? {})) {
    if (value === null) headers.delete(name.toLowerCase())
    else headers.set(name.toLowerCase(), value)
  }
  const clientIp = parseIp(sample.ip ?? DEFAULT_IP)
  if (clientIp === undefined) throw new Error(`${sample.ip} is no address`)
  return {
    method: sample.method ?? 'GET',
    version: sample.version ?? 'HTTP/1.1',
    isTls: true,
    host: utf8(headers.get('host') ?? ''),
    target: utf8(sample.target ?? '/'),
    headers: [...headers].map(([name, value]) => [utf8(name), utf8(value)] as const),
    clientIp,
    receivedAtMs: 0,
  }
}

/** The octets of the body; empty without one. */
export function bodyOfSample({ body, octets }: RequestSample): Uint8Array {
  return octets === undefined ? new TextEncoder().encode(body ?? '') : Uint8Array.from(octets, toOctet)
}

const toOctet = (character: string): number => character.charCodeAt(0) & 0xff

/** The request, ready for detection. */
export const inspectSample = (sample: RequestSample): InspectedRequest =>
  inspect(factsOfSample(sample), bodyOfSample(sample))

/** Two requests that demonstrate a managed rule. */
export interface RuleSample {
  readonly matching: RequestSample
  readonly passing: RequestSample
}

/** By rule ID. */
export type RuleSamples = Readonly<Record<string, RuleSample>>
