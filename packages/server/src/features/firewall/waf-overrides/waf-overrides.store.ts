// Rows of overrides of the legacy managed rules. An unreadable override must not silently drop out of
// decisions: reads that need it fail.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { WafOverrideContent } from './waf-overrides.rules.ts'

export interface WafOverride extends WafOverrideContent {
  readonly id: string
}

const overrides = tables.waf_overrides.beside('zone_id').of<WafOverride>()

/** The overrides of a zone, strongest first. */
export function wafOverridesOf(db: Reader, zoneId: string): Promise<WafOverride[]> {
  const rows = query.selectFrom('waf_overrides').selectAll().where('zone_id', '=', zoneId)
  return overrides.all(db, rows.orderBy('priority').orderBy('id'))
}

export const findWafOverride = (db: Reader, zoneId: string, id: string): Promise<WafOverride | undefined> =>
  overrides.find(db, { zoneId, id })

export const insertWafOverride = (tx: Transaction, zoneId: string, override: WafOverride): Promise<void> =>
  overrides.insert(tx, { ...override, zoneId })

export const updateWafOverride = (tx: Transaction, override: WafOverride): Promise<void> =>
  overrides.update(tx, override)

export const deleteWafOverride = (tx: Transaction, id: string): Promise<number> =>
  overrides.remove(tx, { id })

export const deleteWafOverrides = (tx: Transaction, zoneId: string): Promise<number> =>
  overrides.remove(tx, { zoneId })
