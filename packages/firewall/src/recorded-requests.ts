// Parses recorded requests: HAR files from browsers, or access logs of web servers (combined format). Reads whole
// files where they are, so that only requests are sent to the server, in batches that it accepts.

export interface RecordedRequest {
  /** Number of the line or entry, from 1. */
  readonly place: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body?: string
  readonly ip?: string
}

export interface RecordedRequests {
  readonly requests: readonly RecordedRequest[]
  /** Lines that are not in the format. */
  readonly unread: number
}

export interface RecordingOptions {
  /** For logs, which contain no host. */
  readonly host: string
  /** Whether the text is an IP address: some servers log names instead. */
  readonly isAddress: (text: string) => boolean
}

/**
 * Bodies are cut behind what rules inspect.
 * @throws Error: JSON that is not a HAR file.
 */
export function readRecordedRequests(text: string, options: RecordingOptions): RecordedRequests {
  return isHar(text) ? readHar(text) : readLog(text, options)
}

/** Whether the start of a file is that of a HAR file; else it is a log. */
export const isHar = (start: string): boolean => start.trimStart().startsWith('{')

/** Recordings contain other hosts; only those of the zone can be decided. */
export function isRequestOfZone({ url }: Pick<RecordedRequest, 'url'>, zone: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === zone || host.endsWith(`.${zone}`)
}

/** One character more than is inspected, so that a long body still counts as too long. */
const MAX_BODY_LENGTH = 131_073
/** The server's limit of requests for one comparison. */
export const MAX_COMPARED = 200
/** A character has at most three bytes in UTF-8: below the server's limit of 2 MiB. */
const MAX_BATCH_LENGTH = 600_000

/** In order, as many as one comparison accepts. */
export function batchesOf(requests: readonly RecordedRequest[]): readonly (readonly RecordedRequest[])[] {
  const batches: RecordedRequest[][] = []
  let budget = 0
  for (const request of requests) {
    const length = JSON.stringify(request).length
    const last = batches.at(-1)
    if (last === undefined || last.length === MAX_COMPARED || length > budget) {
      batches.push([request])
      budget = MAX_BATCH_LENGTH - length
      continue
    }
    last.push(request)
    budget -= length
  }
  return batches
}

/** The API accepts no other methods. */
const METHOD = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,32}$/

function readHar(text: string): RecordedRequests {
  const entries = member(member(parse(text), 'log'), 'entries')
  if (!Array.isArray(entries)) throw new Error('the file is JSON but not a HAR file: log.entries is missing')
  const requests = entries.flatMap((entry: unknown, index) => {
    const request = member(entry, 'request')
    const [method = 'GET', url] = [member(request, 'method'), member(request, 'url')]
    const headers = readHeaders(member(request, 'headers') ?? []) // a request without headers
    // Firewalls do not see data: and blob: URLs.
    if (
      typeof method !== 'string' ||
      !METHOD.test(method) ||
      typeof url !== 'string' ||
      !/^https?:/i.test(url)
    )
      return []
    if (headers === undefined) return []
    const body = member(member(request, 'postData'), 'text')
    const of = { place: index + 1, method, url, headers }
    return [typeof body === 'string' ? { ...of, body: body.slice(0, MAX_BODY_LENGTH) } : of]
  })
  return { requests, unread: entries.length - requests.length }
}

/** undefined if the value has no such member. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name] // it has it
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`the file starts like JSON but is invalid: ${(error as Error).message}`, { cause: error }) // JSON.parse throws nothing else
  }
}

/** Values by name; undefined if this is not a list of headers. */
function readHeaders(headers: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  if (!Array.isArray(headers)) return undefined
  const grouped = new Map<string, string[]>()
  for (const header of headers) {
    const [name, value] = [member(header, 'name'), member(header, 'value')]
    if (typeof name !== 'string' || typeof value !== 'string') return undefined
    // HTTP/2 pseudo-headers begin with a colon.
    if (name.startsWith(':')) continue
    grouped.set(name, [...(grouped.get(name) ?? []), value])
  }
  return Object.fromEntries(grouped)
}

/** `192.0.2.1 - - [05/Jan/2026:10:20:30 +0000] "GET /a?b HTTP/1.1" 200 12 "referer" "user agent"` */
const LINE =
  /^(\S+) \S+ .*?\[[^\]]*\] "([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?" \d{3} \S+(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?/

/** Whole lines of a log: from its start, or a part. @param before how many lines come before this part. */
export function readLog(text: string, { host, isAddress }: RecordingOptions, before = 0): RecordedRequests {
  const lines = text.split('\n')
  const requests = lines.flatMap((line, index) => {
    const [, ip = '', method = '', target = '', referer = '-', agent = '-'] = LINE.exec(line) ?? []
    if (!METHOD.test(method)) return []
    const headers = {
      host: [host],
      ...(referer === '-' ? {} : { referer: [referer] }),
      ...(agent === '-' ? {} : { 'user-agent': [agent] }),
    }
    const url = /^https?:/i.test(target) ? target : `https://${host}${target}`
    const of = { place: before + index + 1, method, url, headers }
    return [isAddress(ip) ? { ...of, ip } : of]
  })
  return { requests, unread: lines.filter((line) => line.trim() !== '').length - requests.length }
}
