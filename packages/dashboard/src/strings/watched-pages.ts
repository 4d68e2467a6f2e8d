// Texts of watched pages.
import { numberText } from '../strings.ts'
import { scriptStrings } from './scripts.ts'

const count = (total: number, one: string, many: string): string =>
  `${numberText(total)} ${total === 1 ? one : many}`

export const watchedPageStrings = {
  title: 'Watched pages',
  intro: 'The server fetches these pages and compares their security headers and scripts.',
  none: 'No page is watched.',
  noneDetail: 'PCI DSS 11.6.1 asks for it on payment pages, at least every seven days.',
  add: 'Watch a page',
  columns: {
    url: 'Page',
    state: 'State',
    changed: 'Changed',
    checked: 'Checked',
    next: 'Next check',
  },
  states: {
    waiting: 'waiting for the first check',
    same: 'as before',
    drift: (policies: number) => `${count(policies, 'policy', 'policies')} missing`,
    failing: (failures: number) => `${count(failures, 'check', 'checks')} failed`,
  },
  never: 'never',
  form: {
    url: 'URL of the page',
    urlHint: 'http or https, on a host of this zone.',
    every: 'Checked every',
    minutes: { 60: 'hour', 360: '6 hours', 1440: 'day', 10080: 'seven days' },
    other: (minutes: number) => count(minutes, 'minute', 'minutes'),
    submit: 'Watch',
  },
  added: 'The page is watched, and checked at once.',
  check: 'Check now',
  checking: 'It is checked as soon as its site has a turn.',
  remove: 'Stop watching',
  removed: 'The page is no longer watched. Its events stay.',
  saved: 'The interval is saved.',
  drift: (policies: number) => `It is sent without ${count(policies, 'policy', 'policies')} of this zone.`,
  driftDetail: (policies: number) =>
    policies === 1
      ? 'It is deployed for this page, and the response does not have it as it is stored.'
      : 'They are deployed for this page, and the response does not have them as they are stored.',
  problem: 'The last check failed.',
  problems: scriptStrings.problems,
  notHtml: 'failed: it is not HTML',
  facts: 'Checks',
  current: 'Headers',
  currentNote: 'security-relevant, as last sent',
  noHeaders: 'None of the compared headers was sent.',
  scripts: 'Scripts',
  scriptsNote: 'in the HTML, before any of them runs',
  noScripts: 'No scripts.',
  scriptsUnknown: 'Not known: an edge reported the headers only.',
  omitted: (total: number) => `${count(total, 'more script', 'more scripts')} beyond the first thousand.`,
  kinds: { external: 'external', inline: 'inline', handler: 'event handler' },
  integrity: 'with integrity',
  final: 'After redirects',
  checked: 'Last check',
  next: 'Next check',
  every: 'Every',
  history: 'Changes',
  historyNote: 'newest first',
  noHistory: 'It was the same at every check.',
  first: 'First observation of this kind.',
  oldestShown: 'Older observations are not shown.',
  policyLine: (id: string) => `policy ${id}`,
  omittedName: 'Scripts beyond the first thousand',
  sources: { fetch: 'by a check', edge: 'from an edge', scan: 'by a scan' },
  noBrowser: 'failed: no browser, or it could not open the page; the log of the server says why',
  scriptText: (kind: string, text: string) => `${kind} ${text}`,
} as const
