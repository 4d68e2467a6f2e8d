// Texts of the managed rules screen.
import { numberText } from '../strings.ts'

const MEANINGS: ReadonlyMap<number, string> = new Map([
  [5, 'Core Rule Set'],
  [25, 'high sensitivity'],
  [40, 'medium sensitivity'],
  [60, 'low sensitivity'],
])

export const managedRuleStrings = {
  title: 'Managed rules',
  intro: 'Rules against known attacks, maintained with the program.',
  legacy: 'This zone still has the legacy managed rules.',
  legacyDetail: 'Rulesets take over with the migration, which shows first what would change.',
  toMigration: 'Open the migration',
  both: 'Both versions run.',
  bothDetail: 'Turn off the legacy rules when the new rules do what they should.',
  rulesets: 'Rulesets',
  rulesetsNote: 'each with a rule of its own, which may have overrides',
  columns: { name: 'Ruleset', state: 'State', overrides: 'Overrides', action: 'Action' },
  on: 'executed',
  off: 'off',
  never: 'not executed',
  conditional: 'executed if the rule’s condition matches',
  turnOn: 'Execute',
  turnOff: 'Turn off',
  turnedOn: (name: string) => `${name} is executed.`,
  turnedOff: (name: string) => `${name} is off.`,
  exceptions: (count: number) => `${numberText(count)} ${count === 1 ? 'exception' : 'exceptions'}`,
  of: (verb: string, name: string) => `${verb}: ${name}`,
  ordinary: 'Ordinary strings',
  ordinaryNote: 'that rules stop',
  ordinaryIntro: (tried: number) =>
    `Before each release, ${numberText(tried)} strings of others are sent to the rules of the Managed Ruleset. These rules stop some, mostly HTML and code: a field that takes such strings needs an exception. All others stop none.`,
  ordinaryColumns: { rule: 'Rule', stopped: 'Strings' },
  threshold: 'Threshold',
  thresholdNote: 'of the sum of scores',
  thresholdIntro:
    'Each rule that matches adds 2 to 5 points. A request that reaches the threshold is stopped. The Core Rule Set’s own threshold is 5: one critical rule is enough. 25, 40 and 60 are the thresholds of migrated zones: they were chosen for sums over many rules, and a single attack rarely reaches them.',
  thresholdOff: 'The OWASP ruleset is not executed in this zone, so there is no threshold.',
  counted: (days: number, requests: number) =>
    requests === 0
      ? `No request had a score in the last ${days} days.`
      : `${numberText(requests)} ${requests === 1 ? 'request' : 'requests'} had a score in the last ${days} days. Most zones have ordinary requests with small scores.`,
  scoreColumns: { threshold: 'Threshold', meaning: 'Where it is from', requests: 'Requests that reach it' },
  meaning: (threshold: number): string => MEANINGS.get(threshold) ?? 'of this zone',
  now: 'now',
  action: 'Requests that reach it',
  actions: { block: 'are blocked', managed_challenge: 'are challenged', log: 'are only logged' },
  logFirst:
    'Before you lower the threshold, only log for some days, look at the security events, and add exceptions.',
  save: 'Save the threshold',
  saved: (score: number) => `The threshold is ${score}.`,
} as const
