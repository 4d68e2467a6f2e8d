// No URL leads to a forbidden address, and everything received is bounded.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  fromTable,
  replyTo,
  startFakeResolver,
  type FakeResolver,
} from '@zonereeve/resolver/fake-resolver.cases.ts'
import { CERTIFICATE, KEY } from './certificate.cases.ts'
import {
  createAddressGuard,
  createHostAddresses,
  createSafeFetch,
  systemHostAddresses,
  type FetchRequest,
  type SafeFetch,
} from './index.ts'

const OWN = '127.0.0.1'
/** Forbidden like any other address of this machine; a server listens there. */
const FORBIDDEN = '127.0.0.2'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

let own: Server
let victim: Server
let secure: Server
let ownPort: number
let securePort: number
let nameserver: FakeResolver
let handler: Handler
let reachedVictim: string[]
let safe: SafeFetch

const listen = (server: Server, host: string, port = 0): Promise<number> =>
  new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, () => {
      const address = server.address()
      done(address === null || typeof address === 'string' ? 0 : address.port)
    })
  })

const TABLE = {
  'own.test A': ['own.test 60 A 127.0.0.1'],
  'secure.test A': ['secure.test 60 A 127.0.0.1'],
  'forbidden.test A': ['forbidden.test 60 A 127.0.0.2'],
  'mixed.test A': ['mixed.test 60 A 127.0.0.1', 'mixed.test 60 A 127.0.0.2'],
  'both.test A': ['both.test 60 A 127.0.0.1'],
  'both.test AAAA': ['both.test 60 AAAA ::1'],
  'mapped.test AAAA': ['mapped.test 60 AAAA ::ffff:127.0.0.2'],
  'metadata.test A': ['metadata.test 60 A 169.254.169.254'],
  'alias.test A': ['alias.test 60 CNAME forbidden.test', 'forbidden.test 60 A 127.0.0.2'],
  'zero.test A': ['zero.test 60 A 0.0.0.0'],
}

beforeAll(async () => {
  own = createServer((request, response) => handler(request, response))
  ownPort = await listen(own, OWN)
  victim = createServer((request, response) => {
    reachedVictim.push(request.url ?? '')
    response.end('secret')
  })
  // On the same port, so that a changed DNS answer alone would lead there.
  await listen(victim, FORBIDDEN, ownPort)
  secure = createSecureServer({ cert: CERTIFICATE, key: KEY }, (request, response) =>
    handler(request, response),
  )
  securePort = await listen(secure, OWN)
  nameserver = await startFakeResolver(fromTable(TABLE))
  safe = createSafeFetch({
    mayConnect: createAddressGuard([OWN]),
    hostAddresses: createHostAddresses([nameserver]),
    ports: 'any',
    userAgent: 'tests',
    ca: CERTIFICATE,
  })
})
afterAll(async () => {
  for (const server of [own, victim, secure]) {
    server.closeAllConnections()
    server.close()
  }
  await nameserver.close()
})
beforeEach(() => {
  reachedVictim = []
  nameserver.answer = fromTable(TABLE)
  handler = (_request, response) => void response.end('own')
})

const bounds = { accept: '*/*', maxBytes: 10_000, totalMillis: 30_000, idleMillis: 30_000 }
/** For tests that wait for a limit; all others use long limits, because the machine may be busy. */
const SHORT: Readonly<Record<string, Partial<FetchRequest>>> = {
  silence: { idleMillis: 250 },
  time: { totalMillis: 600 },
}
const get = (url: string, more: Partial<FetchRequest> = {}) => safe.fetch({ url, ...bounds, ...more })
const at = (host: string, path = '/') => `http://${host}:${ownPort}${path}`
const failing = (problem: string) => expect.objectContaining({ name: 'FetchFailed', problem })
const contentOf = async (url: string, more: Partial<FetchRequest> = {}) => {
  const fetched = await get(url, more)
  return fetched.kind === 'content' ? fetched.body.toString() : fetched.kind
}

