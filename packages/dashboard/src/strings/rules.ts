// Texts of the rules screen.
import { numberText } from '../strings.ts'
import { actionTitle } from './actions.ts'

export const ruleStrings = {
  phases: {
    label: 'Phases',
    redirects: '1 Redirects',
    custom: '2 Custom rules',
    rates: '3 Rate limits',
    managed: '4 Managed rules',
    /** Read out after the number. */
    counted: (count: number) => (count === 1 ? 'rule' : 'rules'),
  },
  titles: {
    redirects: 'Redirects',
    custom: 'Custom rules',
    rates: 'Rate limits',
    managed: 'Managed rules and exceptions',
  },
  eventGone: 'This event is no longer stored.',
  startsEmpty: 'This event is no longer stored, so the rule starts empty.',
  /** @param parameters of a skip rule that starts from an event. */
  skips: (parameters: Readonly<Record<string, unknown>>) => {
    if ('rules' in parameters) return 'It skips the managed rule that matched, and no other.'
    if ('phases' in parameters) return 'It skips all rate limits.'
    return 'products' in parameters
      ? 'It skips the legacy managed rules.'
      : 'It skips the custom rules after it.'
  },
  version: (version: string) =>
    `Version ${version}. Zonereeve evaluates these rules; the edge or your proxy enforces them.`,
  noVersion: 'Rules are evaluated in this order, until one ends the request.',
  columns: { place: '#', name: 'Rule', action: 'Action', when: 'When', menu: 'Actions' },
  addTo: { redirects: 'Add redirect', custom: 'Add rule', rates: 'Add rate limit' },
  addFirst: {
    redirects: 'Add the first redirect',
    custom: 'Add the first rule',
    rates: 'Add the first rate limit',
  },
  unnamed: 'Rule without a name',
  disabled: 'disabled',
  menuOf: (name: string) => `Actions for ${name}`,
  edit: 'Edit',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  up: 'Move up',
  down: 'Move down',
  remove: 'Delete',
  form: {
    name: 'Rule',
    action: 'Action',
    when: 'When',
    save: 'Save rule',
    add: 'Add rule',
  },
  redirect: {
    status: 'Status',
    statuses: {
      301: '301 Moved permanently',
      302: '302 Found',
      303: '303 See other',
      307: '307 Temporary redirect',
      308: '308 Permanent redirect',
    },
    target: 'Target',
    fixed: 'Fixed URL',
    computed: 'Computed URL',
    url: 'URL',
    urlHint: 'A whole URL, for example https://www.example.com/new.',
    noUrl: 'Write the URL, for example https://www.example.com/new.',
    computedUrl: 'Target URL',
    noTarget:
      'Write an expression for the URL, for example concat("https://www.example.com", http.request.uri.path).',
    keepsQuery: 'Keep the query string, unless the target has one',
  },
  rate: {
    inShort: (requests: number, seconds: number) => `${numberText(requests)} in ${numberText(seconds)} s`,
    requests: 'Requests',
    period: 'Period in seconds',
    timeout: 'Action lasts, in seconds (optional)',
    byScore: (header: string, most: number) =>
      `Counts scores of the header ${header}, at most ${numberText(most)}.`,
    timeoutHint: 'With 0 or nothing, as long as the rate is above the limit.',
    noNumber: (least: number) => `It must be a whole number of at least ${least}.`,
    countedBy: 'Counted by',
    countedByNote: 'Requests that have all of these in common share a count.',
    characteristic: (place: number) => `Characteristic ${place}`,
    addCharacteristic: 'Add characteristic',
    removeCharacteristic: (place: number) => `Remove characteristic ${place}`,
    kinds: {
      'ip.src': 'Address',
      'http.host': 'Host',
      'http.request.uri.path': 'Path',
      'http.request.method': 'Method',
      'http.user_agent': 'User agent',
      'cf.colo.id': 'Location (always the same)',
      'cf.unique_visitor_id': 'Visitor (by address)',
      header: 'Header …',
      cookie: 'Cookie …',
      query: 'Query parameter …',
      other: 'Other field …',
    },
    fieldName: 'Name',
    field: 'Field',
    ofCharacteristic: (label: string, place: number) => `${label} of characteristic ${place}`,
    noName: 'Write its name.',
    noField: 'Write a field, for example http.referer.',
    countsOthers: 'Count other requests than those that match',
    counting: 'Counts when',
    noCounting: 'Write which requests count, for example http.response.code eq 401.',
  },
  wrongField: (message: string, similar: string | undefined) =>
    `Not a field or function: ${message}${similar === undefined ? '.' : `. Did you mean ${similar}?`}`,
  editorOf: (label: string) => `${label}: expression`,
  bytes: (used: number, limit: number) => `${numberText(used)} of ${numberText(limit)} bytes`,
  noExpression: 'Write when the rule matches, for example http.request.uri.path eq "/login".',
  wrong: (line: number, column: number, message: string) => `line ${line}, column ${column}: ${message}`,
  similar: (name: string) => `. Did you mean ${name}?`,
  use: (name: string) => `Use ${name}`,
  added: (name: string) => `${name} is added.`,
  saved: (name: string) => `${name} is changed.`,
  moved: (name: string, place: number) => `${name} is rule ${place}.`,
  on: (name: string) => `${name} is on.`,
  off: (name: string) => `${name} is off.`,
  removed: (name: string) => `${name} is deleted.`,
  preview: 'What is deleted',
  keep: 'Keep rule',
  removeRule: 'Delete rule',
  remaining: (count: number, version: string) =>
    `${numberText(count)} ${count === 1 ? 'rule remains' : 'rules remain'}. Version ${version} stays readable.`,
  empty: {
    custom: 'No custom rules.',
    redirects: 'No redirects.',
    rates: 'No rate limits.',
    managed: 'No managed rulesets are executed, and there are no exceptions.',
  },
  emptyOthers: 'Add the first one here, or send it to the API:',
  emptyManaged: 'Execute a managed ruleset on its screen, or send the rule to the API:',
  actionOf: actionTitle,
} as const
