// More than five hundred ordinary requests, written as templates and combined here. A rule that matches one of them
// at its default is wrong.
import type { RequestSample } from '../request-sample.cases.ts'
import { API_REQUESTS } from './benign-api-requests.cases.ts'
import { NAMES, PASSWORDS, POSTS, SEARCHES } from './benign-strings.cases.ts'
import {
  inCookie,
  inForm,
  inJson,
  inMultipart,
  inQuery,
  type NamedRequest,
  pick,
} from './named-request.cases.ts'

const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'ExampleApp/4.2.1 (iPhone; iOS 17.5; Scale/3.00)',
  'okhttp/4.12.0',
  'curl/8.7.1',
  'python-requests/2.32.3',
  'kube-probe/1.29',
] as const

const PAGES: readonly string[] = [
  '/',
  '/index.html',
  '/about/team',
  '/products/shoes-and-bags?page=2&sort=price-asc',
  '/products/4711-select-comfort-bed',
  '/blog/2024/05/how-to-sleep-well/',
  '/blog/union-of-two-worlds?ref=newsletter',
  '/de/%C3%BCber-uns',
  '/ja/%E8%A3%BD%E5%93%81',
  '/static/js/app.3f9a1c.js?v=20240501',
  '/static/css/main.css',
  '/images/photo%20(1).jpg',
  '/downloads/report-2024..final.pdf',
  '/favicon.ico',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/security.txt',
  '/feed.xml',
  '/api/v2/items/550e8400-e29b-41d4-a716-446655440000',
  '/calendar/2024-05-01T10:00:00+02:00',
  '/maps/@52.5200,13.4050,12z',
  '/wiki/Select_(SQL)',
  '/wiki/C%2B%2B',
  "/wiki/O'Reilly_Media",
  '/category/tools;color=red/list',
  '/search/rock+and+roll/page/3',
  '/index.php?option=com_content&view=article&id=12:news&catid=4&Itemid=101',
  '/viewtopic.php?f=2&t=1041&start=20#p4242',
  '/wp-login.php?redirect_to=https%3A%2F%2Fwww.example.com%2Fwp-admin%2F&reauth=1',
  '/node/12?destination=/admin/content',
  '/cart.php?a=add&pid=3&currency=1',
  '/catalogsearch/result/?q=shirt&price=20-50&color=12',
  '/clientarea.php?action=details',
  '/news.php?id=42',
  '/view.php?id=7&lang=en',
  '/page.aspx?id=15&tab=2',
  '/list.jsp?offset=20&max=10',
  '/cgi-bin/status?verbose=1',
  '/_next/data/abc/index.json',
  '/socket.io/?EIO=4&transport=polling&t=OzZ1x',
]

/** Page views; clients and referring pages alternate. */
const browsing = (): readonly NamedRequest[] =>
  PAGES.flatMap((target, i) => [
    { kind: 'page', name: target, request: { target, headers: { 'user-agent': pick(USER_AGENTS, i) } } },
    {
      kind: 'page',
      name: `${target} from a search`,
      request: {
        target,
        headers: {
          'user-agent': pick(USER_AGENTS, i * 3 + 1),
          referer: `https://search.example.com/?q=${encodeURIComponent(SEARCHES[i] ?? '')}`,
        },
      },
    },
  ])

const searches = (): readonly NamedRequest[] =>
  SEARCHES.map((text, i) => ({
    kind: 'search',
    name: text,
    request: pick<RequestSample>(
      [
        inQuery('/search', 'q', text),
        inQuery('/', 's', text),
        inQuery('/catalogsearch/result/', 'q', text),
        inJson('/api/search', { query: text, page: 1, filters: { inStock: true } }),
        inForm('/search.php', { keywords: text, sort: 'date', dir: 'desc' }),
      ],
      i,
    ),
  }))

const signUps = (): readonly NamedRequest[] =>
  NAMES.flatMap((name, i) => [
    {
      kind: 'form',
      name: `${name} signs up`,
      request: inForm('/register', {
        name,
        email: `user${i}@example.com`,
        password: pick(['Tr0ub4dor&3', ...PASSWORDS], i),
        terms: 'on',
      }),
    },
    {
      kind: 'form',
      name: `${name} orders`,
      request: inJson('/api/orders', {
        customer: { name, street: "12 St. John's Road, Apt #3", city: "Coeur d'Alene" },
        items: [{ sku: `A-${i}`, amount: i + 1, note: 'gift; wrap it & add a card' }],
        total: 19.99,
      }),
    },
  ])

const logIns = (): readonly NamedRequest[] =>
  PASSWORDS.map((password, i) => ({
    kind: 'form',
    name: `log-in with ${password}`,
    request:
      i % 2 === 0
        ? inForm('/login', { username: `user${i}@example.com`, password, remember: '1' })
        : inJson('/api/session', { email: `user${i}@example.com`, password }),
  }))

