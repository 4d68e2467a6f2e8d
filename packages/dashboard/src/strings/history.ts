// Texts of the history's filter and of its plans.
export const historyStrings = {
  name: 'Filter by name',
  actor: 'By whom',
  kind: 'Kind of change',
  anyKind: 'Any change',
  since: 'From day',
  before: 'To day',
  kinds: {
    'dns_record.create': 'Records added',
    'dns_record.update': 'Records changed',
    'dns_record.delete': 'Records deleted',
    dns_settings: 'DNS settings',
    dnssec: 'DNSSEC',
    zone: 'Zone',
  },
  moreLines: (count: string) => `And ${count} more lines. The API has all of them.`,
  noMatch: 'No change matches.',
  clear: 'Clear the filter',
  restore: 'Restore this state',
  restoreNow: 'Restore it',
  restored: (number: string) => `Records are as after change ${number}.`,
  wouldNothing: 'Nothing would change: the records are the same.',
} as const
