// Rows of overrides of the previous managed rules.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { WafOverrideContent } from './waf-overrides.rules.ts'

export interface WafOverride extends WafOverrideContent {
  readonly id: string
}

/** The overrides of a zone, the strongest first. */
export async function wafOverridesOf(db: Reader, zoneId: string): Promise<WafOverride[]> {
  const rows = query.selectFrom('waf_overrides').selectAll().where('zone_id', '=', zoneId)
  return (await db.all(rows.orderBy('priority').orderBy('id'))).map(fromRow)
}

export async function findWafOverride(
  db: Reader,
  zoneId: string,
  id: string,
): Promise<WafOverride | undefined> {
  const rows = query.selectFrom('waf_overrides').selectAll().where('zone_id', '=', zoneId)
  const row = await db.first(rows.where('id', '=', id))
  return row && fromRow(row)
}

export async function insertWafOverride(tx: Transaction, zoneId: string, found: WafOverride): Promise<void> {
  await tx.run(query.insertInto('waf_overrides').values({ id: found.id, zone_id: zoneId, ...columns(found) }))
}

export async function updateWafOverride(tx: Transaction, changed: WafOverride): Promise<void> {
  await tx.run(query.updateTable('waf_overrides').set(columns(changed)).where('id', '=', changed.id))
}

export async function deleteWafOverride(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('waf_overrides').where('id', '=', id))
}

export async function deleteWafOverrides(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('waf_overrides').where('zone_id', '=', zoneId))
}

function columns(override: WafOverride): Omit<Database['waf_overrides'], 'id' | 'zone_id'> {
  return {
    priority: override.priority,
    paused: override.paused ? 1 : 0,
    description: override.description,
    urls: JSON.stringify(override.urls),
    groups: JSON.stringify(override.groups),
    rules: JSON.stringify(override.rules),
    rewrite_action: JSON.stringify(override.rewriteAction),
  }
}

function fromRow(row: Database['waf_overrides']): WafOverride {
  return {
    id: row.id,
    description: row.description,
    urls: JSON.parse(row.urls) as WafOverride['urls'], // written by `columns`
    priority: row.priority,
    groups: JSON.parse(row.groups) as WafOverride['groups'], // as above
    rules: JSON.parse(row.rules) as WafOverride['rules'], // as above
    rewriteAction: JSON.parse(row.rewrite_action) as WafOverride['rewriteAction'], // as above
    paused: row.paused === 1,
  }
}
