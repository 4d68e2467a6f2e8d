// Ordinary requests of which no two are equal: words, numbers and tokens are drawn anew for each. The same request again
// would flatter every engine that keeps what it has seen.
import type { JudgedRequest } from './libmodsecurity.ts'

export type RequestKind = 'page' | 'form' | 'order'

const SYLLABLES =
  'ba be bi bo da de di do fa fe fi ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi za ze st er an en in on el ing tion ment'.split(
    ' ',
  )
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const FIELDS = ['name', 'street', 'city', 'note', 'email', 'phone', 'comment']

/** @param seed equal seeds give equal requests */
export function createRequests(seed: number): (kind: RequestKind, size: number) => JudgedRequest {
  let state = seed
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * bound)
  }
  const word = (): string =>
    Array.from({ length: 1 + below(4) }, () => SYLLABLES[below(SYLLABLES.length)]).join('')
  const digits = (): number => below(1_000_000)
  const token = (): string => Array.from({ length: 4 }, () => below(0x7fffffff).toString(16)).join('')

  function prose(length: number): string {
    let text = word()
    while (text.length < length) text += `${below(10) === 0 ? ',' : ''} ${word()}`
    return text
  }

  const headers = (): [string, string][] => [
    ['Host', 'www.example.com'],
    ['User-Agent', BROWSER],
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['Accept-Language', 'en-GB,en;q=0.9,de;q=0.7'],
    ['Accept-Encoding', 'gzip, deflate, br'],
    ['Referer', `https://www.example.com/${word()}?category=${word()}&page=${digits()}`],
    [
      'Cookie',
      `_ga=GA1.2.${digits()}.${digits()}; session=${token()}; cart=%7B%22items%22%3A%5B%7B%22id%22%3A${digits()}%2C%22n%22%3A2%7D%5D%7D; theme=${word()}`,
    ],
  ]

  function form(size: number): string {
    const each = size / FIELDS.length
    return FIELDS.map((name) => `${name}=${encodeURIComponent(prose(each)).replaceAll('%20', '+')}`).join('&')
  }

  function order(size: number): string {
    const items: object[] = []
    const document = {
      customer: { name: word(), street: `${digits()} St. ${word()}` },
      note: prose(400),
      items,
    }
    for (let length = 600; length < size; length += 60)
      items.push({ sku: `A-${digits()}`, title: `${word()} ${word()}`, amount: digits() })
    return JSON.stringify(document)
  }

  return (kind, size) => {
    const target = `/${word()}/${digits()}-${word()}?page=${digits()}&sort=${word()}-asc&q=${word()}+${word()}`
    if (kind === 'page') return { method: 'GET', target, version: 'HTTP/1.1', headers: headers(), body: '' }
    const body = kind === 'form' ? form(size) : order(size)
    const type = kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
    return {
      method: 'POST',
      target,
      version: 'HTTP/1.1',
      headers: [...headers(), ['Content-Type', type], ['Content-Length', String(body.length)]],
      body,
    }
  }
}

/** As a client sends it. @param host in place of its own */
export function octetsOf({ method, target, version, headers, body }: JudgedRequest, host?: string): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${name === 'Host' ? (host ?? value) : value}\r\n`)
  return Buffer.from(`${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`, 'latin1')
}
