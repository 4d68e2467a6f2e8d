// What changes are about: the topic of each kind of operation.

export type ChangeTopic =
  | 'zone'
  | 'records'
  | 'settings'
  | 'signing'
  | 'transfers'
  | 'monitoring'
  | 'firewall'
  | 'access'

/** By an operation's kind or its noun. Accounts have no topic. */
const TOPIC_OF: ReadonlyMap<string, ChangeTopic> = new Map(
  Object.entries({
    zone: ['zone'],
    records: ['dns_record'],
    settings: ['dns_settings', 'zone_setting', 'account.enforce_dns_only'],
    signing: ['dnssec'],
    transfers: [
      'outgoing_transfers',
      'incoming_transfers',
      'catalog_zone',
      'secondary_catalog',
      'transfer_tsig',
      'transfer_acl',
      'transfer_peer',
    ],
    monitoring: ['page_shield', 'page_shield_policy'],
    firewall: [
      'access_rule',
      'filter',
      'firewall_rule',
      'leaked_credentials',
      'list',
      'list_item',
      'lockdown',
      'managed_headers',
      'page_rule',
      'ruleset',
      'ua_rule',
      'url_normalization',
      'waf_migration',
      'waf_override',
      'waf_package',
      'waf_group',
      'waf_rule',
    ],
    access: ['session', 'token', 'update_key', 'user'],
  } satisfies Record<ChangeTopic, string[]>).flatMap(
    ([topic, nouns]) => nouns.map((noun) => [noun, topic as ChangeTopic] as const), // a key of this record
  ),
)

/**
 * The topic of a kind of operation, such as `dns_record.create`: that of the whole kind, or of what precedes its first
 * full stop. Undefined for accounts and what belongs to no zone.
 */
export const topicOf = (kind: string): ChangeTopic | undefined =>
  TOPIC_OF.get(kind) ?? TOPIC_OF.get(kind.slice(0, kind.indexOf('.')))
