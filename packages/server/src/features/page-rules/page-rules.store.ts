// Rows of page rules.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { PageRuleContent } from './page-rules.rules.ts'

export interface PageRule extends PageRuleContent {
  readonly id: string
  readonly createdOn: string
  readonly modifiedOn: string
}

/** The page rules of a zone in the order in which they count: the highest priority first. */
export async function pageRulesOf(db: Reader, zoneId: string): Promise<PageRule[]> {
  const rows = query.selectFrom('page_rules').selectAll().where('zone_id', '=', zoneId)
  return (await db.all(rows.orderBy('priority', 'desc').orderBy('id'))).map(fromRow)
}

export async function findPageRule(db: Reader, zoneId: string, id: string): Promise<PageRule | undefined> {
  const row = await db.first(
    query.selectFrom('page_rules').selectAll().where('zone_id', '=', zoneId).where('id', '=', id),
  )
  return row && fromRow(row)
}

export async function insertPageRule(tx: Transaction, zoneId: string, rule: PageRule): Promise<void> {
  await tx.run(query.insertInto('page_rules').values({ id: rule.id, zone_id: zoneId, ...columns(rule) }))
}

export async function updatePageRule(tx: Transaction, rule: PageRule): Promise<void> {
  await tx.run(query.updateTable('page_rules').set(columns(rule)).where('id', '=', rule.id))
}

export async function deletePageRule(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('page_rules').where('id', '=', id))
}

export async function deletePageRules(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('page_rules').where('zone_id', '=', zoneId))
}

function columns(rule: PageRule): Omit<Database['page_rules'], 'id' | 'zone_id'> {
  return {
    priority: rule.priority,
    status: rule.status,
    targets: JSON.stringify(rule.targets),
    actions: JSON.stringify(rule.actions),
    created_on: rule.createdOn,
    modified_on: rule.modifiedOn,
  }
}

function fromRow(row: Database['page_rules']): PageRule {
  return {
    id: row.id,
    targets: JSON.parse(row.targets) as PageRule['targets'], // written by `columns`
    actions: JSON.parse(row.actions) as PageRule['actions'], // as above
    priority: row.priority,
    status: row.status as PageRule['status'], // as above
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  }
}
