// Texts of the webhooks of accounts.
import { numberText } from '../strings.ts'

export const accountWebhookStrings = {
  title: 'Webhooks',
  intro: 'Changes and security events of an account, posted to a server of yours as they happen.',
  note: 'Failed requests are repeated. Nothing is lost while yours is down.',
  none: 'No webhooks.',
  noneDetail: 'Without one, programs read the audit log and the security events from the API.',
  columns: {
    url: 'URL',
    events: 'Events',
    delivered: 'Delivered',
    state: 'State',
    actions: 'Actions',
  },
  sources: { changes: 'Changes', security_events: 'Security events' },
  sourceHints: {
    changes: 'Entries of the audit log, at least once each, oldest first.',
    security_events: 'Counted by zone, action and rule, at most once a minute.',
  },
  someChanges: (kinds: readonly string[]) => kinds.join(', '),
  never: 'never',
  failures: (failures: number, next: string) =>
    `${failures === 1 ? 'One attempt' : `${numberText(failures)} attempts`} failed. The next one: ${next}.`,
  source: 'Events',
  kinds: 'Changes of',
  kindNames: {
    zone: 'zones',
    records: 'records',
    settings: 'settings of zones',
    dnssec: 'DNSSEC',
    transfers: 'transfers',
    firewall: 'firewall',
    migration: 'migration',
    monitoring: 'monitoring',
    access: 'tokens',
    account: 'everything else',
  },
  noKinds: 'Choose at least one.',
  edit: 'Edit',
  save: 'Save',
  saved: 'The webhook is saved.',
  tested: 'Your server confirmed the test.',
} as const
