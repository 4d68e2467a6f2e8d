// Rows of firewall rules. An unreadable rule must not silently drop out of decisions: reads that need it fail.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { FirewallRuleMembers } from './firewall-rules.rules.ts'

export interface FirewallRule extends FirewallRuleMembers {
  readonly id: string
  readonly filterId: string
  readonly createdOn: string
  readonly modifiedOn: string
}

const firewallRules = tables.firewall_rules.beside('zone_id').of<FirewallRule>()

/** The firewall rules of a zone, unordered. */
export const firewallRulesOf = (db: Reader, zoneId: string): Promise<FirewallRule[]> =>
  firewallRules.all(db, query.selectFrom('firewall_rules').selectAll().where('zone_id', '=', zoneId))

export const findFirewallRule = (db: Reader, zoneId: string, id: string): Promise<FirewallRule | undefined> =>
  firewallRules.find(db, { zoneId, id })

export const countFirewallRules = (db: Reader, zoneId: string): Promise<number> =>
  firewallRules.count(db, { zoneId })

/** Whether any firewall rule uses the filter. */
export async function isFilterUsed(db: Reader, filterId: string): Promise<boolean> {
  const users = query.selectFrom('firewall_rules').select('id').where('filter_id', '=', filterId).limit(1)
  return (await db.first(users)) !== undefined
}

export const insertFirewallRule = (tx: Transaction, zoneId: string, rule: FirewallRule): Promise<void> =>
  firewallRules.insert(tx, { ...rule, zoneId })

export const updateFirewallRule = (tx: Transaction, rule: FirewallRule): Promise<void> =>
  firewallRules.update(tx, rule)

export const deleteFirewallRule = (tx: Transaction, id: string): Promise<number> =>
  firewallRules.remove(tx, { id })

export const deleteFirewallRules = (tx: Transaction, zoneId: string): Promise<number> =>
  firewallRules.remove(tx, { zoneId })
