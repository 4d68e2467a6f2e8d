// Webhooks of accounts: what they are, and which changes concern them.
import type { Subscription } from '@zonereeve/alerts'
import { topicOf, type ChangeTopic, type LinkedEntry } from '@zonereeve/audit'
import type { Issue } from '@zonereeve/platform'
import { urlIssues } from '../page-shield-webhooks/index.ts'

export const MAX_ACCOUNT_WEBHOOKS = 10

/** What changes are about, as users name it. */
export type ChangeKind = Exclude<ChangeTopic, 'signing'> | 'dnssec' | 'migration' | 'account'

export interface AccountWebhookFields extends Pick<Subscription<ChangeKind>, 'kinds' | 'isEnabled'> {
  /** It never changes: positions of both sources have nothing in common. */
  readonly source: 'changes' | 'security_events'
  readonly url: string
}

export interface AccountWebhook extends Subscription<ChangeKind>, AccountWebhookFields {
  readonly accountId: string
  readonly secret: string
}

/** Security events of a zone with the same action and rule. */
export interface CountedEvents {
  readonly zoneId: string
  readonly zoneName: string
  readonly action: string
  readonly source: string
  readonly ruleId: string
  readonly description: string | null
  readonly count: number
  readonly firstAt: string
  readonly lastAt: string
}

/** What is posted: an entry of the audit log, or counts of the events with these numbers. */
export type AccountEvent =
  | { readonly entry: LinkedEntry }
  | {
      readonly after: number
      readonly until: number
      /** Most frequent first. */
      readonly counted: readonly CountedEvents[]
      /** Events that are not counted there. */
      readonly others: number
    }

export const webhookIssues = ({ source, url, kinds }: AccountWebhookFields): readonly Issue[] => [
  ...urlIssues(url),
  ...(source === 'changes' || kinds === null
    ? []
    : [{ reason: 'account_webhook.kinds' as const, pointer: '/kinds' }]),
]

/** The kinds of a change; none for an entry about a request that changed nothing. */
export function kindsOf({ action, detail }: LinkedEntry): ReadonlySet<ChangeKind> {
  const { kinds } = JSON.parse(detail) as { readonly kinds?: readonly [kind: string, count: number][] } // as written
  if (kinds === undefined) return new Set()
  return new Set([action, ...kinds.map(([kind]) => kind)].map(kindOf))
}

function kindOf(kind: string): ChangeKind {
  if (kind.startsWith('waf_migration.')) return 'migration'
  const topic = topicOf(kind)
  return topic === 'signing' ? 'dnssec' : (topic ?? 'account')
}
