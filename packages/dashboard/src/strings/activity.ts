// Texts of the activity log.
import { numberText } from '../strings.ts'

const ACTIONS: Readonly<Record<string, string>> = {
  block: 'block',
  challenge: 'interactive challenge',
  force_connection_close: 'connection closed',
  js_challenge: 'JavaScript challenge',
  log: 'log',
  managed_challenge: 'managed challenge',
  redirect: 'redirect',
  skip: 'skip',
}

const SOURCES: Readonly<Record<string, string>> = {
  bulkRedirect: 'Bulk redirect',
  dynamicRedirect: 'Redirect',
  firewallCustom: 'Custom rule',
  firewallManaged: 'Managed rule',
  l7ddos: 'HTTP DDoS rule',
  ratelimit: 'Rate limit',
  waf: 'Legacy rule',
}

const nameFor = (names: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(names, name) ? String(names[name]) : name

const eventsText = (count: number): string => `${numberText(count)} ${count === 1 ? 'event' : 'events'}`

export const activityStrings = {
  title: 'Activity',
  intro: 'Requests that a rule ended or logged. Queries, headers and bodies are never stored.',
  export: 'Export, NDJSON',
  exportCut: (limit: number) => `The newest ${numberText(limit)} events. For older ones, narrow the time.`,
  filter: 'Filter events',
  filterHint: 'action:block -path:/robots.txt address:203.0.113.9',
  unknownTerm: (typed: string) =>
    `${typed} is no filter. Write field:value, or -field:value for is not; fields: action, service, rule, ruleset, host, path, method, address, ray.`,
  time: 'Time',
  ranges: {
    '1h': 'Last hour',
    '6h': 'Last 6 hours',
    '24h': 'Last 24 hours',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
  },
  between: (since: string, until: string) => `${since} to ${until} UTC`,
  from: (since: string) => `from ${since} UTC`,
  to: (until: string) => `to ${until} UTC`,
  follow: 'Follow',
  following: 'Following',
  events: eventsText,
  groups: { blocked: 'blocked', challenged: 'challenged', logged: 'logged', other: 'other' },
  chart: 'Events over time',
  chartKeys: 'Events over time. Arrow keys choose a bar, Enter shows its events.',
  bars: (length: string, highest: number) =>
    `${length} a bar, highest ${numberText(highest)}. Click a bar, or drag to narrow the time.`,
  seconds: (count: number) => `${count} s`,
  minutes: (count: number) => `${count} min`,
  hours: (count: number) => `${count} h`,
  days: (count: number) => `${count} d`,
  barStart: 'Start, UTC',
  bar: (start: string, counts: string) => (counts === '' ? `${start}: none` : `${start}: ${counts}`),
  top: 'Most frequent',
  topNote: 'a click filters',
  lists: {
    rule_id: 'Rules',
    ip: 'Addresses',
    path: 'Paths',
    host: 'Hosts',
    method: 'Methods',
    source: 'Services',
  },
  only: (value: string) => `Only ${value}`,
  not: 'not',
  notValue: (value: string) => `Not ${value}`,
  columns: {
    open: 'Open',
    time: 'Time, UTC',
    action: 'Action',
    method: 'Method',
    target: 'Host and path',
    from: 'From',
    rule: 'Rule',
  },
  actionOf: (action: string) => nameFor(ACTIONS, action),
  sourceOf: (source: string) => nameFor(SOURCES, source),
  open: (method: string, target: string, time: string) => `${method} ${target} at ${time}`,
  why: 'Why',
  matched: (source: string) => `${source} matched:`,
  found: 'It found something in',
  accountRule: 'It is a rule of the account.',
  when: 'When',
  rule: 'Rule',
  ruleset: 'ruleset',
  at: 'Time',
  ray: 'Ray',
  onlyAddress: 'Only this address',
  notRule: 'Not this rule',
  exception: 'Add an exception…',
  writeRule: 'Write a rule…',
  trace: 'Trace again',
  older: 'Show older events',
  none: 'No request was ended or logged in this time.',
  noneDetail: 'Events appear when an edge or your proxy asks for decisions. To send one yourself:',
  noneCommand: (origin: string, zoneId: string, name: string) =>
    [
      `curl '${origin}/client/v4/zonereeve/zones/${zoneId}/firewall/decide' \\`,
      `  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
      `  -d '{"url": "https://${name}/.git/config", "ip": "203.0.113.9"}'`,
    ].join('\n'),
  noMatch: 'No event matches the filter in this time.',
  clear: 'Clear the filter',
  exceptionName: (rule: string) => `Exception from ${rule}`.slice(0, 200),
  ruleName: (ip: string) => `Block ${ip}`,
} as const