describe('allowed destinations', () => {
  const FORBIDDEN_HOSTS: readonly (readonly [string, string])[] = [
    ['an address', '127.0.0.2'],
    ['a short address', '127.2'],
    ['a decimal number', '2130706434'],
    ['an octal number', '0177.0.0.2'],
    ['an octal number of one part', '017700000002'],
    ['a hexadecimal number', '0x7f.0.0.2'],
    ['a hexadecimal number of one part', '0x7f000002'],
    ['wide digits', '１２７.０.０.２'],
    ['wide dots', '127。0。0。2'],
    ['percent encoding', '%31%32%37.0.0.2'],
    ['a trailing dot', '127.0.0.2.'],
    ['IPv4-mapped', '[::ffff:127.0.0.2]'],
    ['IPv4-mapped in groups', '[::ffff:7f00:2]'],
    ['IPv4-mapped form of an allowed address', '[::ffff:127.0.0.1]'],
    ['IPv4-compatible', '[::127.0.0.2]'],
    ['NAT64', '[64:ff9b::127.0.0.2]'],
    ['6to4', '[2002:7f00:2::]'],
    ['loopback 6', '[::1]'],
    ['unspecified', '0.0.0.0'],
    ['unspecified, one digit', '0'],
    ['unspecified 6', '[::]'],
    ['a name', 'forbidden.test'],
    ['a name with a trailing dot', 'forbidden.test.'],
    ['a name in capitals', 'FORBIDDEN.test'],
    ['a name through a CNAME', 'alias.test'],
    ['a name with one allowed and one forbidden address', 'mixed.test'],
    ['a name with a forbidden address of the other family', 'both.test'],
    ['a name with an IPv4-mapped address', 'mapped.test'],
    ['a name of the metadata service', 'metadata.test'],
    ['a name of the unspecified address', 'zero.test'],
  ]

  test.each(FORBIDDEN_HOSTS)('%s: no request', async (_name, host) => {
    await expect(get(at(host))).rejects.toEqual(failing('address'))
    expect(reachedVictim).toEqual([])
  })

  test.each(FORBIDDEN_HOSTS)('%s, by a redirect: no request', async (_name, host) => {
    // Headers are ASCII only.
    const location = /^[ -~]+$/.test(host) ? at(host) : encodeURI(at(host))
    handler = (_request, response) => response.writeHead(302, { location }).end()
    await expect(get(at('own.test'))).rejects.toEqual(failing('address'))
    expect(reachedVictim).toEqual([])
  })

  test('a nameserver that changes its answer: the connection uses the first answer', async () => {
    let asked = 0
    nameserver.answer = (query) => {
      if (!query.text.endsWith(' A')) return [replyTo(query, [])]
      asked += 1
      return [replyTo(query, [`rebind.test 0 A ${asked === 1 ? OWN : FORBIDDEN}`])]
    }
    expect(await contentOf(at('rebind.test'))).toBe('own')
    expect(asked).toBe(1)
    await expect(get(at('rebind.test'))).rejects.toEqual(failing('address'))
    expect(reachedVictim).toEqual([])
  })

  test('an answer that changes between redirects to the same host: each is checked', async () => {
    let asked = 0
    nameserver.answer = (query) => {
      if (!query.text.endsWith(' A')) return [replyTo(query, [])]
      asked += 1
      return [replyTo(query, [`rebind.test 0 A ${asked < 3 ? OWN : FORBIDDEN}`])]
    }
    handler = (request, response) => response.writeHead(307, { location: `${request.url}x` }).end()
    await expect(get(at('rebind.test'))).rejects.toEqual(failing('address'))
    expect(asked).toBe(3)
    expect(reachedVictim).toEqual([])
  })

  test.each([
    ['another scheme', 'ftp://own.test/'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:text/javascript,1'],
    ['no URL', 'own.test'],
    ['credentials', 'http://user:secret@own.test/'],
    ['a user', 'http://user@own.test/'],
  ])('%s is refused, directly and in a redirect', async (_name, url) => {
    await expect(get(url)).rejects.toEqual(failing('url'))
    if (!URL.canParse(url)) return
    handler = (_request, response) => response.writeHead(301, { location: url }).end()
    await expect(get(at('own.test'))).rejects.toEqual(failing('url'))
  })

  test('no request is sent to a port that is not allowed, directly or in a redirect', async () => {
    const deps = {
      mayConnect: createAddressGuard([OWN]),
      hostAddresses: createHostAddresses([nameserver]),
      userAgent: 'tests',
    }
    const strict = createSafeFetch({ ...deps, ports: [80, 443] })
    await expect(strict.fetch({ url: at('own.test'), ...bounds })).rejects.toEqual(failing('url'))
    const lenient = createSafeFetch({ ...deps, ports: [ownPort] })
    handler = (_request, response) => response.writeHead(302, { location: 'http://own.test:22/' }).end()
    await expect(lenient.fetch({ url: at('own.test'), ...bounds })).rejects.toEqual(failing('url'))
  })

  test('five redirects are followed, six are not', async () => {
    let asked = 0
    const redirectTimes = (times: number): Handler => {
      asked = 0
      return (_request, response) => {
        asked += 1
        if (asked > times) response.end('there')
        else response.writeHead(308, { location: `/${asked}` }).end()
      }
    }
    handler = redirectTimes(5)
    expect(await contentOf(at('own.test'))).toBe('there')
    handler = redirectTimes(6)
    await expect(get(at('own.test'))).rejects.toEqual(failing('redirects'))
    expect(asked).toBe(6)
  })

  test('this machine is also forbidden with the system resolver', async () => {
    const deps = { mayConnect: createAddressGuard([]), ports: 'any', userAgent: 'tests' } as const
    const asTheSystem = createSafeFetch({ ...deps, hostAddresses: systemHostAddresses })
    await expect(asTheSystem.fetch({ url: at('localhost'), ...bounds })).rejects.toEqual(failing('address'))
  })

  test('a name that does not exist, and a nameserver that does not answer', async () => {
    await expect(get(at('absent.test'))).rejects.toEqual(failing('name'))
    nameserver.answer = () => []
    await expect(get(at('own.test'), { idleMillis: 200 })).rejects.toEqual(failing('silence'))
  })
})

describe('TLS', () => {
  test('the certificate must match the name; the connection uses the checked address', async () => {
    expect(await contentOf(`https://secure.test:${securePort}/`)).toBe('own')
    await expect(get(`https://own.test:${securePort}/`)).rejects.toEqual(failing('network'))
  })

  test('a redirect to http is refused', async () => {
    let asked = 0
    handler = (_request, response) => {
      asked += 1
      response.writeHead(302, { location: at('own.test') }).end()
    }
    await expect(get(`https://secure.test:${securePort}/`)).rejects.toEqual(failing('url'))
    expect(asked).toBe(1)
  })
})

describe('requests', () => {
  test('send our user agent, and neither cookies nor a referrer', async () => {
    const seen: IncomingMessage['headers'][] = []
    handler = (request, response) => {
      seen.push(request.headers)
      if (seen.length === 1) response.writeHead(302, { location: '/a', 'set-cookie': 'a=b; Path=/' }).end()
      else response.end('')
    }
    await get(at('own.test', '/x?y#z'), { accept: 'text/javascript' })
    expect(seen).toHaveLength(2)
    for (const headers of seen) {
      expect(Object.keys(headers).toSorted()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ])
      expect(headers).toMatchObject({
        'user-agent': 'tests',
        host: `own.test:${ownPort}`,
        accept: 'text/javascript',
      })
    }
  })

  test('send validators only to the URL that returned them', async () => {
    const seen: (string | undefined)[] = []
    handler = (request, response) => {
      seen.push(request.headers['if-none-match'])
      if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end()
      else if (request.url === '/moved') response.writeHead(302, { location: '/a' }).end()
      else
        response
          .writeHead(200, { etag: '"one"', 'last-modified': 'Mon, 05 Jan 2026 10:00:00 GMT' })
          .end('one')
    }
    const fetched = await get(at('own.test', '/moved'))
    const validators = fetched.kind === 'content' ? fetched.validators : null
    expect(validators).toEqual({
      url: at('own.test', '/a'),
      etag: '"one"',
      lastModified: 'Mon, 05 Jan 2026 10:00:00 GMT',
    })
    expect(await get(at('own.test', '/moved'), { validators })).toEqual({ kind: 'unchanged' })
    expect(seen).toEqual([undefined, undefined, undefined, '"one"'])
    handler = (_request, response) => void response.writeHead(304).end()
    await expect(get(at('own.test', '/unasked'))).rejects.toEqual(failing('status'))
  })
})