const posts = (): readonly NamedRequest[] =>
  POSTS.flatMap(([subject, text], i) => [
    {
      kind: 'post',
      name: `${subject}, form`,
      request: inForm('/forum/post', { subject, message: text, topic: String(i) }),
    },
    {
      kind: 'post',
      name: `${subject}, JSON`,
      request: inJson(`/api/issues/${i}/comments`, { title: subject, body: text, labels: ['question'] }),
    },
    {
      kind: 'post',
      name: `${subject}, multipart`,
      request: inMultipart('/tickets', [
        { name: 'subject', value: subject },
        { name: 'message', value: text },
      ]),
    },
  ])

const pixels = (seed: number): string =>
  Array.from({ length: 180 }, (_, i) => String.fromCharCode((i * 37 + seed * 91) % 256)).join('')
const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')

const FILES: readonly (readonly [filename: string, type: string, content: string])[] = [
  ['photo.jpg', 'image/jpeg', 'JFIF...'],
  ["Anna's holiday (2024).png", 'image/png', 'PNG...'],
  ['Größe & Preis.pdf', 'application/pdf', '%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj'],
  ['履歴書.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK...'],
  ['data.v2.final.csv', 'text/csv', 'id;name;note\n1;"O\'Brien";"select & go"\n2;Smith;=SUM(A1:A2)\n'],
  ['archive.tar.gz', 'application/gzip', '...'],
  ['notes.md', 'text/markdown', '# Notes\n\n- use `SELECT`\n- see <https://www.example.com>\n'],
  ['page.html', 'text/html', '<!doctype html><html><body><h1>Hello</h1></body></html>'],
  [
    'logo.svg',
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" width="10"><path d="M0 0h10"/></svg>',
  ],
  [
    'feed.xml',
    'application/xml',
    '<?xml version="1.0"?><rss version="2.0"><channel><title>a</title></channel></rss>',
  ],
  ['.env.example.txt', 'text/plain', 'PORT=8080\n'],
  ['report_2024-05-01_10-30.xlsx', 'application/vnd.ms-excel', 'PK...'],
]

const uploads = (): readonly NamedRequest[] =>
  FILES.flatMap(([filename, type, value], i) => [
    {
      kind: 'upload',
      name: filename,
      request: inMultipart('/upload', [
        { name: 'title', value: `A file called ${filename}` },
        { name: 'file', value, filename, type },
      ]),
    },
    {
      kind: 'upload',
      name: `${filename} in JSON`,
      request: inJson('/api/files', { filename, type, content: `data:${type};base64,${base64(pixels(i))}` }),
    },
  ])

const COOKIES: readonly string[] = [
  'session=4f2a9c81d0e37b56; theme=dark; lang=en-GB',
  '_ga=GA1.2.1234567890.1714550000; _gid=GA1.2.987654321.1714550000; _gat=1',
  'PHPSESSID=abcdefghijklmnopqrstuvwx; cart=%7B%22items%22%3A%5B%7B%22id%22%3A4%2C%22n%22%3A2%7D%5D%7D',
  'wordpress_logged_in_abc=anna%7C1714550000%7CabcDEF123%7C0123456789abcdef',
  'consent=%7B%22necessary%22%3Atrue%2C%22ads%22%3Afalse%2C%22date%22%3A%222024-05-01%22%7D',
  'laravel_session=eyJpdiI6IkFCQ0QiLCJ2YWx1ZSI6IkVGR0giLCJtYWMiOiIwMTIzIn0%3D; XSRF-TOKEN=eyJpdiI6IlhZWiJ9',
  'prefs=a%3A2%3A%7Bs%3A4%3A%22lang%22%3Bs%3A2%3A%22en%22%3Bs%3A4%3A%22size%22%3Bi%3A3%3B%7D',
  'auth=eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI0MiIsImV4cCI6MTcxNDU1MDAwMH0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg',
  `long=${base64(pixels(1))}; longer=${base64(pixels(2))}`,
  'last=/products?sort=price&page=2; seen=12|15|18|22; ab=b:control-2_x',
  "name=Ann%20O'Brien; city=Coeur%20d'Alene",
  '__utmz=1.2.3.4.utmcsr=google|utmccn=(organic)|utmcmd=organic|utmctr=(not%20provided)',
  'optimizely=%7B%22a%22%3A%22b%22%7D; intercom-id=3f9a; ajs_user_id=%22user-42%22; amp_x=a.b..1hs.1hs.0.1.1',
]

const withCookies = (): readonly NamedRequest[] =>
  COOKIES.flatMap((cookie, i) => [
    {
      kind: 'cookie',
      name: cookie.slice(0, 40),
      request: inCookie(pick(['/', '/account', '/cart'], i), cookie),
    },
    {
      kind: 'cookie',
      name: `${cookie.slice(0, 40)} with a form`,
      request: withHeader(inForm('/account', { name: NAMES[i] ?? '', city: 'Berlin' }), 'cookie', cookie),
    },
  ])

function withHeader(request: RequestSample, name: string, value: string): RequestSample {
  return { ...request, headers: { ...request.headers, [name]: value } }
}

export const BENIGN_REQUESTS: readonly NamedRequest[] = [
  ...browsing(),
  ...searches(),
  ...signUps(),
  ...logIns(),
  ...posts(),
  ...uploads(),
  ...withCookies(),
  ...API_REQUESTS,
]
