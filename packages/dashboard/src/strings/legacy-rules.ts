// Texts of the legacy firewall.
import { numberText } from '../strings.ts'

const MODES: ReadonlyMap<string, string> = new Map([
  ['disable', 'off'],
  ['simulate', 'log'],
  ['block', 'block'],
  ['challenge', 'challenge'],
  ['on', 'on'],
  ['off', 'off'],
])

const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['bic', 'browser integrity check'],
  ['hot', 'hotlink protection'],
  ['rateLimit', 'rate limits'],
  ['securityLevel', 'security level'],
  ['uaBlock', 'user-agent rules'],
  ['waf', 'legacy managed rules'],
  ['zoneLockdown', 'zone lockdown'],
])

const modeOf = (mode: string): string => {
  const name = MODES.get(mode)
  return name === undefined ? mode : name
}

export const legacyStrings = {
  title: 'Legacy rules',
  intro: 'What the zone has besides rulesets: managed rules in packages, firewall rules and page rules.',
  views: {
    label: 'Kinds of rules',
    managed: 'Managed rules',
    firewall: 'Firewall rules',
    pages: 'Page rules',
  },
  gone: 'The zone has migrated. Its managed rules are in rulesets now.',
  toManaged: 'Managed rules',
  noPackages: 'This plan has no legacy managed rules.',
  noPackagesDetail: 'Pro and Enterprise zones have packages. Custom rules work on every plan.',
  toRules: 'Open custom rules',
  noGroups:
    'No rules. This package has rules only if they were written for this zone alone. Your own rules are custom rules.',
  detection: { anomaly: 'Adds up scores', traditional: 'Each rule acts on its own' },
  sensitivity: 'Sensitivity',
  sensitivities: { high: 'high', medium: 'medium', low: 'low', off: 'off' },
  action: 'Action',
  actions: { block: 'block', challenge: 'challenge', simulate: 'log' },
  groups: { name: 'Group', rules: 'Rules', changed: 'Changed', mode: 'Mode', action: 'Action' },
  on: 'on',
  off: 'off',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  switchOf: (verb: string, name: string) => `${verb}: ${name}`,
  switched: (name: string, isOn: boolean) => `${name} is ${isOn ? 'on' : 'off'}.`,
  saved: (name: string) => `${name} is changed.`,
  rules: {
    title: (group: string) => `Rules of ${group}`,
    filter: 'Filter by description',
    count: (count: number) => `${numberText(count)} ${count === 1 ? 'rule' : 'rules'}`,
    id: 'Rule',
    description: 'Description',
    mode: 'Mode',
    modeOf: (id: string) => `Mode of rule ${id}`,
    byDefault: (mode: string | undefined) => (mode === undefined ? 'default' : `default (${modeOf(mode)})`),
    modeName: modeOf,
    none: 'No rule of this group has these words in its description.',
    changed: (id: string) => `Rule ${id} is changed.`,
    back: 'Close',
  },
  firewall: {
    columns: { name: 'Rule', action: 'Action', when: 'When', priority: 'Priority', state: 'State' },
    unnamed: 'Rule without a description',
    paused: 'paused',
    active: 'active',
    pause: 'Pause',
    resume: 'Resume',
    pausedDone: (name: string) => `${name} is paused.`,
    resumed: (name: string) => `${name} is active.`,
    products: (products: readonly string[]) =>
      products.map((product) => PRODUCTS.get(product) ?? product).join(', '),
    actions: {
      log: 'Log',
      bypass: 'Skip',
      allow: 'Allow',
      challenge: 'Interactive challenge',
      managed_challenge: 'Managed challenge',
      js_challenge: 'JavaScript challenge',
      block: 'Block',
    },
    none: 'No firewall rules.',
    noneDetail: 'New rules belong in custom rules. Clients of the older API can still send firewall rules:',
  },
  pages: {
    columns: { target: 'URL', settings: 'Settings', priority: 'Priority', state: 'State' },
    active: 'active',
    disabled: 'off',
    none: 'No page rules.',
    noneDetail:
      'Of all rules that match a URL, the one with the highest priority applies. Send the first one to the API:',
  },
} as const
