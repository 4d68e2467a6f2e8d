// Texts of policies and their violations.
import { numberText } from '../strings.ts'

const count = (total: number, one: string, many: string): string =>
  `${numberText(total)} ${total === 1 ? one : many}`

export const policyStrings = {
  title: 'Policies',
  intro: 'What pages may load. Log first, then enforce.',
  add: 'Add policy',
  suggest: 'Suggest from the inventory',
  none: 'No policies.',
  noneDetail: 'Start with a suggestion: it allows what browsers loaded so far, and only logs. With the API:',
  columns: { name: 'Policy', state: 'State', pages: 'For pages where', value: 'Policy text' },
  unnamed: 'Policy without a name',
  states: { log: 'logs', allow: 'enforced', add_reporting_directives: 'adds reporting', off: 'off' },
  newTitle: 'New policy',
  suggestedTitle: 'Suggested policy',
  unknown: 'There is no such policy.',
  all: 'All policies',
  violationsOf: 'Its violations',
  form: {
    name: 'Name',
    does: 'What it does',
    actions: {
      log: 'Log violations',
      allow: 'Enforce',
      add_reporting_directives: 'Add reporting to the site’s own',
    },
    enabled: 'Send it',
    pages: 'For pages where',
    matching: (matching: number, total: number) =>
      total === 0
        ? 'No page is known yet.'
        : `${numberText(matching)} of ${count(total, 'known page matches', 'known pages match')}.`,
    policy: 'Policy',
    isNew: 'not created yet',
    isChanged: 'changed, not saved',
    discard: 'Discard changes',
    sources: (total: number) => (total === 0 ? 'no sources' : count(total, 'source', 'sources')),
    uses: {
      script: (total: number) => count(total, 'script', 'scripts'),
      connection: (total: number) => count(total, 'connection', 'connections'),
    },
    unused: 'nothing known',
    malicious: (total: number) => `${numberText(total)} malicious`,
    noDirectives: 'No directives yet.',
    addSource: 'Add source',
    directive: 'Directive',
    source: 'Source',
    sourceHint: "Such as cdn.example.net, 'self' or https:",
    asText: 'Edit as text',
    asList: 'Edit as list',
    text: 'Policy text',
    characters: (used: number, limit: number) => `${numberText(used)} of ${numberText(limit)} characters`,
    remove: (source: string, directive: string) => `Remove ${source} from ${directive}`,
    restore: (source: string, directive: string) => `Put ${source} back into ${directive}`,
    save: 'Save',
    create: 'Create policy',
    saved: 'The policy is saved.',
    created: 'The policy is created.',
    delete: 'Delete policy',
    deleteAsk: 'It is no longer sent. There is no way back.',
    deleted: 'The policy is deleted.',
    enforces: (blocked: number) =>
      `When it is saved, ${count(blocked, 'known resource is', 'known resources are')} blocked.`,
  },
  simulation: {
    title: 'If enforced now',
    checked: (checked: number, total: number) =>
      checked === total
        ? count(total, 'known resource', 'known resources')
        : `${numberText(checked)} of ${count(total, 'known resource', 'known resources')}`,
    blocked: 'would be blocked',
    loads: 'would load as now',
    differ: 'where browsers differ',
    resource: 'Resource',
    by: 'By',
    where: 'Blocked in',
    everywhere: 'all browsers',
    lets: (browsers: string, isOne: boolean) => `${browsers} ${isOne ? 'lets' : 'let'} it load`,
    dependsOnPath: 'Its path is not known',
    malicious: 'malicious',
    browsers: { chromium: 'Chromium', firefox: 'Firefox', webkit: 'Safari' },
    allow: 'Allow',
    allowUrl: (url: string) => `Allow ${url}`,
    nothing: 'Nothing that was detected would be blocked.',
    withoutUrl: 'Blocked, no URL',
    forbidden: {
      inline_scripts: 'Inline scripts',
      inline_handlers: 'Event handlers',
      eval: 'Evaluated strings',
      wasm: 'WebAssembly',
    },
    everyPage: 'on every page that has them',
    header: (bytes: number) => `Header, ${count(bytes, 'byte', 'bytes')}`,
    awaited: 'The policy is being simulated.',
    obstacles: {
      policy: 'The policy has an error, so it is not simulated.',
      expression: 'The expression of its pages is missing or has an error, so it is not simulated.',
      reporting: 'It sends no policy of its own. Reporting is added to the policies that the site sends.',
    },
    leftOut: 'Left out of the suggestion',
    causes: {
      malicious: 'malicious',
      infrequent: 'seen fewer than three times',
      inactive: 'no longer seen',
      unlistable: 'its host cannot be listed',
    },
  },
  violations: {
    title: 'Violations',
    intro: (total: number) =>
      `${count(total, 'kind', 'kinds')} of violations, the most frequent first. Each is kept for 30 days after its last report.`,
    empty: 'No violations.',
    emptyDetail: 'Browsers report them while a policy is sent. To see which headers a page gets:',
    hint: 'directive:script-src-elem',
    columns: {
      resource: 'Resource',
      directive: 'Directive',
      policy: 'Policy',
      page: 'Last page',
      time: 'Last 30 days',
      last: 'Last',
      count: 'Reports',
    },
    more: 'others',
    span: (first: string, last: string) => `from ${first} to ${last}`,
    enforced: 'blocked',
    logged: 'logged',
  },
} as const

/** For a shell; the token is in $TOKEN. */
export const firstPolicyCommand = (origin: string, zoneId: string): string =>
  [
    `curl '${origin}/client/v4/zones/${zoneId}/page_shield/policies' \\`,
    `  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `  -d '{"description":"All pages","action":"log","enabled":true,"expression":"true","value":"script-src https:"}'`,
  ].join('\n')

export const headersCommand = (origin: string, zoneId: string, zone: string): string =>
  [
    `curl '${origin}/client/v4/zonereeve/zones/${zoneId}/page_shield/headers?url=https://${zone}/' \\`,
    `  -H "authorization: Bearer $TOKEN"`,
  ].join('\n')
