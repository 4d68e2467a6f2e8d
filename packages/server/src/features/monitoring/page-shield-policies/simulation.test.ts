// Simulation and suggestion: what a policy would block in an inventory, and a policy that blocks nothing in it.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import type { FoundResource } from './inventory.ts'
import type { Chunked } from '@zonereeve/cooperate'
import { onMatchingPages } from './matching.rules.ts'
import { simulate } from './simulation.rules.ts'
import { readHash, suggestPolicy } from './suggestion.rules.ts'

const DIGEST = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
const ALL = ['chromium', 'firefox', 'webkit']
const found = (
  kind: FoundResource['kind'],
  url: string,
  change: Partial<FoundResource> = {},
): FoundResource => ({
  id: url,
  kind,
  url,
  pageUrls: ['www.example.com/'],
  status: 'active',
  isMalicious: false,
  ...change,
})
const script = (url: string, change?: Partial<FoundResource>) => found('script', url, change)
const connection = (url: string, change?: Partial<FoundResource>) => found('connection', url, change)

/** Runs stepwise work. @returns its result and the number of steps. */
function finish<Result>(work: Chunked<Result>): {
  readonly result: Result
  readonly steps: number
} {
  for (let steps = 0; ; steps++) {
    const step = work.next()
    if (step.done === true) return { result: step.value, steps }
  }
}

const simulated = (value: string, resources: readonly FoundResource[]) =>
  finish(simulate(value, resources)).result
const suggested = (resources: readonly FoundResource[], hashes: readonly string[] = []) =>
  finish(suggestPolicy(resources, hashes)).result

describe('simulate', () => {
  const cases: [name: string, value: string, resource: FoundResource, blockedIn: string[], more?: object][] =
    [
      ['an allowed host', 'script-src cdn.test', script('https://cdn.test/a.js'), []],
      [
        'another host',
        'script-src cdn.test',
        script('https://evil.test/a.js'),
        ALL,
        { directive: 'script-src' },
      ],
      ['nothing said', 'img-src *', script('https://evil.test/a.js'), []],
      ['its own host', "script-src 'self'", script('https://www.example.com/a.js'), []],
      [
        'a page of another host',
        "script-src 'self'",
        script('https://www.example.com/a.js', { pageUrls: ['www.example.com/', 'shop.example.com/basket'] }),
        ALL,
        { pageUrl: 'shop.example.com/basket' },
      ],
      [
        'a fallback',
        "default-src 'none'",
        connection('https://api.test'),
        ALL,
        { directive: 'default-src', dependsOnPath: false },
      ],
      ['connect-src does not apply to scripts', "connect-src 'none'", script('https://cdn.test/a.js'), []],
      ['a star and a port', 'script-src *:8443', script('https://cdn.test:8443/a.js'), ['webkit']],
      [
        'an insecure source with a port',
        'script-src http://cdn.test:8443',
        script('https://cdn.test:8443/a.js'),
        ['chromium'],
      ],
      ['a path', 'script-src cdn.test/lib/', script('https://cdn.test/a.js'), ALL, { dependsOnPath: false }],
      [
        'a path if the inventory has none',
        'connect-src api.test/v1/',
        connection('https://api.test'),
        ALL,
        { dependsOnPath: true },
      ],
      [
        'a path if the inventory has whole URLs',
        'connect-src api.test/v1/',
        connection('https://api.test/v2/'),
        ALL,
        { dependsOnPath: false },
      ],
      ['a socket by its scheme', 'connect-src wss://ws.test', connection('wss://ws.test'), []],
      ['an insecure page', 'script-src cdn.test', script('http://cdn.test/a.js'), []],
    ]
  test.each(cases)('%s', (_, value, resource, blockedIn, more = {}) => {
    const { checked, blocked } = simulated(value, [resource])
    expect(checked).toBe(1)
    expect(blocked.map((item) => item.blockedIn)).toEqual(blockedIn.length === 0 ? [] : [blockedIn])
    if (blockedIn.length > 0) expect(blocked[0]).toMatchObject({ resource, ...more })
  })

  test.each([
    ["script-src 'self'", ['inline_scripts', 'inline_handlers', 'eval', 'wasm']],
    ["script-src 'self' 'unsafe-inline'", ['eval', 'wasm']],
    ["script-src 'self' 'unsafe-eval'", ['inline_scripts', 'inline_handlers']],
    ["script-src 'wasm-unsafe-eval'", ['inline_scripts', 'inline_handlers', 'eval']],
    ['img-src *', []],
  ])('%s forbids %j', (value, forbidden) => expect(simulated(value, []).forbidden).toEqual(forbidden))
})

