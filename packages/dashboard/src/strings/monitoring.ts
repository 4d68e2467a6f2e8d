// Texts of what browsers load: scripts, connections, cookies, frames, images, forms, code.
import { numberText } from '../strings.ts'

const count = (total: number, one: string, many: string): string =>
  `${numberText(total)} ${total === 1 ? one : many}`

const statuses = { active: 'active', infrequent: 'infrequent', inactive: 'inactive' } as const

export const monitoringStrings = {
  notFetched: 'not fetched',
  malicious: 'malicious',
  statuses,
  statusLabel: 'Status',
  defaultStatus: 'Active',
  anyStatus: 'Any status',
  statusOptions: { infrequent: 'Infrequent', inactive: 'Inactive' },
  sortLabel: 'Sort',
  orders: {
    malicious: 'Sort: malicious first',
    seen: 'Sort: last seen',
    '-seen': 'Sort: last seen, oldest',
    new: 'Sort: first seen, newest',
    '-new': 'Sort: first seen',
  },
  filter: 'Filter',
  resourceHint: 'Part of a URL, or host:www.example.com -url:/v1/ page:*/checkout',
  cookieHint: 'Part of a name, or host:www.example.com secure:no',
  codeHint: 'kind:inline',
  csv: 'Export, CSV',
  noMatch: 'Nothing matches the filter.',
  clear: 'Clear the filter',
  off: 'Monitoring is off.',
  offDetail: 'No reports are collected for this zone.',
  toSettings: 'Monitoring settings',
  pages: (first: string, others: number): string =>
    others === 0 ? first : `${first} and ${numberText(others)} more`,
  columns: {
    script: 'Script',
    connection: 'Connection',
    frame: 'Document',
    image: 'Host',
    form: 'Target',
    cookie: 'Cookie',
    code: 'Begins with',
    kind: 'Kind',
    integrity: 'Integrity, 1 to 99',
    pages: 'On pages',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    status: 'Status',
    authorization: 'Authorization',
    attributes: 'Attributes',
    type: 'Set by',
    host: 'Host of the page',
  },
  lists: {
    scripts: {
      title: 'Scripts',
      intro: (total: number) => `${count(total, 'script', 'scripts')} detected.`,
      empty: 'No scripts detected.',
      emptyDetail:
        'Send the headers of monitoring with your pages and forward the reports, or report what a page loads:',
    },
    connections: {
      title: 'Connections',
      intro: (total: number) => `${count(total, 'connection', 'connections')} detected.`,
      empty: 'No connections detected.',
      emptyDetail: 'Browsers report them with the headers of monitoring. To report one yourself:',
    },
    cookies: {
      title: 'Cookies',
      intro: (total: number) => `${count(total, 'cookie', 'cookies')} detected. Values are not stored.`,
      empty: 'No cookies detected.',
      emptyDetail: 'An edge reports them with the pages that it serves. To report one yourself:',
    },
    frame: {
      title: 'Frames',
      intro: (total: number) => `${count(total, 'document', 'documents')} in frames.`,
      empty: 'No frames detected.',
      emptyDetail: 'Browsers report them after you add frames to what is reported:',
    },
    image: {
      title: 'Images',
      intro: (total: number) => `Images come from ${count(total, 'host', 'hosts')}.`,
      empty: 'No images detected.',
      emptyDetail: 'Browsers report them after you add images to what is reported:',
    },
    form: {
      title: 'Form targets',
      intro: (total: number) => `Forms are sent to ${count(total, 'target', 'targets')}.`,
      empty: 'No form targets detected.',
      emptyDetail: 'Browsers report them after you add forms to what is reported:',
    },
    code: {
      title: 'Code without a URL',
      intro: (total: number) =>
        `${count(total, 'beginning', 'beginnings')} of inline, evaluated and other code. Browsers report 40 characters.`,
      empty: 'No code detected.',
      emptyDetail: 'Browsers report it after you add inline and eval to what is reported:',
    },
  },
  tabs: {
    label: 'What browsers load',
    scripts: 'Scripts',
    code: 'Code without a URL',
    connections: 'Connections',
    frames: 'Frames',
    images: 'Images',
    forms: 'Form targets',
  },
  codeKinds: {
    inline: 'inline script',
    handler: 'event handler',
    javascript_url: 'link with code',
    eval: 'evaluated string',
    wasm: 'WebAssembly',
    script: 'script from data: or blob:',
    worker: 'worker from data: or blob:',
  },
  noSample: 'not reported',
  cookieTypes: { first_party: 'the site', unknown: 'unknown' },
  cookieAttributes: {
    secure: 'Secure',
    httpOnly: 'HttpOnly',
    notSecure: 'not Secure',
    notHttpOnly: 'not HttpOnly',
    unknown: 'not reported',
    sameSite: { lax: 'SameSite=Lax', strict: 'SameSite=Strict', none: 'SameSite=None' },
  },
  detail: {
    facts: 'Facts',
    url: 'URL',
    host: 'On pages of',
    firstPage: 'First page',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    added: 'Stored',
    status: 'Status',
    pages: 'Pages',
    pagesNote: 'the last ten',
    noPages: 'No page is stored.',
    domain: 'Domain',
    path: 'Path',
    expires: 'Expires',
    maxAge: 'Max-Age',
    seconds: (value: number) => count(value, 'second', 'seconds'),
    session: 'with the session',
    attributes: 'Attributes',
    setBy: 'Set by',
    listed: (categories: string) =>
      categories === '' ? 'A threat feed lists it.' : `A threat feed lists it: ${categories}.`,
    maliciousHead: 'Malicious.',
    cookieOn: (host: string) => `A cookie on pages of ${host}.`,
    connectionOn: (host: string) => `Opened by pages of ${host}.`,
  },
} as const

/** Reports a page view through the API, for a shell; the token is in $TOKEN. */
export const observeCommand = (origin: string, zoneId: string, zone: string, observed: object): string =>
  [
    `curl '${origin}/client/v4/zonereeve/zones/${zoneId}/page_shield/observations' \\`,
    `  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify({ observations: [{ page_url: `https://${zone}/`, ...observed }] })}'`,
  ].join('\n')

export const alsoReportCommand = (origin: string, zoneId: string, members: readonly string[]): string =>
  [
    `curl -X PUT '${origin}/client/v4/zonereeve/zones/${zoneId}/page_shield/sampling' \\`,
    `  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify({ also_report: members })}'`,
  ].join('\n')
