// Opens a page in a Chromium of the user, without visitors and with an empty profile, and lists what it loads.
import type { BrowserContext, BrowserType, Page } from 'playwright-core'
import { startCheckedProxy, type CheckedProxy, type CheckedProxyDeps, type Refusal } from './checked-proxy.ts'
import { findChromium, loadPlaywright, NoBrowser } from './find-browser.ts'
import {
  createPageLoads,
  kindOfRequest,
  nameOfSetCookie,
  pageCookies,
  type PageCookies,
  type PageLoads,
} from './page-loads.ts'

export interface ScanDeps extends Pick<CheckedProxyDeps, 'mayConnect' | 'hostAddresses' | 'ports'> {
  /** undefined = the first on the search path. */
  readonly chromium: string | undefined
  /** Of the browser, which runs hostile code: without secrets. PATH is the search path. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether Chromium isolates its processes; it cannot when it runs as root. */
  readonly hasSandbox: boolean
}

export interface ScannedPage extends PageLoads, PageCookies {
  /** After redirects. */
  readonly finalUrl: string
  /** Of the page's response; cookies without their values. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Hosts that were not connected to, with the reason. */
  readonly refused: readonly (readonly [host: string, reason: string])[]
}

/** The page could not be opened. */
export class ScanFailed extends Error {}

const LIMITS = { maxConnections: 1_000, maxBytes: 100 * 1_048_576 }
const LOAD_MILLIS = 20_000
/** After the page has loaded: scripts that start others. */
const SETTLE_MILLIS = 3_000
/** Of the whole scan; then the browser is ended. */
const TOTAL_MILLIS = 60_000
const LAUNCH_MILLIS = 20_000

/**
 * Scans one page; takes a minute at most.
 * @throws NoBrowser: there is no browser. ScanFailed: the page could not be opened.
 */
export async function scanPage(url: string, deps: ScanDeps, signal?: AbortSignal): Promise<ScannedPage> {
  const [playwright, executablePath] = [
    await loadPlaywright(),
    await findChromium(deps.chromium, deps.environment['PATH'] ?? ''), // then none is found
  ]
  const proxy = await startCheckedProxy({ ...deps, ...LIMITS })
  try {
    return await inBrowser(playwright, { executablePath, proxy, deps, signal }, (context) =>
      openPage(context, url, proxy),
    )
  } finally {
    await proxy.close()
  }
}

interface Launch {
  readonly executablePath: string
  readonly proxy: CheckedProxy
  readonly deps: ScanDeps
  readonly signal: AbortSignal | undefined
}