describe('sources of a simulation', () => {
  const inventory = [
    script('https://www.example.com/a.js'),
    script('https://cdn.test/a.js'),
    script('https://cdn.test/b.js', { isMalicious: true }),
    script('https://blocked.test/a.js', { isMalicious: true }),
    connection('https://api.test'),
    connection('wss://ws.test'),
  ]
  test.each<[name: string, value: string, sources: (readonly [string, string, number, number, number])[]]>([
    [
      'each with what it allows',
      "script-src 'self' cdn.test; connect-src api.test",
      [
        ['script-src', "'self'", 1, 0, 0],
        ['script-src', 'cdn.test', 2, 0, 1],
        ['connect-src', 'api.test', 0, 1, 0],
      ],
    ],
    [
      'one that allows none is there, one that names no resource is not',
      "script-src unused.test 'unsafe-inline' 'nonce-abc'",
      [['script-src', 'unused.test', 0, 0, 0]],
    ],
    [
      'a fallback counts both kinds, and only if nothing nearer decides',
      'default-src cdn.test api.test; script-src CDN.test',
      [
        ['script-src', 'cdn.test', 2, 0, 1],
        ['default-src', 'cdn.test', 0, 0, 0],
        ['default-src', 'api.test', 0, 1, 0],
      ],
    ],
    [
      'what two allow is counted at the first',
      'connect-src * wss:',
      [
        ['connect-src', '*', 0, 2, 0],
        ['connect-src', 'wss:', 0, 0, 0],
      ],
    ],
    ['of directives that decide on neither', "img-src 'self'; frame-ancestors 'self'", []],
  ])('%s', (_, value, sources) =>
    expect(
      simulated(value, inventory).sources.map((use) => [
        use.directive,
        use.source,
        use.scripts,
        use.connections,
        use.malicious,
      ]),
    ).toEqual(sources),
  )
})

describe('onMatchingPages', () => {
  const inventory = [
    script('https://cdn.test/a.js', { pageUrls: ['www.example.com/', 'www.example.com/checkout'] }),
    script('https://cdn.test/b.js', { pageUrls: ['www.example.com/'] }),
    connection('http://api.test', { pageUrls: ['shop.example.com/checkout'] }),
  ]
  test.each<[expression: string, urls: string[], matching: number]>([
    ['true', ['https://cdn.test/a.js', 'https://cdn.test/b.js', 'http://api.test'], 3],
    ['false', [], 0],
    ['http.request.uri.path eq "/checkout"', ['https://cdn.test/a.js', 'http://api.test'], 2],
    ['http.host eq "shop.example.com"', ['http://api.test'], 1],
    ['ssl', ['https://cdn.test/a.js', 'https://cdn.test/b.js'], 2],
    ['raw.http.request.uri.path eq "/"', ['https://cdn.test/a.js', 'https://cdn.test/b.js'], 1],
    ['http.request.uri.path.extension eq "php"', [], 0],
    ['http.response.code eq 200', ['https://cdn.test/a.js', 'https://cdn.test/b.js', 'http://api.test'], 3],
  ])('%s', (expression, urls, matching) => {
    const { result } = finish(onMatchingPages(expression, inventory))
    expect(result.resources.map(({ url }) => url)).toEqual(urls)
    expect([result.matching, result.total]).toEqual([matching, 3])
  })

  // A page is known by its host and path alone.
  test.each([
    'ip.src eq 192.0.2.1',
    'http.request.uri.query contains "lang="',
    'http.request.uri contains "?lang=de"',
    'http.request.full_uri contains "?lang=de"',
    'any(http.request.uri.args["step"][*] eq "2")',
    'http.request.method eq "POST"',
    'not http.request.method eq "GET"',
  ])('%s decides no page, and only a path beside it does', (expression) => {
    const all = finish(onMatchingPages(expression, inventory)).result
    expect([all.resources, all.matching, all.total]).toEqual([inventory, 3, 3])
    const onPath = `(${expression}) and http.request.uri.path eq "/checkout"`
    expect(finish(onMatchingPages(onPath, inventory)).result.matching).toBe(2)
  })

  test('a resource keeps its matching pages alone', () => {
    const { result } = finish(onMatchingPages('http.request.uri.path eq "/checkout"', inventory))
    expect(result.resources[0]?.pageUrls).toEqual(['www.example.com/checkout'])
  })
})

