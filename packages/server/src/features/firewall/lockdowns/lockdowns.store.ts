// Rows of lockdown rules. An unreadable rule must not silently drop out of decisions: reads that need it fail.
import { query, tables } from '@zonereeve/storage'
import type { ZoneRuleKind } from '../zone-rules/index.ts'

export interface LockdownAddress {
  readonly target: 'ip' | 'ip_range'
  readonly value: string
}

export interface StoredLockdown {
  readonly id: string
  readonly urls: readonly string[]
  readonly configurations: readonly LockdownAddress[]
  /** Lower first, null last. */
  readonly priority: number | null
  readonly description: string
  readonly paused: boolean
  readonly createdOn: string
  readonly modifiedOn: string
}

const rules = tables.lockdowns.beside('zone_id').of<StoredLockdown>()

export const lockdownStore: ZoneRuleKind<StoredLockdown, never>['store'] = {
  of: (db, zoneId) =>
    rules.all(
      db,
      query.selectFrom('lockdowns').selectAll().where('zone_id', '=', zoneId).orderBy('position'),
    ),
  find: (db, zoneId, id) => rules.find(db, { zoneId, id }),
  insert: (tx, zoneId, rule) => rules.insert(tx, { ...rule, zoneId }),
  update: (tx, rule) => rules.update(tx, rule),
  remove: (tx, match) => rules.remove(tx, match),
}
