// Parses what the monitoring script sends: names of cookies, and the page. Strict, because the script is our own:
// whatever it would not send is rejected as a whole.

/** Maximum names in a report, in both lists together. */
export const MAX_COOKIE_NAMES = 100
/** Longer names are not reported. */
export const MAX_COOKIE_NAME = 256
/** Pages with a longer URL are not reported. */
export const MAX_PAGE_URL = 2048

export interface CookieReport {
  /** Scheme, host and path of the page; no user, query or fragment. */
  readonly pageUrl: string
  /** Names that scripts of the page could read when it was loaded. */
  readonly visible: readonly string[]
  /** Names that were set while the page was open. */
  readonly changed: readonly string[]
}

/** Which part is rejected, and what is valid. */
export interface CookieReportProblem {
  /** A JSON pointer; '' = the whole body. */
  readonly pointer: string
  readonly problem: string
}

const MEMBERS = ['page_url', 'visible', 'changed'] as const
const SHAPE = `an object with the members ${MEMBERS.join(', ')} is needed`
const PAGE = `an http or https URL without user, query and fragment is needed, of at most ${MAX_PAGE_URL} characters`
const NAMES = 'a list of names is needed'
const NAME = `a name has 1 to ${MAX_COOKIE_NAME} characters, without control characters, "=" and ";", and no space at its ends`
const MANY = `a report has at most ${MAX_COOKIE_NAMES} names`

/**
 * Parses the JSON value of a body, `{"page_url": "…", "visible": ["…"], "changed": ["…"]}`.
 *
 * @param value undefined if the body is not JSON.
 * @returns the report, or its first problem. A name may be in both lists, and only once in each.
 */
export function readCookieReport(value: unknown): CookieReport | CookieReportProblem {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { pointer: '', problem: SHAPE }
  const members = new Map<string, unknown>(Object.entries(value))
  const unknown = [...members.keys()].find((name) => !MEMBERS.some((known) => known === name))
  if (unknown !== undefined) return { pointer: pointerTo(unknown), problem: SHAPE }
  const pageUrl = members.get('page_url')
  if (!isPageUrl(pageUrl)) return { pointer: '/page_url', problem: PAGE }
  const visible = readNames(members.get('visible'), '/visible', MAX_COOKIE_NAMES)
  if ('problem' in visible) return visible
  const changed = readNames(members.get('changed'), '/changed', MAX_COOKIE_NAMES - visible.names.length)
  if ('problem' in changed) return changed
  return { pageUrl, visible: visible.names, changed: changed.names }
}

function isPageUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_PAGE_URL || /[?#\s]/.test(value)) return false
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function readNames(
  value: unknown,
  pointer: string,
  max: number,
): { readonly names: readonly string[] } | CookieReportProblem {
  if (!Array.isArray(value)) return { pointer, problem: NAMES }
  if (value.length > max) return { pointer: `${pointer}/${max}`, problem: MANY }
  const names = new Set<string>()
  for (const [index, name] of value.entries()) {
    if (!isCookieName(name)) return { pointer: `${pointer}/${index}`, problem: NAME }
    if (names.has(name)) return { pointer: `${pointer}/${index}`, problem: 'each name is needed only once' }
    names.add(name)
  }
  return { names: [...names] }
}

const isCookieName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_COOKIE_NAME &&
  /^[^\p{Cc}=;]+$/u.test(value) &&
  value.trim() === value

const pointerTo = (name: string): string =>
  `/${name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 100)}`