async function inBrowser<Result>(
  playwright: BrowserType,
  { executablePath, proxy, deps, signal }: Launch,
  work: (context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const browser = await playwright
    .launch({
      executablePath,
      headless: true,
      env: { ...deps.environment },
      chromiumSandbox: deps.hasSandbox,
      timeout: LAUNCH_MILLIS,
      // They would end the process of the caller, which has its own.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // Loopback is no exception, and nothing goes around the proxy: neither names nor WebRTC.
      proxy: { server: proxy.url, bypass: '<-loopback>' },
      args: [
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        // The second is its name in older versions.
        '--webrtc-ip-handling-policy=disable_non_proxied_udp',
        '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
        '--disable-quic',
        '--disable-dev-shm-usage',
      ],
    })
    .catch((error: unknown) => {
      throw new NoBrowser(`${executablePath} does not start: ${firstLine(error)}`, { cause: error })
    })
  const end = () => void browser.close().catch(() => undefined) // it ends anyway
  const timer = setTimeout(end, TOTAL_MILLIS)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted === true) end()
  try {
    const context = await browser.newContext({ acceptDownloads: false })
    return await work(context)
  } catch (error) {
    if (signal?.aborted === true) throw new ScanFailed('the scan was stopped', { cause: error })
    if (error instanceof ScanFailed) throw error
    throw new ScanFailed(firstLine(error), { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    await browser.close()
  }
}

async function openPage(context: BrowserContext, url: string, proxy: CheckedProxy): Promise<ScannedPage> {
  const page = await context.newPage()
  const loads = createPageLoads()
  const namesFromResponses = new Set<string>()
  const hosts = new Set<string>()
  page.on('request', (request) => {
    if (hosts.size < MAX_HOSTS && /^https?:/.test(request.url())) hosts.add(hostWithPort(request.url()))
  })
  listen(context, page, loads.add, namesFromResponses)
  const response = await page
    .goto(url, { waitUntil: 'commit', timeout: LOAD_MILLIS })
    .catch((error: unknown) => {
      const refused = refusedOf(proxy, hosts)[0]
      throw new ScanFailed(refused === undefined ? firstLine(error) : refusalText(refused), { cause: error })
    })
  if (response === null) throw new ScanFailed('the browser received no response')
  // A page that never finishes is listed as far as it came.
  await page.waitForLoadState('load', { timeout: LOAD_MILLIS }).catch(() => undefined)
  await page.waitForTimeout(SETTLE_MILLIS)
  const status = response.status()
  const finalUrl = response.url()
  // The browser was refused the page, or a name: that is no page of the site.
  const reason = proxy.refused.get(hostWithPort(finalUrl))
  if (status === REFUSED && reason !== undefined)
    throw new ScanFailed(refusalText([hostWithPort(finalUrl), reason]))
  // An error page is not the page, and what it loads is no change.
  if (status !== OK) throw new ScanFailed(`status ${status}`)
  const headers = (await response.headersArray()).map(
    ({ name, value }) => [name, headerValue(name, value)] as const,
  )
  const cookies = pageCookies(await context.cookies(), new URL(finalUrl).hostname, namesFromResponses)
  return { finalUrl, headers, ...loads.taken(), ...cookies, refused: refusedOf(proxy, hosts) }
}

/** Of the page: the browser also asks for its own updates. */
const refusedOf = (proxy: CheckedProxy, hosts: ReadonlySet<string>) =>
  [...proxy.refused].filter(([host]) => hosts.has(host))

const refusalText = ([host, reason]: readonly [string, Refusal]): string =>
  reason === 'name' ? `${host} does not resolve` : `${host} may not be connected to`

const OK = 200

const REFUSED = 403
const MAX_HOSTS = 10_000

function listen(
  context: BrowserContext,
  page: Page,
  add: (kind: 'script' | 'connection' | 'frame', url: string) => void,
  namesFromResponses: Set<string>,
): void {
  context.on('page', (opened) => {
    if (opened !== page) void opened.close().catch(() => undefined) // a window that the page has opened
  })
  page.on('request', (request) => {
    // A redirect is known by its first address, as in reports of browsers.
    if (request.redirectedFrom() !== null) return
    const isNavigation = request.isNavigationRequest()
    const kind = kindOfRequest(request.resourceType(), isNavigation && request.frame() !== page.mainFrame())
    if (kind !== undefined) add(kind, request.url())
  })
  context.on('response', (response) => {
    void response
      .headersArray()
      .then((headers) => {
        for (const { name, value } of headers)
          if (name.toLowerCase() === 'set-cookie')
            for (const line of value.split('\n')) namesFromResponses.add(nameOfSetCookie(line))
      })
      .catch(() => undefined) // the page has left it
  })
  page.on('websocket', (socket) => add('connection', socket.url()))
  page.on('worker', (worker) => add('script', worker.url()))
  context.on('serviceworker', (worker) => add('script', worker.url()))
}

const headerValue = (name: string, value: string): string =>
  name.toLowerCase() === 'set-cookie' ? `${nameOfSetCookie(value)}=${/;.*$/s.exec(value)?.[0] ?? ''}` : value // no attributes

function hostWithPort(text: string): string {
  const { hostname, port, protocol } = new URL(text)
  if (port !== '') return `${hostname}:${port}`
  return `${hostname}:${protocol === 'https:' ? 443 : 80}`
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join('')
