// Rows of page rules. An unreadable rule must not silently drop out of decisions: reads that need it fail.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { PageRuleContent } from './page-rules.rules.ts'

export interface PageRule extends PageRuleContent {
  readonly id: string
  readonly createdOn: string
  readonly modifiedOn: string
}

const pageRules = tables.page_rules.beside('zone_id').of<PageRule>()

/** The page rules of a zone in evaluation order: the highest priority first. */
export function pageRulesOf(db: Reader, zoneId: string): Promise<PageRule[]> {
  const rows = query.selectFrom('page_rules').selectAll().where('zone_id', '=', zoneId)
  return pageRules.all(db, rows.orderBy('priority', 'desc').orderBy('id'))
}

export const findPageRule = (db: Reader, zoneId: string, id: string): Promise<PageRule | undefined> =>
  pageRules.find(db, { zoneId, id })

export const insertPageRule = (tx: Transaction, zoneId: string, rule: PageRule): Promise<void> =>
  pageRules.insert(tx, { ...rule, zoneId })

export const updatePageRule = (tx: Transaction, rule: PageRule): Promise<void> => pageRules.update(tx, rule)

export const deletePageRule = (tx: Transaction, id: string): Promise<number> => pageRules.remove(tx, { id })

export const deletePageRules = (tx: Transaction, zoneId: string): Promise<number> =>
  pageRules.remove(tx, { zoneId })
