// Texts of the audit log.
import { numberText } from '../strings.ts'

const ACRONYMS: ReadonlySet<string> = new Set(['acl', 'dns', 'dnssec', 'tsig', 'ua', 'url', 'waf'])

export const auditStrings = {
  title: 'Audit log',
  intro: 'Who did what, from where, and with what result. The values of a change are in the zone’s history.',
  filter: 'Filter the audit log',
  hint: 'actor:anna@example.com action:session.create',
  since: 'From this day',
  before: 'To this day',
  found: (count: number) => `${numberText(count)} ${count === 1 ? 'entry' : 'entries'}`,
  columns: {
    action: 'Action',
    actor: 'By',
    address: 'From',
    target: 'On',
    result: 'Result',
    when: 'When',
  },
  /** `dns_record` → `DNS record`. */
  resource: (type: string): string =>
    type
      .split('_')
      .map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word))
      .join(' '),
  done: 'done',
  refused: 'refused',
  server: 'the server',
  detail: {
    label: (action: string) => `Entry ${action}`,
    number: 'Entry',
    when: 'When',
    actor: 'By',
    kinds: { API: 'token', UI: 'session', System: 'server' },
    target: 'On',
    request: 'Request',
    status: 'Status',
    codes: 'Error codes',
    hash: 'Hash',
    change: 'Change',
    toHistory: (number: string) => `Change ${number} in the history`,
    onlyActor: 'Only this actor',
    onlyAction: 'Only this action',
    onlyAddress: 'Only this address',
    close: 'Close',
  },
  open: (action: string, actor: string) => `${action} by ${actor}`,
  older: 'Show older entries',
  none: 'Nothing is in the audit log yet.',
  noneDetail: 'Every write, every refused write and every sign-in will be listed here.',
  noMatch: 'No entry matches. Values are whole: action:zone.create, not action:zone.',
  clear: 'Clear the filter',
  forbidden: 'Only owners and admins see the audit log.',
  export: 'Export',
  check: {
    button: 'Check the chain',
    title: 'Chain',
    note: 'Each entry has a hash of its content and of the hash before. This browser reads all entries and computes them.',
    known: 'An entry known from earlier (optional)',
    knownHint: 'NUMBER:HASH, as this check or the server’s log showed it.',
    knownWrong: 'This is not NUMBER:HASH. A hash has 64 hexadecimal digits.',
    start: 'Check',
    close: 'Close',
    running: (entries: number) => `${numberText(entries)} entries so far.`,
    whole: (entries: number) => `${numberText(entries)} entries, no break.`,
    begins: (first: number) => `It begins with entry ${numberText(first)}: retention deleted those before.`,
    keep: 'Keep the last entry elsewhere. With it, a later check notices if the end was removed.',
    empty: 'There are no entries.',
    broken: (number: number) => `The chain is broken at entry ${numberText(number)}.`,
    faults: {
      gap: 'Entries before it are missing.',
      content: 'It, or the entry before it, was changed.',
      expected: 'It is not the entry that you know.',
      missing: 'The chain ends before it.',
    },
  },
} as const