describe('suggestPolicy', () => {
  const cases: [name: string, resources: FoundResource[], value: string][] = [
    ['nothing found', [], "script-src 'none'; connect-src 'none'"],
    ['its own', [script('https://www.example.com/a.js')], "script-src 'self'; connect-src 'none'"],
    [
      'each host once',
      [script('https://b.test/1.js'), script('https://b.test/2.js'), script('https://a.test/1.js')],
      "script-src a.test b.test; connect-src 'none'",
    ],
    ['ports', [script('https://b.test:8443/1.js')], "script-src b.test:8443; connect-src 'none'"],
    [
      'a host that is own on one page only',
      [script('https://www.example.com/a.js', { pageUrls: ['www.example.com/', 'shop.example.com/'] })],
      "script-src www.example.com; connect-src 'none'",
    ],
    [
      'insecure and secure',
      [script('http://b.test/1.js'), script('https://b.test/1.js')],
      "script-src http://b.test; connect-src 'none'",
    ],
    [
      'sockets with their scheme',
      [connection('wss://www.example.com'), connection('https://api.test')],
      "script-src 'none'; connect-src api.test wss://www.example.com",
    ],
  ]
  test.each(cases)('%s', (_, resources, value) =>
    expect(suggested(resources)).toEqual({ value, leftOut: [] }),
  )

  test('malicious and infrequent resources are left out and listed', () => {
    const resources = [
      script('https://a.test/'),
      script('https://b.test/', { isMalicious: true }),
      script('https://c.test/', { status: 'infrequent' }),
      connection('https://d.test', { status: 'inactive' }),
      script('https://my_cdn.test/'),
      script('https://[2001:db8::1]/'),
    ]
    const { value, leftOut } = suggested(resources)
    expect(value).toBe("script-src a.test; connect-src 'none'")
    expect(leftOut.map(({ resource, reason }) => [resource.url, reason])).toEqual([
      ['https://b.test/', 'malicious'],
      ['https://c.test/', 'infrequent'],
      ['https://d.test', 'inactive'],
      ['https://my_cdn.test/', 'unlistable'],
      ['https://[2001:db8::1]/', 'unlistable'],
    ])
  })

  test('the number of steps grows linearly with the hosts', () => {
    const stepsFor = (hosts: number): number =>
      finish(
        suggestPolicy(
          Array.from({ length: hosts }, (_, index) => script(`https://h${index}.test/a.js`)),
          [],
        ),
      ).steps
    expect(stepsFor(200)).toBeLessThanOrEqual(2 * stepsFor(100))
  })

  test('hashes of inline scripts come last', () =>
    expect(suggested([script('https://a.test/')], ["'sha256-AAAA'"]).value).toBe(
      "script-src a.test 'sha256-AAAA'; connect-src 'none'",
    ))

  test.each([
    [DIGEST, `'${DIGEST}'`],
    [` '${DIGEST.replace('sha', 'SHA')}' `, `'${DIGEST}'`],
    ['sha256-AAAA', undefined],
    [DIGEST.replace('256', '384'), undefined],
    ['sha1-AAAA', undefined],
    ['unsafe-inline', undefined],
    ["x' https: 'sha256-AAAA", undefined],
    ['', undefined],
  ])('%j as a hash: %j', (text, hash) => expect(readHash(text)).toBe(hash))

  test('blocks nothing in any browser, and needs each of its sources', () => {
    const host = fc.constantFrom('a.test', 'b.test', 'b.test:8443', 'www.example.com', 'shop.example.com')
    const scheme = fc.constantFrom('https', 'http', 'wss')
    const resource = fc
      .tuple(
        scheme,
        host,
        fc.uniqueArray(fc.constantFrom('www.example.com/', 'shop.example.com/x'), { minLength: 1 }),
      )
      .map(([name, authority, pageUrls]) =>
        name === 'wss'
          ? connection(`wss://${authority}`, { pageUrls })
          : script(`${name}://${authority}/a.js`, { pageUrls }),
      )
    fc.assert(
      fc.property(fc.array(resource, { minLength: 1, maxLength: 8 }), (resources) => {
        const { value } = suggested(resources)
        expect(simulated(value, resources).blocked).toEqual([])
        for (const [source] of value.matchAll(/'self'|[^\s;']+\.[^\s;']+/g)) {
          // Removes the whole word, in one directive at a time.
          for (const directive of value.split('; ').filter((text) => text.split(' ').includes(source))) {
            const less = directive
              .split(' ')
              .filter((word) => word !== source)
              .join(' ')
            const narrower = value
              .split('; ')
              .map((text) => (text === directive ? less : text))
              .join('; ')
            expect([source, simulated(narrower, resources).blocked.length > 0]).toEqual([source, true])
          }
        }
      }),
    )
  })
})

