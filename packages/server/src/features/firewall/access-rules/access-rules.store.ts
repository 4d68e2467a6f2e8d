// Rows of IP access rules. An unreadable rule must not silently drop out of decisions: reads that need it fail.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { AccessMode, AccessTarget } from '@zonereeve/firewall'

/** Whose rules: a zone's, an account's, or those of all zones. */
export type AccessScope =
  | { readonly kind: 'zone' | 'account'; readonly id: string }
  | { readonly kind: 'user' }

export interface StoredAccessRule {
  readonly id: string
  readonly target: AccessTarget
  /** As `readAccessValue` returns it. */
  readonly value: string
  readonly mode: AccessMode
  readonly notes: string
  readonly createdOn: string
  readonly modifiedOn: string
}

const rules = tables.access_rules.beside('zone_id', 'account_id').of<StoredAccessRule>()

/** Oldest first. */
export const accessRulesOf = (db: Reader, scope: AccessScope): Promise<StoredAccessRule[]> =>
  rules.all(db, rowsOf(scope).orderBy('position'))

export const findAccessRule = (
  db: Reader,
  scope: AccessScope,
  id: string,
): Promise<StoredAccessRule | undefined> => rules.first(db, rowsOf(scope).where('id', '=', id))

export const findSameAccessRule = (
  db: Reader,
  scope: AccessScope,
  { target, value }: Pick<StoredAccessRule, 'target' | 'value'>,
): Promise<StoredAccessRule | undefined> =>
  rules.first(db, rowsOf(scope).where('target', '=', target).where('value', '=', value))

export async function countAccessRules(db: Reader, scope: AccessScope): Promise<number> {
  const counted = await db.first(
    rowsOf(scope)
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('count')),
  )
  return Number(counted?.count)
}

export const insertAccessRule = (
  tx: Transaction,
  scope: AccessScope,
  rule: StoredAccessRule,
): Promise<void> =>
  rules.insert(tx, {
    ...rule,
    zoneId: scope.kind === 'zone' ? scope.id : null,
    accountId: scope.kind === 'account' ? scope.id : null,
  })

export const updateAccessRule = (tx: Transaction, rule: StoredAccessRule): Promise<void> =>
  rules.update(tx, rule)

export const deleteAccessRule = (tx: Transaction, id: string): Promise<number> => rules.remove(tx, { id })

export const deleteAccessRules = (tx: Transaction, zoneId: string): Promise<number> =>
  rules.remove(tx, { zoneId })

function rowsOf(scope: AccessScope) {
  const all = query.selectFrom('access_rules').selectAll()
  if (scope.kind === 'zone') return all.where('zone_id', '=', scope.id)
  if (scope.kind === 'account') return all.where('account_id', '=', scope.id)
  return all.where('zone_id', 'is', null).where('account_id', 'is', null)
}
