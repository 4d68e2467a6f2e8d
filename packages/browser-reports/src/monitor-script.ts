// The script that reports which cookies the scripts of a page can read: their names, never their values, and once per
// page and session of a tab. It stores no identifier; it keeps in the tab's session only which pages were reported.
import { createHash } from 'node:crypto'
import { MAX_COOKIE_NAME, MAX_COOKIE_NAMES, MAX_PAGE_URL } from './cookie-report.ts'

/** Pages that a tab remembers; the oldest is then reported again. */
const PAGES_REMEMBERED = 50

export interface MonitorScript {
  /** JavaScript in ASCII. */
  readonly text: string
  /** As in the attribute of that name: SHA-384. */
  readonly integrity: string
  /** Beginning of its SHA-256; another text has another version. */
  readonly version: string
}

/**
 * The script and its hashes. It is loaded by `<script src data-report>`, where `data-report` is the address that it
 * reports to, relative to `src`. Member `c` of its query is the sampling: one of so many pages is reported. A cookie
 * without a name is left out, because browsers show its value in the place of a name.
 */
export function monitorScript(): MonitorScript {
  return {
    text: TEXT,
    integrity: `sha384-${createHash('sha384').update(TEXT).digest('base64')}`,
    version: createHash('sha256').update(TEXT).digest('hex').slice(0, VERSION_DIGITS),
  }
}

const VERSION_DIGITS = 16

// `cookieStore` tells of each change, also of cookies that are set and deleted before the page is left; without it,
// the names at the beginning and at the end are compared. Everything that a page may forbid to scripts, such as the
// storage of a sandboxed frame, ends the script in silence.
const TEXT = `(() => {
'use strict'
try {
const script = document.currentScript
const report = new URL(script.dataset.report, script.src)
const page = location.origin + location.pathname
if (page.length > ${MAX_PAGE_URL}) return
const key = 'zonereeve-monitor'
const known = JSON.parse(sessionStorage.getItem(key) || '[]')
if (known.includes(page)) return
sessionStorage.setItem(key, JSON.stringify([...known, page].slice(-${PAGES_REMEMBERED})))
if (Math.random() * Number(report.searchParams.get('c')) >= 1) return
const isGood = (name) => name.length <= ${MAX_COOKIE_NAME} && /^[^\\x00-\\x1f\\x7f-\\x9f;=]+$/.test(name)
const names = () => document.cookie.split(';').map((pair) => pair.includes('=') ? pair.slice(0, pair.indexOf('=')).trim() : '').filter(isGood)
const before = new Set(names())
const changed = new Set()
if (window.cookieStore) cookieStore.addEventListener('change', (event) => {
  for (const { name } of event.changed) if (isGood(name) && changed.size < ${MAX_COOKIE_NAMES}) changed.add(name)
})
let isSent = false
const send = () => {
  if (isSent) return
  isSent = true
  for (const name of names()) if (!before.has(name)) changed.add(name)
  const set = [...changed].slice(0, ${MAX_COOKIE_NAMES})
  const visible = [...before].slice(0, ${MAX_COOKIE_NAMES} - set.length)
  if (visible.length + set.length > 0) navigator.sendBeacon(report.href, JSON.stringify({ page_url: page, visible, changed: set }))
}
addEventListener('pagehide', send)
document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') send() })
} catch {}
})()
`
