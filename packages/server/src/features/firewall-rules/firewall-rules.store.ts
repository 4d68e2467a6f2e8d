// Rows of firewall rules.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { FirewallRuleMembers } from './firewall-rules.rules.ts'

export interface FirewallRule extends FirewallRuleMembers {
  readonly id: string
  readonly filterId: string
  readonly createdOn: string
  readonly modifiedOn: string
}

/** The firewall rules of a zone, in no order. */
export async function firewallRulesOf(db: Reader, zoneId: string): Promise<FirewallRule[]> {
  const rows = query.selectFrom('firewall_rules').selectAll().where('zone_id', '=', zoneId)
  return (await db.all(rows)).map(fromRow)
}

export async function findFirewallRule(
  db: Reader,
  zoneId: string,
  id: string,
): Promise<FirewallRule | undefined> {
  const rows = query.selectFrom('firewall_rules').selectAll().where('zone_id', '=', zoneId)
  const row = await db.first(rows.where('id', '=', id))
  return row && fromRow(row)
}

export async function countFirewallRules(db: Reader, zoneId: string): Promise<number> {
  const counted = query.selectFrom('firewall_rules').select(({ fn }) => fn.countAll<number>().as('count'))
  return (await db.first(counted.where('zone_id', '=', zoneId)))?.count ?? 0
}

/** Whether some firewall rule has the filter. */
export async function isFilterUsed(db: Reader, filterId: string): Promise<boolean> {
  const users = query.selectFrom('firewall_rules').select('id').where('filter_id', '=', filterId).limit(1)
  return (await db.first(users)) !== undefined
}

export async function insertFirewallRule(tx: Transaction, zoneId: string, rule: FirewallRule): Promise<void> {
  await tx.run(query.insertInto('firewall_rules').values({ id: rule.id, zone_id: zoneId, ...columns(rule) }))
}

export async function updateFirewallRule(tx: Transaction, rule: FirewallRule): Promise<void> {
  await tx.run(query.updateTable('firewall_rules').set(columns(rule)).where('id', '=', rule.id))
}

export async function deleteFirewallRule(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('firewall_rules').where('id', '=', id))
}

export async function deleteFirewallRules(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('firewall_rules').where('zone_id', '=', zoneId))
}

function columns(rule: FirewallRule): Omit<Database['firewall_rules'], 'id' | 'zone_id'> {
  return {
    filter_id: rule.filterId,
    action: rule.action,
    products: rule.products.length === 0 ? null : JSON.stringify(rule.products),
    priority: rule.priority,
    paused: rule.paused ? 1 : 0,
    description: rule.description,
    ref: rule.ref,
    created_on: rule.createdOn,
    modified_on: rule.modifiedOn,
  }
}

function fromRow(row: Database['firewall_rules']): FirewallRule {
  return {
    id: row.id,
    filterId: row.filter_id,
    action: row.action as FirewallRule['action'], // written by `columns`
    products: JSON.parse(row.products ?? '[]') as FirewallRule['products'], // as above
    priority: row.priority,
    paused: row.paused === 1,
    description: row.description,
    ref: row.ref,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  }
}
