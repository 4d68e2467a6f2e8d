// What a page loaded, from the requests and cookies of a browser. Values of cookies are dropped here.

/** Each URL once, in the order of the first request. */
export interface PageLoads {
  readonly scripts: readonly string[]
  readonly connections: readonly string[]
  readonly frames: readonly string[]
  /** Of all three, beyond the limit. */
  readonly omitted: number
}

export type LoadKind = 'script' | 'connection' | 'frame'

/** Playwright's types of requests. Styles, images, fonts and media are not part of the inventory of a scan. */
const KINDS: ReadonlyMap<string, LoadKind> = new Map([
  ['script', 'script'],
  ['xhr', 'connection'],
  ['fetch', 'connection'],
  ['eventsource', 'connection'],
  ['websocket', 'connection'],
  ['ping', 'connection'],
])

const MAX_LOADS = 1_500
const MAX_URL_CHARACTERS = 4_096

/**
 * Which kind of load a request is.
 * @param isInFrame whether it is a document of a frame below the page.
 * @returns undefined for what a scan does not list.
 */
export const kindOfRequest = (resourceType: string, isInFrame: boolean): LoadKind | undefined =>
  resourceType === 'document' && isInFrame ? 'frame' : KINDS.get(resourceType)

/** Collects loads up to a limit. */
export function createPageLoads(maxLoads = MAX_LOADS) {
  const urls: Readonly<Record<LoadKind, Set<string>>> = {
    script: new Set(),
    connection: new Set(),
    frame: new Set(),
  }
  let omitted = 0
  return {
    /** Those without a host, such as `data:` and `blob:`, are not loads. */
    add(kind: LoadKind, url: string): void {
      const known = urls[kind]
      if (!/^(?:https?|wss?):/.test(url) || known.has(url)) return
      const size = urls.script.size + urls.connection.size + urls.frame.size
      if (size >= maxLoads || url.length > MAX_URL_CHARACTERS) omitted += 1
      else known.add(url)
    },
    taken: (): PageLoads => ({
      scripts: [...urls.script],
      connections: [...urls.connection],
      frames: [...urls.frame],
      omitted,
    }),
  }
}

export interface BrowserCookie {
  readonly name: string
  /** With a leading dot if it is also sent to subdomains. */
  readonly domain: string
  readonly path: string
  /** In seconds since 1970; -1 for a session. */
  readonly expires: number
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'Strict' | 'Lax' | 'None'
}

/** Cookies that are sent to the host of the page, as `Set-Cookie` headers without values. */
export interface PageCookies {
  readonly setCookie: readonly string[]
  /** Set by scripts: no response has set a cookie of that name. */
  readonly scriptCookies: readonly string[]
}

const MAX_COOKIES = 300

/** @param namesFromResponses names in the `Set-Cookie` headers of all responses. */
export function pageCookies(
  cookies: readonly BrowserCookie[],
  pageHost: string,
  namesFromResponses: ReadonlySet<string>,
): PageCookies {
  const own = cookies.filter(({ domain }) => isSentTo(pageHost, domain)).slice(0, MAX_COOKIES)
  const isOfResponse = ({ name, httpOnly }: BrowserCookie) => httpOnly || namesFromResponses.has(name)
  return {
    setCookie: own.filter(isOfResponse).map(withoutValue),
    scriptCookies: own.filter((cookie) => !isOfResponse(cookie)).map(withoutValue),
  }
}

const isSentTo = (host: string, domain: string): boolean =>
  domain.startsWith('.') ? host === domain.slice(1) || host.endsWith(domain) : host === domain

function withoutValue({ name, domain, path, expires, httpOnly, secure, sameSite }: BrowserCookie): string {
  return [
    `${name}=`,
    ...(domain.startsWith('.') ? [`Domain=${domain.slice(1)}`] : []),
    `Path=${path}`,
    ...(expires > 0 ? [`Expires=${new Date(Math.min(expires * 1000, LATEST_MILLIS)).toUTCString()}`] : []),
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(secure ? ['Secure'] : []),
    `SameSite=${sameSite}`,
  ].join('; ')
}

/** Times of more than four digits in the year have no form in headers. */
const LATEST_MILLIS = Date.parse('9999-12-31T23:59:59Z')

/** The name in a `Set-Cookie` header; '' if there is none. */
export const nameOfSetCookie = (header: string): string => {
  const [pair = ''] = header.split(';', 1)
  const at = pair.indexOf('=')
  return at < 0 ? '' : pair.slice(0, at).trim()
}
