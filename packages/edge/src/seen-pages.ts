// The security-relevant headers of watched pages as visitors get them, for the comparison of monitoring.
import { BoundedMap } from '@zonereeve/cooperate'
import { servedHeaders, type ServedHeader } from '@zonereeve/csp'
import { decodeUtf8, type ResponseFacts } from '@zonereeve/expr'
import { hash } from 'node:crypto'
import { isPage } from './page-headers.ts'

/** A watched page as it was sent. */
export interface SeenPage {
  /** As it is watched. */
  readonly url: string
  readonly headers: readonly ServedHeader[]
}

interface Reported {
  readonly digest: string
  readonly atMillis: number
  /** When it last differed from what was reported before. */
  readonly changedAtMillis: number
}

/** A page that stays as it is is reported once in this time, so that the server knows that it does. */
const REPEAT_MILLIS = 3_600_000
/** A page that differs between visitors must not fill its history: after a difference the next one waits. */
const CHANGE_MILLIS = 600_000
/** Maximum pages that are remembered as reported. */
const MAX_REMEMBERED = 10_000
/** A page with longer headers is not reported: proxies refuse such responses much earlier. */
const MAX_CHARACTERS = 65_536
const OK = 200

export type SeenPages = ReturnType<typeof createSeenPages>

export function createSeenPages(record: (zoneId: string, page: SeenPage) => void) {
  const reported = new BoundedMap<string, Reported>(MAX_REMEMBERED)
  return { note }

  /**
   * Reports a watched page if its headers differ from those last reported.
   *
   * @param url as `watchedPage` returns it. @param response as it is sent.
   */
  function note(zoneId: string, url: string, response: ResponseFacts, nowMillis: number): void {
    // An error page has other headers, and a fetch of the server does not compare them either.
    if (response.status !== OK || !isPage(response)) return
    const headers = comparedHeaders(response)
    if (JSON.stringify(headers).length > MAX_CHARACTERS) return
    const key = `${zoneId} ${url}`
    const digest = hash('sha256', JSON.stringify(headers))
    const last = reported.touch(key)
    if (last !== undefined && !isDue(last, digest, nowMillis)) return
    const isChanged = last !== undefined && last.digest !== digest
    const changedAtMillis = isChanged ? nowMillis : (last?.changedAtMillis ?? -Infinity) // it has not changed yet
    reported.set(key, { digest, atMillis: nowMillis, changedAtMillis })
    record(zoneId, { url, headers })
  }
}

const isDue = (last: Reported, digest: string, nowMillis: number): boolean =>
  last.digest === digest
    ? nowMillis - last.atMillis >= REPEAT_MILLIS
    : nowMillis - last.changedAtMillis >= CHANGE_MILLIS

/** Without cookies, which depend on those that a visitor has; the inventory has them. */
const comparedHeaders = ({ headers }: ResponseFacts): readonly ServedHeader[] =>
  servedHeaders(
    headers
      .filter(([name]) => name.toLowerCase() !== 'set-cookie')
      .map(([name, value]) => [name, decodeUtf8(value)] as const),
  )
