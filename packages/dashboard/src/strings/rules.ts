// Texts of the rules screen.
import { numberText } from '../strings.ts'

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['block', 'Block'],
  ['managed_challenge', 'Managed challenge'],
  ['js_challenge', 'JavaScript challenge'],
  ['challenge', 'Interactive challenge'],
  ['log', 'Log'],
  ['skip', 'Skip'],
  ['redirect', 'Redirect'],
  ['execute', 'Execute a ruleset'],
])

export const ruleStrings = {
  phases: {
    label: 'Phases',
    redirects: '1 Redirects',
    custom: '2 Custom rules',
    rates: '3 Rate limits',
    managed: '4 Managed rules',
  },
  titles: {
    redirects: 'Redirects',
    custom: 'Custom rules',
    rates: 'Rate limits',
    managed: 'Managed rules and exceptions',
  },
  eventGone: 'This event is no longer stored, so the rule starts empty.',
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
  add: 'Add rule',
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
  editor: 'Expression',
  bytes: (used: number, limit: number) => `${numberText(used)} of ${numberText(limit)} bytes`,
  noExpression: 'Write when the rule matches, for example http.request.uri.path eq "/login".',
  wrong: (line: number, column: number, message: string) => `line ${line}, column ${column}: ${message}`,
  similar: (name: string) => `. Did you mean ${name}?`,
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
  emptyCustom: 'Add the first one, or send it to the API:',
  emptyOther: 'Rules of this phase have parameters. Send the first one to the API; then edit it here.',
  actionOf: (action: string): string => {
    const name = ACTIONS.get(action)
    return name === undefined ? action : name
  },
} as const
