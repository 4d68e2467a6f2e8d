// Rows of content-security policies, in the order of their creation.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { Policy } from './page-shield-policies.rules.ts'

export async function policiesOf(db: Reader, zoneId: string): Promise<Policy[]> {
  const rows = await db.all(
    query.selectFrom('page_shield_policies').selectAll().where('zone_id', '=', zoneId).orderBy('position'),
  )
  return rows.map(fromRow)
}

export async function findPolicy(db: Reader, zoneId: string, id: string): Promise<Policy | undefined> {
  const row = await db.first(
    query.selectFrom('page_shield_policies').selectAll().where('id', '=', id).where('zone_id', '=', zoneId),
  )
  return row && fromRow(row)
}

export async function insertPolicy(tx: Transaction, policy: Policy): Promise<void> {
  const { id, zoneId } = policy
  await tx.run(query.insertInto('page_shield_policies').values({ id, zone_id: zoneId, ...columnsOf(policy) }))
}

export async function updatePolicy(tx: Transaction, policy: Policy): Promise<void> {
  await tx.run(query.updateTable('page_shield_policies').set(columnsOf(policy)).where('id', '=', policy.id))
}

export async function deletePolicy(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('page_shield_policies').where('id', '=', id))
}

const columnsOf = ({ description, action, expression, isEnabled, isEnabledText, value }: Policy) => ({
  description,
  action,
  expression,
  enabled: isEnabled ? 1 : 0,
  is_enabled_text: isEnabledText ? 1 : 0,
  value,
})

const fromRow = (row: Omit<Database['page_shield_policies'], 'position'>): Policy => ({
  id: row.id,
  zoneId: row.zone_id,
  description: row.description,
  action: row.action,
  expression: row.expression,
  isEnabled: row.enabled === 1,
  isEnabledText: row.is_enabled_text === 1,
  value: row.value,
})
