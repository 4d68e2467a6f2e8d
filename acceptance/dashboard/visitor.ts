// A reader of the dashboard in Chromium: counts its requests, and keeps every policy violation and every script error.
import { setTimeout as sleep } from 'node:timers/promises'
import { NAMES_OF_SITES } from '../browsers/site.ts'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

export interface View {
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
}

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Policy violations and errors of scripts so far. */
  readonly faults: readonly string[]
  /** Requests so far, `GET /client/v4/zones?page=1`. */
  readonly requests: readonly string[]
  readonly close: () => Promise<void>
}

/** Containers have no user namespaces for its sandbox, and nothing may be asked of hosts of its maker. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=${NAMES_OF_SITES}`,
]

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  reportViolation('violation of ' + event.violatedDirective + ': ' + event.blockedURI + ' in ' + event.sourceFile))`

const CHROMIUM = '/usr/bin/chromium'

/** Without a request for this long, and with all of them answered, a page has what it shows. */
const QUIET_MILLIS = 100
const BETWEEN_LOOKS_MILLIS = 20
const QUIET_LIMIT_MILLIS = 30_000
/** Runs what the last answer has started: two frames, the second after the effects of the first. */
const DRAW = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))'

interface Traffic {
  open: number
  changedAt: number
}

const trafficOf = new WeakMap<Page, Traffic>()

/** Waits until a page of a visitor has asked for all that it shows: sooner than `networkidle`, which takes half a second. */
export async function untilQuiet(page: Page): Promise<void> {
  const traffic = trafficOf.get(page)
  if (traffic === undefined) return page.waitForLoadState('networkidle')
  for (const began = performance.now(); performance.now() - began < QUIET_LIMIT_MILLIS;) {
    if (traffic.open === 0) {
      await page.evaluate(DRAW)
      if (traffic.open === 0 && performance.now() - traffic.changedAt >= QUIET_MILLIS) return
    }
    await sleep(BETWEEN_LOOKS_MILLIS)
  }
  throw new Error(`${page.url()} goes on asking: ${traffic.open} requests are open`)
}

function watchTraffic(page: Page): void {
  const traffic: Traffic = { open: 0, changedAt: performance.now() }
  trafficOf.set(page, traffic)
  const note = (by: number) => () => {
    traffic.open += by
    traffic.changedAt = performance.now()
  }
  page.on('request', note(1))
  page.on('requestfinished', note(-1))
  page.on('requestfailed', note(-1))
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })

export async function openVisitor(
  browser: Browser,
  origin: string,
  { width, height, theme }: View,
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    hasTouch: width < 720,
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  const faults: string[] = []
  const requests: string[] = []
  await context.exposeFunction('reportViolation', (text: string) => void faults.push(text))
  // As text: it runs in the page, and this project has no types of a page.
  await context.addInitScript({ content: REPORT_VIOLATIONS })
  const page = await context.newPage()
  watchTraffic(page)
  page.on('pageerror', (error) => void faults.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    // A refused sign-in is an error to the browser, not to the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    requests.push(`${request.method()} ${pathname}${search}`)
  })
  return { page, context, faults, requests, close: () => context.close() }
}
