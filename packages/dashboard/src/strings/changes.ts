// Texts about changes: what a change set changed, in a few words.
import { numberText } from '../strings.ts'

const records = (count: number): string => `${numberText(count)} ${count === 1 ? 'record' : 'records'}`

export const changeStrings = {
  added: (record: string, value: string) => `${record} added: ${value}`,
  deleted: (record: string, value: string) => `${record} deleted: ${value}`,
  changedTo: (record: string, value: string) => `${record} changed to ${value}`,
  renamed: (before: string, after: string) => `${before} is now ${after}`,
  ttl: (record: string, ttl: string) => `${record}: TTL ${ttl}`,
  proxied: (record: string, isProxied: boolean) =>
    `${record}: ${isProxied ? 'proxied' : 'no longer proxied'}`,
  comment: (record: string) => `${record}: comment changed`,
  tags: (record: string) => `${record}: tags changed`,
  settings: (record: string) => `${record}: settings changed`,
  manyOf: {
    create: (count: number) => `${records(count)} added`,
    update: (count: number) => `${records(count)} changed`,
    delete: (count: number) => `${records(count)} deleted`,
  },
  /** A change set too large to be described completely. */
  atLeast: (count: number, first: string) => `${numberText(count)} operations, first: ${first}`,
  times: (text: string, count: number) => (count === 1 ? text : `${text} (${numberText(count)} times)`),
  /** Kinds whose noun and verb say too little. */
  kinds: { 'zone.answers': 'DNS answers changed', 'zone.activate': 'Zone activated' },
  verbs: { create: 'added', update: 'changed', delete: 'deleted', reorder: 'reordered' },
  nouns: {
    access_rule: 'IP access rule',
    catalog_zone: 'Catalog zone',
    secondary_catalog: 'Secondary catalog zone',
    leaked_credentials: 'Leaked-credentials detection',
    lockdown: 'Zone lockdown',
    managed_headers: 'Managed headers',
    ua_rule: 'User-agent rule',
    update_key: 'Update key',
    url_normalization: 'URL normalization',
    zone: 'Zone',
    zone_setting: 'Zone setting',
    dns_settings: 'DNS settings',
    dnssec: 'DNSSEC',
    outgoing_transfers: 'Outgoing transfers',
    incoming_transfers: 'Incoming transfers',
    page_shield: 'Monitoring settings',
    page_shield_policy: 'Content-security policy',
    ruleset: 'Ruleset',
    filter: 'Filter',
    firewall_rule: 'Firewall rule',
    page_rule: 'Page rule',
    waf_group: 'Legacy rule group',
    waf_migration: 'Migration',
    waf_override: 'Legacy override',
    waf_package: 'Legacy package',
    waf_rule: 'Legacy rule',
  },
  nothing: 'No change',
} as const
