// Counted violations of policies.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { Violation } from './violations.rules.ts'

export interface ViolationQuery {
  readonly policyId: string | undefined
  readonly directive: string | undefined
  readonly offset: number
  readonly limit: number
}

/** The most frequent first. */
export async function listViolations(
  db: Reader,
  zoneId: string,
  { policyId, directive, offset, limit }: ViolationQuery,
): Promise<{ violations: Violation[]; totalCount: number }> {
  let wanted = query.selectFrom('page_shield_violations').where('zone_id', '=', zoneId)
  if (policyId !== undefined) wanted = wanted.where('policy_id', '=', policyId)
  if (directive !== undefined) wanted = wanted.where('directive', '=', directive)
  const counted = await db.first(wanted.select(({ fn }) => fn.countAll<number>().as('rows')))
  const ordered = wanted
    .selectAll()
    .orderBy('count', 'desc')
    .orderBy('policy_id')
    .orderBy('action')
    .orderBy('directive')
    .orderBy('url')
  const rows = await db.all(ordered.offset(offset).limit(limit))
  return { violations: rows.map(fromRow), totalCount: counted?.rows ?? 0 }
}

export async function countViolations(db: Reader, zoneId: string): Promise<number> {
  const counted = query
    .selectFrom('page_shield_violations')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
  return (await db.first(counted.where('zone_id', '=', zoneId)))?.rows ?? 0
}

/** The row that counts such violations. */
export async function findViolation(
  db: Reader,
  zoneId: string,
  { policyId, action, directive, url }: Violation,
): Promise<Violation | undefined> {
  const row = await db.first(
    query
      .selectFrom('page_shield_violations')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where('policy_id', '=', policyId)
      .where('action', '=', action)
      .where('directive', '=', directive)
      .where('url', '=', url),
  )
  return row && fromRow(row)
}

export async function saveViolation(tx: Transaction, zoneId: string, violation: Violation): Promise<void> {
  const columns = {
    count: violation.count,
    first_seen_at: violation.firstSeenAt,
    last_seen_at: violation.lastSeenAt,
    last_page_url: violation.lastPageUrl,
  }
  await tx.run(
    query
      .insertInto('page_shield_violations')
      .values({
        zone_id: zoneId,
        policy_id: violation.policyId,
        action: violation.action,
        directive: violation.directive,
        url: violation.url,
        resource_type: violation.resource,
        ...columns,
      })
      .onConflict((conflict) =>
        conflict.columns(['zone_id', 'policy_id', 'action', 'directive', 'url']).doUpdateSet(columns),
      ),
  )
}

export async function deleteViolations(tx: Transaction, zoneId: string, policyId: string): Promise<void> {
  await tx.run(
    query
      .deleteFrom('page_shield_violations')
      .where('zone_id', '=', zoneId)
      .where('policy_id', '=', policyId),
  )
}

/** Of all zones, those that were last reported before a time. */
export async function deleteOldViolations(tx: Transaction, before: string): Promise<void> {
  await tx.run(query.deleteFrom('page_shield_violations').where('last_seen_at', '<', before))
}

const fromRow = (row: Database['page_shield_violations']): Violation => ({
  policyId: row.policy_id,
  action: row.action,
  directive: row.directive,
  url: row.url,
  resource: row.resource_type,
  count: row.count,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  lastPageUrl: row.last_page_url,
})
