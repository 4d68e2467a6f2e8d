// Rows of content-security policies, in the order of their creation.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { Policy } from './page-shield-policies.rules.ts'

const policies = tables.page_shield_policies.of<Policy>()

export const policiesOf = (db: Reader, zoneId: string): Promise<Policy[]> =>
  policies.all(
    db,
    query.selectFrom('page_shield_policies').selectAll().where('zone_id', '=', zoneId).orderBy('position'),
  )

export const findPolicy = (db: Reader, zoneId: string, id: string): Promise<Policy | undefined> =>
  policies.find(db, { id, zoneId })

export const insertPolicy = (tx: Transaction, policy: Policy): Promise<void> => policies.insert(tx, policy)

export const updatePolicy = (tx: Transaction, policy: Policy): Promise<void> => policies.update(tx, policy)

export const deletePolicy = (tx: Transaction, id: string): Promise<number> => policies.remove(tx, { id })

export const deletePolicies = (tx: Transaction, zoneId: string): Promise<number> =>
  policies.remove(tx, { zoneId })
