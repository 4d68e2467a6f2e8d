// Texts of the migration wizard.
import { numberText } from '../strings.ts'

const requests = (count: number): string => `${numberText(count)} ${count === 1 ? 'request' : 'requests'}`
const rules = (count: number): string => `${numberText(count)} ${count === 1 ? 'rule' : 'rules'}`

export const migrationStrings = {
  page: 'Migration',
  title: 'Move to rulesets',
  intros: {
    start: (zone: string) =>
      `Replace the legacy managed rules of ${zone} with rulesets. You can stop at any point before step 3.`,
    final: (zone: string) =>
      `Replace the legacy managed rules of ${zone} with rulesets. On this plan Deploy is permanent.`,
    since: (at: string) => `Both versions have run since ${at}. The new rules run first.`,
    both: 'Both versions run. The new rules run first.',
    last: 'The last step. It cannot be undone.',
    done: 'The zone uses rulesets. The legacy rules are off, permanently.',
  },
  stepsLabel: 'Steps',
  steps: {
    deploy: { name: '1 Deploy', note: 'New rules run before the legacy ones' },
    ready: { name: '2 Ready to update', note: 'Both versions run; compare decisions' },
    'turn-off': { name: '3 Turn off previous version', note: 'Permanent. There is no way back' },
  },
  notOnPlan: 'Not on this plan',
  deployFinalStep: 'New rules run instead of the legacy ones',
  done: 'done',
  check: 'Check',
  checkAgain: 'Check again',
  noObstacles: 'No obstacles.',
  nothingChanged: 'Nothing has changed yet.',
  bothRun: 'Both versions run.',
  obstacles: (count: number) => (count === 1 ? '1 obstacle.' : `${numberText(count)} obstacles.`),
  mapping: 'Mapping',
  mappingNote: rules,
  columns: {
    now: 'Now',
    after: 'After',
    rules: 'Rules',
    request: 'Request',
    by: 'By',
    times: 'Times',
    last: 'Last',
    stoppedBy: 'Stopped by',
    newRules: 'New rules',
    legacy: 'Legacy rules',
    action: 'Action',
    expression: 'Expression',
    description: 'Description',
    state: 'State',
  },
  packageChanged: (count: number) =>
    count === 0 ? 'Package CloudFlare, as it came' : `Package CloudFlare, ${rules(count)} changed`,
  managed: (count: number) =>
    count === 0
      ? 'Managed ruleset, without overrides'
      : `Managed ruleset with ${numberText(count)} ${count === 1 ? 'override' : 'overrides'}`,
  owaspNow: (sensitivity: string, action: string) => `OWASP, sensitivity ${sensitivity}, action ${action}`,
  owaspUnread: 'OWASP package',
  owaspOff: 'OWASP, off',
  owaspAfter: (level: number, threshold: string, action: string) =>
    `Paranoia level ${level}, threshold ${threshold}, ${action}`,
  noRule: 'No rule',
  managedName: 'managed ruleset',
  owaspName: 'OWASP ruleset',
  exceptions: 'Firewall rules that bypass, page rules with security off',
  skips: (count: number) =>
    count === 1 ? '1 skip rule' : `${numberText(count)} skip rules, in the same order`,
  disabled: (text: string) => `${text}, disabled`,
  leftOut: 'Left out',
  leftOutNote: 'has no replacement',
  nothingLeftOut: 'Everything has a replacement.',
  compared: 'Compared',
  comparedNote: 'HAR file or access log',
  compareIntro:
    'Drop an access log (combined format) or a HAR file to see which of its requests would be decided differently. It is read here; only its requests are sent to your server, and none is kept.',
  compareChoose: 'Choose a file…',
  compareAnother: 'Compare another file',
  compareProgress: (done: number, all: number) => `${numberText(done)} of ${requests(all)} compared`,
  compareStop: 'Stop',
  compareResult: (differing: number, all: number) =>
    `${numberText(differing)} of ${requests(all)} would be decided differently.`,
  compareBetter: 'Access logs have no bodies; a HAR file gives a closer result.',
  compareLeftOut: (elsewhere: number, unread: number, rejected: number) =>
    [
      elsewhere === 0 ? undefined : `${requests(elsewhere)} for other hosts`,
      unread === 0 ? undefined : `${numberText(unread)} ${unread === 1 ? 'line' : 'lines'} not parsed`,
      rejected === 0 ? undefined : `${numberText(rejected)} rejected`,
    ]
      .filter((text) => text !== undefined)
      .join(', '),
  compareNotCompared: (what: string) => `Not compared: ${what}.`,
  compareNone: (name: string, what: string) =>
    `${name} has no requests of this zone${what === '' ? '' : `: ${what}`}.`,
  compareTooMany: (count: number, limit: number) =>
    `The file has ${requests(count)}. The first ${numberText(limit)} were compared; \`zonereeve waf compare\` has no limit.`,
  compareShown: (shown: number, all: number) =>
    `${numberText(shown)} of ${numberText(all)} different requests are shown, the most frequent first.`,
  actions: {
    allow: 'allow',
    log: 'log',
    block: 'block',
    managed_challenge: 'challenge',
    js_challenge: 'challenge',
    challenge: 'challenge',
  } as Readonly<Record<string, string>>, // others stand as they are
  undecided: 'no rule',
  deploy: 'Deploy',
  deployNote: (version: string | undefined) =>
    version === undefined
      ? 'The new rules run first. The legacy rules keep running after them.'
      : `The new rules replace version ${version} of the managed ruleset, which stays readable, and run first. The legacy rules keep running after them.`,
  deployFinalNote: (version: string | undefined) =>
    version === undefined
      ? 'The new rules run instead of the legacy ones.'
      : `The new rules replace version ${version} of the managed ruleset, which stays readable. They run instead of the legacy ones.`,
  deployFinal: 'Deploy and turn off previous version',
  deployDone: 'Deployed. Both versions run.',
  deployAgain: 'Deploy these rules',
  deployAgainHead: 'Deploy other rules',
  deployAgainNote: (version: string | undefined) =>
    `Both versions run already. To change what was converted, change the legacy settings, then deploy again: these rules replace ${
      version === undefined ? 'the current ones' : `version ${version}`
    }, including what you added to it.`,
  deployAgainDone: 'The new rules were replaced.',
  blocked: 'Deploy is possible when the check reports no obstacles.',
  showRules: (count: number) => `Show the ${rules(count)}`,
  hideRules: 'Hide the rules',
  download: 'Download configuration',
  soFar: 'So far',
  newest: (count: number) => `the newest ${numberText(count)} of each`,
  endedByNew: 'ended by the new rules',
  endedByLegacy: 'ended by legacy rules only',
  sinceLegacy: 'since a legacy rule last acted alone',
  never: 'never',
  justNow: '< 1 min',
  byHour: 'By hour',
  byHourNote: 'since Deploy',
  newLegend: 'new rules',
  legacyLegend: 'legacy only',
  barNote: (bar: string, highest: number) => `${bar} a bar, highest ${numberText(highest)}`,
  hour: '1 h',
  hours: (count: number) => `${count} h`,
  now: 'now',
  chart: (hours: number, all: number) =>
    `Requests ended over time; by legacy rules only in ${numberText(hours)} of ${numberText(all)} bars`,
  noEvents: 'No request was ended yet.',
  noEventsDetail: 'Events arrive when an edge or a proxy asks this server about requests.',
  legacyOnly: 'Legacy only',
  legacyOnlyNote: 'would pass after step 3',
  nothingLegacy: 'No request was ended by the legacy rules alone.',
  sideBySide: 'Side by side',
  sideBySideNote: 'requests ended by each version',
  shownOf: (shown: number, all: number) =>
    `${numberText(shown)} of ${requests(all)}, the most frequent first.`,
  writeRule: 'Write a rule',
  insteadOf: (request: string) => `for ${request}`,
  ruleName: (action: string, request: string) => `${action === 'block' ? 'Block' : 'Challenge'} ${request}`,
  legacyRule: (id: string, description: string | null) =>
    description === null || description === '' ? `Legacy: ${id}` : `Legacy: ${id}, ${description}`,
  ready: 'Ready to update',
  readyNote:
    'Continue when nothing in the list above still needs a rule. This step changes nothing; it unlocks step 3.',
  deployOther: 'Deploy other rules',
  noWayBack: 'There is no way back.',
  noWayBackDetail: 'The legacy rules cannot be turned on again for this zone.',
  whatHappens: 'What happens',
  whatHappensNote: 'one change set',
  gone: [
    'The APIs for packages, groups, rules and overrides return ',
    ' for reads and writes. Remove them from Terraform state first.',
  ],
  othersStay: 'Firewall rules and page rules stay, and have no effect on the new rules.',
  rulesStay: (count: number, version: string) =>
    `The ${numberText(count)} new ${count === 1 ? 'rule' : 'rules'} ${count === 1 ? 'stays as it is' : 'stay as they are'}, version ${version}.`,
  snapshotKept:
    'Zonereeve keeps a snapshot of the whole legacy configuration. You can read and download it, not restore it.',
  stillOpen: 'Still open',
  stillOpenNote: 'from step 2',
  stillOpenRow: (count: number) =>
    `, ended ${numberText(count)} ${count === 1 ? 'time' : 'times'} by legacy rules only, will pass.`,
  nothingOpen: 'Nothing: the legacy rules ended no request alone.',
  backToReady: 'Go back to step 2',
  turnOff: 'Turn off previous version',
  typeName: 'Type the name of the zone',
  wrongName: (zone: string) => `That is not the name of this zone. Type ${zone}.`,
  toolsNote: 'Terraform and other tools no longer manage the legacy rules',
  notNow: 'Not now',
  signInNote: 'You are asked to confirm who you are if your sign-in is older than 5 minutes.',
  turnedOff: 'The legacy rules are off.',
  readAhead: {
    ready:
      'After Deploy this step shows what both versions decide, side by side: how many requests the new rules ended, and which ones only the legacy rules did.',
    'turn-off':
      'After the validation this step turns the legacy rules off. It asks for the name of the zone, keeps a snapshot of the legacy configuration, and cannot be undone.',
  },
  notYet: 'Not yet.',
  toDeploy: 'Go to step 1',
  record: 'Record',
  by: (actor: string) => `by ${actor}`,
  startedOn: 'Deployed',
  finishedOn: 'Legacy rules turned off',
  snapshot: 'Snapshot',
  snapshotNote: 'the legacy configuration as it was',
  snapshotFacts: (packages: number, firewallRules: number, pageRules: number) =>
    `${numberText(packages)} packages, ${numberText(firewallRules)} firewall rules, ${numberText(pageRules)} page rules.`,
  snapshotDownload: 'Download the snapshot',
  goneHead: 'Legacy APIs',
  goneNote: 'answer 410',
  goneDetail: [
    'Packages, groups, rules and overrides return ',
    ' for reads and writes: they do not exist for this zone any more. Tools that still read them, such as Terraform, need them removed from their state.',
  ],
  changeSet: 'Change set',
  none: 'This zone never had legacy managed rules.',
  noneDetail: (plan: string) =>
    `Plan ${plan} has none, so there is nothing to migrate. Managed rules are part of its rulesets.`,
  viewer: 'You can read this, not change it.',
  viewerDetail: 'A migration needs the role editor for this zone, or a token with Zone WAF Write.',
  stale: 'Nothing was changed.',
  staleDetail: {
    moved: 'Somebody else moved this zone on. Below is its state now.',
    plan: 'The plan of the zone changed. Read what Deploy does on this plan, then decide.',
    other: 'The state below was read again. If it is right, try again.',
  },
  callout: {
    head: 'Managed rules',
    start: 'This zone has the legacy managed rules.',
    validation: 'Both versions of the managed rules run.',
    links: { start: 'Move to rulesets', validation: 'Compare their decisions' },
  },
} as const
