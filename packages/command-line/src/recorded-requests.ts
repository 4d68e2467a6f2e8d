// Parses recorded requests: HAR files from browsers, or access logs of web servers (combined format).
import { isIP } from 'node:net'

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

/**
 * @param host for logs, which contain no host.
 * @throws Error: JSON that is not a HAR file.
 */
export function readRecordedRequests(text: string, host: string): RecordedRequests {
  return text.trimStart().startsWith('{') ? readHar(text) : readLog(text, host)
}

function readHar(text: string): RecordedRequests {
  const entries = member(member(parse(text), 'log'), 'entries')
  if (!Array.isArray(entries)) throw new Error('the file is JSON but not a HAR file: log.entries is missing')
  const requests = entries.flatMap((entry: unknown, index) => {
    const request = member(entry, 'request')
    const [method = 'GET', url] = [member(request, 'method'), member(request, 'url')]
    const headers = readHeaders(member(request, 'headers') ?? []) // a request without headers
    // Firewalls do not see data: and blob: URLs.
    if (typeof method !== 'string' || typeof url !== 'string' || !/^https?:/i.test(url)) return []
    if (headers === undefined) return []
    const body = member(member(request, 'postData'), 'text')
    const of = { place: index + 1, method, url, headers }
    return [typeof body === 'string' ? { ...of, body } : of]
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

function readLog(text: string, host: string): RecordedRequests {
  const lines = text.split('\n')
  const requests = lines.flatMap((line, index) => {
    const [, ip = '', method = '', target = '', referer = '-', agent = '-'] = LINE.exec(line) ?? []
    if (method === '') return []
    const headers = {
      host: [host],
      ...(referer === '-' ? {} : { referer: [referer] }),
      ...(agent === '-' ? {} : { 'user-agent': [agent] }),
    }
    const url = /^https?:/i.test(target) ? target : `https://${host}${target}`
    // Some servers log names instead of addresses.
    const of = { place: index + 1, method, url, headers }
    return [isIP(ip) === 0 ? of : { ...of, ip }]
  })
  return { requests, unread: lines.filter((line) => line.trim() !== '').length - requests.length }
}
