// Requests that were made once: as browsers record them (HAR), or as web servers log them (combined format).

export interface RecordedRequest {
  /** Number of the line or of the entry, from 1. */
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

/** @param host of a log, which names none. @throws Error: JSON that is no HAR file. */
export function readRecordedRequests(text: string, host: string): RecordedRequests {
  return text.trimStart().startsWith('{') ? readHar(text) : readLog(text, host)
}

interface Har {
  readonly log?: { readonly entries?: readonly { readonly request?: HarRequest }[] }
}

interface HarRequest {
  readonly method?: string
  readonly url?: string
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
  readonly postData?: { readonly text?: string }
}

function readHar(text: string): RecordedRequests {
  const entries = parse(text).log?.entries
  if (!Array.isArray(entries)) throw new Error('the file is JSON, but no HAR file: it has no log.entries')
  const requests = entries.flatMap(({ request }: { readonly request?: HarRequest }, index) => {
    const { method = 'GET', url, headers = [], postData } = request ?? {}
    // What pages load beside the network, data: and blob:, no firewall sees.
    if (url === undefined || !/^https?:/i.test(url)) return []
    const body = postData?.text
    const of = { place: index + 1, method, url, headers: groupHeaders(headers) }
    return [body === undefined ? of : { ...of, body }]
  })
  return { requests, unread: entries.length - requests.length }
}

function parse(text: string): Har {
  try {
    return JSON.parse(text) as Har // every member is looked for before it is used
  } catch (error) {
    throw new Error(`the file begins as JSON and is none: ${(error as Error).message}`, { cause: error }) // JSON.parse throws nothing else
  }
}

function groupHeaders(
  headers: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, readonly string[]>> {
  const grouped = new Map<string, string[]>()
  for (const { name, value } of headers) {
    // HTTP/2 writes the request line as headers with a colon.
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
    // Some servers log names in the place of addresses.
    const isAddress = /^[\d.]+$|:/.test(ip)
    const of = { place: index + 1, method, url, headers }
    return [isAddress ? { ...of, ip } : of]
  })
  return { requests, unread: lines.filter((line) => line.trim() !== '').length - requests.length }
}
