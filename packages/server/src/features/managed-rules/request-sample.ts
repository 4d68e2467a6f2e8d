// A request in short, as tables of samples write it, and the facts that it stands for.
import { parseIp, type RequestFacts, utf8 } from '@zonereeve/expr'
import { type InspectedRequest, inspect } from './inspected-request.ts'

export interface RequestSample {
  /** GET where it is not said. */
  readonly method?: string
  /** Path and query as received. `/` where it is not said. */
  readonly target?: string
  /** `HTTP/1.1` where it is not said. */
  readonly version?: string
  /** Beside those of an ordinary browser, or in their place; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as UTF-8; where octets matter, `\u00XX` in `octets` stands for one. */
  readonly body?: string
  readonly octets?: string
  readonly ip?: string
}

/** What ordinary browsers send. */
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

/** The octets of the body; none without one. */
export function bodyOfSample({ body, octets }: RequestSample): Uint8Array {
  return octets === undefined ? new TextEncoder().encode(body ?? '') : Uint8Array.from(octets, toOctet)
}

const toOctet = (character: string): number => character.charCodeAt(0) & 0xff

/** The request, ready for detection. */
export const inspectSample = (sample: RequestSample): InspectedRequest =>
  inspect(factsOfSample(sample), bodyOfSample(sample))