describe('responses', () => {
  const send =
    (body: Buffer | string, headers: Record<string, string> = {}): Handler =>
    (_request, response) =>
      void response.writeHead(200, headers).end(body)
  const FULL = 'a'.repeat(bounds.maxBytes)

  test.each([
    ['uncompressed', send(FULL)],
    ['gzip', send(gzipSync(FULL), { 'content-encoding': 'gzip' })],
    ['gzip in capitals', send(gzipSync(FULL), { 'content-encoding': 'GZIP' })],
    ['br', send(brotliCompressSync(FULL), { 'content-encoding': 'br' })],
    ['identity', send(FULL, { 'content-encoding': 'identity' })],
  ])('%s: all octets at the limit', async (_name, answer) => {
    handler = answer
    expect(await contentOf(at('own.test'))).toBe(FULL)
  })

  const endless: Handler = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1000)));
    }
    response.on('drain', more)
    more()
  }
  const endlessNothing: Handler = (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    const member = gzipSync('')
    const more = () => {
      while (!response.destroyed && response.write(member));
    }
    response.on('drain', more)
    more()
  }

  test.each<readonly [string, Handler, string]>([
    ['one octet more', send(`${FULL}a`), 'size'],
    [
      'one octet more in chunks',
      (_request, response) => {
        response.write(FULL)
        response.end('a')
      },
      'size',
    ],
    [
      'a Content-Length over the limit',
      (_request, response) => void response.writeHead(200, { 'content-length': '99999999' }).write('a'),
      'size',
    ],
    ['a gzip bomb', send(gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }), 'size'],
    ['a br bomb', send(brotliCompressSync(Buffer.alloc(20_000_000)), { 'content-encoding': 'br' }), 'size'],
    ['an endless body', endless, 'size'],
    ['an endless compressed body', endlessNothing, 'size'],
    ['nested codings', send(gzipSync(gzipSync('a')), { 'content-encoding': 'gzip, gzip' }), 'coding'],
    ['an unknown coding', send('a', { 'content-encoding': 'constructor' }), 'coding'],
    ['invalid gzip', send('not gzip at all', { 'content-encoding': 'gzip' }), 'coding'],
    ['truncated gzip', send(gzipSync(FULL).subarray(0, 20), { 'content-encoding': 'gzip' }), 'coding'],
    ['invalid br', send('not br at all', { 'content-encoding': 'br' }), 'coding'],
    ['silence', () => {}, 'silence'],
    ['silence after the headers', (_request, response) => response.writeHead(200).flushHeaders(), 'silence'],
    [
      'one octet at a time',
      (_request, response) => {
        const timer = setInterval(() => response.write('a'), 20)
        response.on('close', () => clearInterval(timer))
      },
      'time',
    ],
    [
      'an end before the Content-Length',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '10' }).write('a')
        setImmediate(() => response.destroy())
      },
      'network',
    ],
    [
      'endless headers',
      (_request, response) => void response.writeHead(200, { 'x-long': 'a'.repeat(20_000) }).end(),
      'network',
    ],
    ['no HTTP', (_request, response) => void response.socket?.end('what?\r\n\r\n'), 'network'],
    ['not found', (_request, response) => void response.writeHead(404).end(), 'status'],
    ['partial content', (_request, response) => void response.writeHead(206).end('a'), 'status'],
    ['a redirect without location', (_request, response) => void response.writeHead(302).end(), 'status'],
    [
      'another protocol',
      (_request, response) => void response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end(),
      'status',
    ],
  ])('%s', async (_name, answer, problem) => {
    handler = answer
    await expect(get(at('own.test'), SHORT[problem])).rejects.toEqual(failing(problem))
  })

  test('the body of an unwanted content type is not read', async () => {
    handler = send('a', { 'content-type': 'Image/PNG; a=b', 'x-content-type-options': 'nosniff' })
    const asked: unknown[] = []
    const isExpected = (type: unknown) => {
      asked.push(type)
      return false
    }
    await expect(get(at('own.test'), { isWanted: isExpected })).rejects.toEqual(failing('type'))
    expect(asked).toEqual([{ essence: 'image/png', charset: null, isStrict: true }])
  })

  test('the caller can abort, before and during the request', async () => {
    await expect(get(at('own.test'), { signal: AbortSignal.abort() })).rejects.toEqual(failing('stopped'))
    const stopping = new AbortController()
    handler = () => stopping.abort()
    await expect(get(at('own.test'), { signal: stopping.signal })).rejects.toEqual(failing('stopped'))
  })

  test('a slow consumer causes no silence timeout, and its error is returned unchanged', async () => {
    handler = (_request, response) => {
      response.write('a'.repeat(5000))
      setTimeout(() => response.end('b'), 50)
    }
    let taken = ''
    const slow = async (chunk: Buffer) => {
      await new Promise((done) => setTimeout(done, 900))
      taken += chunk.toString()
    }
    const streamed = await safe.stream({ url: at('own.test'), ...bounds, idleMillis: 600 }, slow)
    expect(streamed).toMatchObject({ kind: 'content', bytes: 5001, url: at('own.test') })
    expect(taken).toBe(`${'a'.repeat(5000)}b`)
    const failure = Object.assign(new Error('full'), { code: 'ENOSPC' })
    const reject = () => Promise.reject(failure)
    await expect(safe.stream({ url: at('own.test'), ...bounds }, reject)).rejects.toBe(failure)
  })
})