const at = (path: string) => `/zonereeve/zones/{zone}/page_shield/policies/${path}`
const send = (value: unknown) => ({ method: 'POST', path: at('simulate'), body: { value } })

const monitored: Send = { method: 'PUT', path: '/zones/{zone}/page_shield', body: { enabled: true } }
/** Three page views activate the loaded resources. */
const seen = (pageViews: number, view: object): Send => ({
  method: 'POST',
  path: '/zonereeve/zones/{zone}/page_shield/observations',
  body: { observations: Array.from({ length: pageViews }, () => view) },
})
const shop = {
  page_url: 'https://www.example.com/shop?session=1',
  scripts: ['https://www.example.com/app.js', 'https://cdn.example.net/lib/a.js?v=2'],
  connections: ['https://api.example.net/v1/items', 'wss://live.example.net/feed'],
}

scenarios('/zonereeve/zones/:id/page_shield/policies over an inventory', [
  {
    name: 'a simulation lists what would be blocked, and where browsers differ',
    before: [monitored, seen(3, shop)],
    send: send("script-src 'self' *:443; connect-src api.example.net/v1/ wss://live.example.net"),
    expect: {
      status: 200,
      result: {
        checked: 4,
        total: 4,
        not_checked: 0,
        pages: { matching: 1, total: 1 },
        sources: [
          { directive: 'script-src', source: "'self'", scripts: 1, connections: 0, malicious: 0 },
          { directive: 'script-src', source: '*:443', scripts: 1, connections: 0, malicious: 0 },
          {
            directive: 'connect-src',
            source: 'api.example.net/v1/',
            scripts: 0,
            connections: 0,
            malicious: 0,
          },
          {
            directive: 'connect-src',
            source: 'wss://live.example.net',
            scripts: 0,
            connections: 1,
            malicious: 0,
          },
        ],
        blocked: [
          {
            type: 'script',
            url: 'https://cdn.example.net/lib/a.js?v=2',
            malicious: false,
            page_url: 'www.example.com/shop',
            directive: 'script-src',
            blocked_in: ['webkit'],
            browsers_differ: true,
            depends_on_path: false,
          },
          {
            type: 'connection',
            url: 'https://api.example.net',
            directive: 'connect-src',
            blocked_in: ['chromium', 'firefox', 'webkit'],
            browsers_differ: false,
            depends_on_path: true,
          },
        ],
      },
    },
  },
  {
    name: 'a simulation of the pages that match the expression of the policy',
    before: [
      monitored,
      seen(3, shop),
      seen(3, { page_url: 'https://blog.example.com/', scripts: ['https://ads.example.org/x.js'] }),
    ],
    send: {
      ...send("script-src 'self'"),
      body: { value: "script-src 'self'", expression: 'http.host eq "blog.example.com"' },
    },
    expect: {
      status: 200,
      result: {
        checked: 1,
        total: 5,
        not_checked: 0,
        pages: { matching: 1, total: 2 },
        blocked: [{ url: 'https://ads.example.org/x.js', page_url: 'blog.example.com/' }],
      },
    },
  },
  {
    name: 'a suggestion allows active resources',
    before: [monitored, seen(3, shop), seen(1, { ...shop, scripts: ['https://once.example.org/x.js'] })],
    send: { method: 'GET', path: at('suggestion') },
    expect: {
      status: 200,
      result: {
        value: "script-src 'self' cdn.example.net; connect-src api.example.net wss://live.example.net",
        left_out: [{ type: 'script', url: 'https://once.example.org/x.js', cause: 'infrequent' }],
      },
    },
  },
  {
    name: 'a suggestion for one host',
    before: [
      monitored,
      seen(3, shop),
      seen(3, { page_url: 'https://blog.example.com/', scripts: ['https://ads.example.org/x.js'] }),
    ],
    send: { method: 'GET', path: at('suggestion?host=blog.example.com') },
    expect: { status: 200, result: { value: "script-src ads.example.org; connect-src 'none'" } },
  },
])

