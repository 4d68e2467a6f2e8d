// Monitoring data of the demo zone: four weeks of a shop's pages, with a script that became malicious.
import type { PageShield } from '../../features/monitoring/page-shield/index.ts'
import type { Imports, ThreatFeeds } from '../../features/monitoring/threat-feeds/index.ts'
import { type Clock, SYSTEM } from '@zonereeve/platform'

const DAY_MILLIS = 86_400_000
const SHOP = 'shop.example.com'

interface DemoResource {
  readonly kind: 'script' | 'connection'
  readonly url: string
  readonly pages: readonly string[]
  readonly firstDaysAgo: number
  readonly lastDaysAgo: number
  readonly pageViews: number
}

const PAGES = [`${SHOP}/`, `${SHOP}/cart`, `${SHOP}/checkout`]

/** One of each status; the order is that of their last detections. */
const RESOURCES: readonly DemoResource[] = [
  {
    kind: 'script',
    url: 'https://shop.example.com/assets/shop.js',
    pages: PAGES,
    firstDaysAgo: 28,
    lastDaysAgo: 0,
    pageViews: 4211,
  },
  {
    kind: 'script',
    url: 'https://js.payments.example.net/v3/pay.js',
    pages: PAGES.slice(2),
    firstDaysAgo: 28,
    lastDaysAgo: 0,
    pageViews: 987,
  },
  {
    kind: 'script',
    url: 'https://cdn.reviews.example.org/widget.js',
    pages: PAGES.slice(0, 1),
    firstDaysAgo: 21,
    lastDaysAgo: 0,
    pageViews: 2050,
  },
  {
    kind: 'script',
    url: 'https://old-analytics.example.net/a.js',
    pages: PAGES.slice(0, 1),
    firstDaysAgo: 27,
    lastDaysAgo: 12,
    pageViews: 300,
  },
  {
    kind: 'script',
    url: 'https://try-out.example.net/beta.js',
    pages: PAGES.slice(0, 1),
    firstDaysAgo: 2,
    lastDaysAgo: 1,
    pageViews: 2,
  },
  {
    kind: 'connection',
    url: 'https://api.shop.example.com',
    pages: PAGES,
    firstDaysAgo: 28,
    lastDaysAgo: 0,
    pageViews: 4000,
  },
  {
    kind: 'connection',
    url: 'wss://live.shop.example.com',
    pages: PAGES.slice(1),
    firstDaysAgo: 14,
    lastDaysAgo: 0,
    pageViews: 801,
  },
  {
    kind: 'connection',
    url: 'https://collect.example.org',
    pages: PAGES.slice(2),
    firstDaysAgo: 3,
    lastDaysAgo: 0,
    pageViews: 64,
  },
]

const hash = (digit: string): string => digit.repeat(64)

/** Contents of two scripts: one that stayed as it is, one that is another since yesterday. */
const CONTENTS = [
  { url: 'https://js.payments.example.net/v3/pay.js', versions: [['a', 97]] },
  {
    url: 'https://cdn.reviews.example.org/widget.js',
    versions: [
      ['b', 92],
      ['c', 4],
    ],
  },
] as const

/** A feed of the demo's own: everything in it is made up, and one of it is in the inventory. */
const FEED = `# Domains and URLs that steal what is typed into card forms
collect.example.org
skimmer.example.net
https://cdn.example.net/kit/loader.js
`

/** What of the program has a part in the demo's monitoring. */
export interface Monitoring {
  readonly pageShield: PageShield
  readonly threatFeeds: ThreatFeeds
  readonly imports: Imports
}

export async function seedMonitoring(
  { pageShield, threatFeeds, imports }: Monitoring,
  clock: Clock,
  zoneId: string,
): Promise<void> {
  const feed = await threatFeeds.create(
    {
      name: 'Card skimmers (demo)',
      format: 'plain',
      url: undefined,
      categories: ['Malware', 'Security threats'],
      intervalMinutes: undefined,
      isEnabled: true,
    },
    SYSTEM,
  )
  await imports.upload(feed.id, Buffer.from(FEED), SYSTEM, new AbortController().signal)
  const on = { enabled: true, useServiceReportingEndpoint: undefined, useConnectionUrlPath: undefined }
  await pageShield.settings.edit(zoneId, on, SYSTEM)
  const ago = (days: number): string =>
    `${new Date(clock.now() - days * DAY_MILLIS).toISOString().slice(0, 19)}Z`
  const detections = (resource: DemoResource, days: number, pageViews: number) => ({
    zoneId,
    kind: resource.kind,
    host: SHOP,
    url: resource.url,
    urlHost: new URL(resource.url).host,
    hasCdnCgi: false,
    pageUrls: resource.pages,
    seenAt: ago(days),
    pageViews,
    browserHashes: [],
    reporters: null,
  })
  for (const resource of RESOURCES) {
    const { firstDaysAgo, lastDaysAgo, pageViews } = resource
    await pageShield.detections.record([detections(resource, firstDaysAgo, 1)])
    await pageShield.detections.record([detections(resource, lastDaysAgo, pageViews - 1)])
  }
  await pageShield.observations.observe(zoneId, [
    {
      pageUrl: `https://${SHOP}/checkout`,
      observedAt: undefined,
      scripts: [],
      connections: [],
      frames: [],
      scriptCookies: [],
      setCookies: ['cart=0; Path=/; Max-Age=86400; HttpOnly; Secure; SameSite=Lax'],
      cookie: 'cart=0; _visitor=0',
    },
  ])
  await seedContents(pageShield, zoneId)
}

/** All scripts that are to be fetched; they come by turns, one of each site. */
async function allDue({ contents }: PageShield) {
  const all = []
  for (;;) {
    const due = await contents.dueForFetch(RESOURCES.length)
    if (due.length === 0) return all
    all.push(...due)
  }
}

async function seedContents(pageShield: PageShield, zoneId: string): Promise<void> {
  const due = await allDue(pageShield)
  for (const { url, versions } of CONTENTS) {
    const script = due.find((one) => one.url === url)
    if (script === undefined) throw new Error(`${url} is not in the demo`)
    for (const [digit, jsIntegrity] of versions) {
      const scores = {
        jsIntegrity,
        obfuscation: jsIntegrity,
        dataflow: jsIntegrity,
        malware: 99,
        cryptomining: 99,
        magecart: jsIntegrity,
      }
      await pageShield.contents.saveFetch(zoneId, script.id, {
        hash: hash(digit),
        contentSha256: hash(digit),
        sri: `sha384-${digit.repeat(64)}`,
        memory: null,
        scores,
        source: { bytes: Buffer.from(`document.title = '${digit}'\n`), charset: 'utf-8' },
        reasons: jsIntegrity < 10 ? ['sends what is typed into the card form to collect.example.org'] : [],
      })
    }
  }
  const payments = due.find(({ url }) => url === CONTENTS[0].url)
  if (payments === undefined) throw new Error(`${CONTENTS[0].url} is not due`)
  await pageShield.authorizations.put(
    zoneId,
    payments.id,
    {
      owner: 'Payments team',
      justification: 'Takes card data so that it never passes our own servers',
      authorizedBy: 'Security team',
      expiresAt: null,
      contentSha256: undefined,
    },
    SYSTEM,
  )
}
