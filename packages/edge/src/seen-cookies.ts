// The cookies of pages, for the inventory of monitoring: names and attributes. Values never leave this file.
import { BoundedMap } from '@zonereeve/cooperate'
import { asciiLower, decodeUtf8, type RequestFacts, type ResponseFacts } from '@zonereeve/expr'
import { isPage } from './page-headers.ts'

/** A cookie that a page sets, or one that a browser sent with a request for a page. */
export interface SeenCookie {
  /** Without a query. */
  readonly pageUrl: string
  /** The header, with an empty value; null for one that was sent. */
  readonly setCookie: string | null
  /** null for one that was set. */
  readonly name: string | null
}

/** The same cookie of the same host is reported once in this time. */
const REPEAT_MILLIS = 3_600_000
/** Maximum cookies that are remembered as reported. */
const MAX_REMEMBERED = 20_000
/** Maximum cookies of one response. */
const MAX_COOKIES = 50
const MAX_CHARACTERS = 2_048
const MAX_NAME = 1_024

export type SeenCookies = ReturnType<typeof createSeenCookies>

/** @param record @returns false if there is no room now: then the cookie is reported another time. */
export function createSeenCookies(record: (zoneId: string, cookie: SeenCookie) => boolean) {
  const reported = new BoundedMap<string, number>(MAX_REMEMBERED)
  return { note }

  /** Reports the cookies of a response, and, if it is a page, those of its request. */
  function note(zoneId: string, facts: RequestFacts, response: ResponseFacts, nowMillis: number): void {
    const host = asciiLower(facts.host)
    const pageUrl = pageUrlOf(facts)
    if (pageUrl.length > MAX_CHARACTERS) return
    const set = valuesOf(response.headers, 'set-cookie').flatMap((line) => withoutValue(decodeUtf8(line)))
    for (const setCookie of set.slice(0, MAX_COOKIES))
      report({ pageUrl, setCookie, name: null }, `${host} ${withoutTimes(setCookie)}`)
    if (!isPage(response)) return
    const sent = valuesOf(facts.headers, 'cookie').flatMap((line) => namesIn(decodeUtf8(line)))
    for (const name of sent.slice(0, MAX_COOKIES))
      report({ pageUrl, setCookie: null, name }, `${host} =${name}`)

    function report(cookie: SeenCookie, key: string): void {
      const last = reported.touch(`${zoneId} ${key}`)
      if (last !== undefined && nowMillis - last < REPEAT_MILLIS) return
      if (record(zoneId, cookie)) reported.set(`${zoneId} ${key}`, nowMillis)
    }
  }
}

const pageUrlOf = ({ isTls, host, target }: RequestFacts): string =>
  `${isTls ? 'https' : 'http'}://${decodeUtf8(host)}${decodeUtf8(target.replace(/[?#].*$/s, ''))}`

const valuesOf = (headers: RequestFacts['headers'], desired: string): readonly string[] =>
  headers.filter(([name]) => name.toLowerCase() === desired).map(([, value]) => value)

/** `sid=secret; Path=/` becomes `sid=; Path=/`. */
function withoutValue(header: string): string[] {
  const [pair = '', ...attributes] = header.split(';')
  const equals = pair.indexOf('=')
  if (equals < 1) return [] // a cookie without a name
  const shown = [`${pair.slice(0, equals).trim()}=`, ...attributes].join(';')
  return shown.length > MAX_CHARACTERS ? [] : [shown]
}

/** The attributes that differ with every response. */
const withoutTimes = (header: string): string => header.replace(/;\s*(?:expires|max-age)=[^;]*/gi, '')

const namesIn = (header: string): readonly string[] =>
  header
    .split(';')
    .map((part) => part.replace(/=.*$/s, '').trim())
    .filter((name) => name !== '' && name.length <= MAX_NAME)