scenarios('/zonereeve/zones/:id/page_shield/policies', [
  {
    name: 'a simulation with an empty inventory',
    send: send("script-src 'self' self"),
    expect: {
      status: 200,
      result: {
        checked: 0,
        blocked: [],
        forbidden: ['inline_scripts', 'inline_handlers', 'eval', 'wasm'],
        problems: [
          { id: 'source.self', level: 'note', start: 11, end: 17 },
          { id: 'source.unquoted', level: 'warning', start: 18, end: 22 },
        ],
      },
    },
  },
  {
    name: 'an invalid policy',
    send: send('x y'),
    expect: { status: 400, codes: [19646], pointers: ['/value'] },
  },
  {
    name: 'an expression with an unknown field',
    send: { ...send('img-src *'), body: { value: 'img-src *', expression: 'http.hots eq "x"' } },
    expect: { status: 400, codes: [19701], pointers: ['/expression'] },
  },
  { name: 'of nothing', send: send(''), expect: { status: 400, codes: [19646], pointers: ['/value'] } },
  {
    name: 'too long a policy',
    send: send('x'.repeat(6001)),
    expect: { status: 400, codes: [19647], pointers: ['/value'] },
  },
  { name: 'not a string', send: send(1), expect: { status: 400, codes: [6008], pointers: ['/value'] } },
  {
    name: 'an unknown option',
    send: { ...send('img-src *'), body: { value: 'img-src *', engine: 'webkit' } },
    expect: { status: 400, codes: [6008] },
  },
  {
    name: 'a suggestion with a hash',
    send: { method: 'GET', path: at(`suggestion?inline_hashes=${encodeURIComponent(DIGEST)}`) },
    expect: {
      status: 200,
      result: {
        value: `script-src '${DIGEST}'; connect-src 'none'`,
        checked: 0,
        total: 0,
        not_checked: 0,
        left_out: [],
      },
    },
  },
  {
    name: 'a suggestion with an unknown hash',
    send: { method: 'GET', path: at('suggestion?inline_hashes=sha256-AAAA') },
    expect: { status: 400, codes: [19644], pointers: ['/inline_hashes'] },
  },
  {
    name: 'a suggestion with an invalid hash',
    send: { method: 'GET', path: at(`suggestion?inline_hashes=${encodeURIComponent(DIGEST)},unsafe-inline`) },
    expect: { status: 400, codes: [19644], pointers: ['/inline_hashes'] },
  },
])