describe('a POST', () => {
  const post = (url: string, signal?: AbortSignal) =>
    safe.post({
      url,
      body: '{"é":1}',
      headers: { 'content-type': 'application/json', 'x-signed': 'abc' },
      totalMillis: 2000,
      ...(signal === undefined ? {} : { signal }),
    })

  test('arrives complete, and returns the status', async () => {
    const received: unknown[] = []
    handler = (request, response) => {
      const { method, headers } = request
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        received.push([method, headers['content-type'], headers['x-signed'], headers['user-agent'], body])
        response.writeHead(202).end('x'.repeat(100_000))
      })
    }
    expect(await post(`http://own.test:${ownPort}/hook?a=1`)).toBe(202)
    expect(await post(`https://secure.test:${securePort}/hook`)).toBe(202)
    const expected = ['POST', 'application/json', 'abc', 'tests', '{"é":1}']
    expect(received).toEqual([expected, expected])
  })

  test.each([
    ['http://forbidden.test', 'address'],
    ['http://mixed.test', 'address'],
    ['http://mapped.test', 'address'],
    ['http://metadata.test', 'address'],
    ['http://alias.test', 'address'],
    ['http://127.0.0.2', 'address'],
    ['http://[::ffff:127.0.0.2]', 'address'],
    ['http://2130706434', 'address'],
    ['http://nobody.test', 'name'],
    ['ftp://own.test', 'url'],
    ['http://user:secret@own.test', 'url'],
  ])('is never sent to %s', async (url, problem) => {
    handler = () => {
      throw new Error('it was posted')
    }
    await expect(post(`${url}:${ownPort}/`)).rejects.toMatchObject({ problem })
    expect(reachedVictim).toEqual([])
  })

  test('follows no redirect', async () => {
    handler = (_request, response) =>
      response.writeHead(307, { location: `http://forbidden.test:${ownPort}/` }).end()
    expect(await post(`http://own.test:${ownPort}/`)).toBe(307)
    expect(reachedVictim).toEqual([])
  })

  test('times out without an answer, and can be aborted', async () => {
    handler = () => {}
    await expect(post(`http://own.test:${ownPort}/`)).rejects.toMatchObject({ problem: 'time' })
    await expect(post(`http://own.test:${ownPort}/`, AbortSignal.abort())).rejects.toMatchObject({
      problem: 'stopped',
    })
  })
})
