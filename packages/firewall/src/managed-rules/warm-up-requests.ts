// Ordinary requests. Detectors are run on them before the first request, so that what ordinary
// requests need is compiled.
import { parseIp, utf8 } from '@zonereeve/expr'
import { inspect, type InspectedRequest } from './inspected-request.ts'

const BROWSER: Readonly<Record<string, string>> = {
  host: 'www.example.com',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.7',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://www.example.com/products?category=tools&page=2',
  cookie: 'session=4f2a9c81d0e37b56a1; cart=%7B%22items%22%3A%5B%7B%22id%22%3A4%7D%5D%7D; theme=dark',
}

const TEXT =
  "Dear team, please select the blue one & leave it at the door; it's (really) for O'Brien, 5 % off = $20. Thanks!\r\n"

const parts = (...sent: readonly (readonly [disposition: string, content: string])[]): string =>
  `${sent.map(([disposition, content]) => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`).join('')}--b--\r\n`

const SENT: readonly (readonly [method: string, target: string, type: string, body: string])[] = [
  ['GET', '/products/4711-bed?page=2&sort=price-asc&q=union+station', '', ''],
  [
    'GET',
    '/search?q=o%27brien+%22white+house%22&lang=en&return=https%3A%2F%2Fwww.example.com%2Fa%3Fb%3D1',
    '',
    '',
  ],
  ['GET', '/assets/app.3f2a1c.js?v=1.2.3', '', ''],
  [
    'POST',
    '/login',
    'application/x-www-form-urlencoded',
    'user=jo%40example.com&password=a%21b%24c&remember=on',
  ],
  [
    'POST',
    '/posts',
    'application/x-www-form-urlencoded',
    `title=Hello&text=${encodeURIComponent(TEXT.repeat(4))}`,
  ],
  [
    'POST',
    '/api/orders',
    'application/json',
    JSON.stringify({
      customer: { name: "O'Brien", street: "12 St. John's Road, Apt #3" },
      note: TEXT,
      items: Array.from({ length: 8 }, (_, i) => ({ sku: `A-${i}`, title: `Select item ${i}`, amount: i })),
    }),
  ],
  [
    'POST',
    '/upload',
    'multipart/form-data; boundary=b',
    parts(['name="title"', TEXT], ['name="file"; filename="notes.txt"', TEXT.repeat(8)]),
  ],
  ['PUT', '/feed', 'text/xml', `<?xml version="1.0"?><order id="1"><note lang="en">${TEXT}</note></order>`],
]

/** @throws never: the requests are fixed */
export const warmUpRequests = (): readonly InspectedRequest[] => SENT.map(toRequest)

function toRequest([method, target, type, body]: (typeof SENT)[number]): InspectedRequest {
  const octets = new TextEncoder().encode(body)
  const bodyHeaders = body === '' ? {} : { 'content-type': type, 'content-length': String(octets.length) }
  const clientIp = parseIp('192.0.2.7')
  if (clientIp === undefined) throw new Error('the address is valid')
  return inspect(
    {
      method,
      version: 'HTTP/1.1',
      isTls: true,
      host: utf8('www.example.com'),
      target: utf8(target),
      headers: Object.entries({ ...BROWSER, ...bodyHeaders }).map(([name, value]) => [
        utf8(name),
        utf8(value),
      ]),
      clientIp,
      receivedAtMs: 0,
    },
    octets,
  )
}
