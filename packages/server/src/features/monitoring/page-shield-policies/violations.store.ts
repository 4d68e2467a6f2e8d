// Counted violations of policies.
import { countRows, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { Violation } from './violations.rules.ts'

const rows = tables.page_shield_violations.beside('zone_id').of<Violation>()

export interface ViolationQuery {
  readonly policyId: string | undefined
  readonly directive: string | undefined
  readonly offset: number
  readonly limit: number
}

/** Most frequent first. */
export async function listViolations(
  db: Reader,
  zoneId: string,
  { policyId, directive, offset, limit }: ViolationQuery,
): Promise<{ violations: Violation[]; totalCount: number }> {
  let desired = query.selectFrom('page_shield_violations').where('zone_id', '=', zoneId)
  if (policyId !== undefined) desired = desired.where('policy_id', '=', policyId)
  if (directive !== undefined) desired = desired.where('directive', '=', directive)
  const ordered = desired
    .selectAll()
    .orderBy('count', 'desc')
    .orderBy('policy_id')
    .orderBy('action')
    .orderBy('directive')
    .orderBy('url')
  return {
    violations: await rows.all(db, ordered.offset(offset).limit(limit)),
    totalCount: await countRows(db, desired),
  }
}

export const countViolations = (db: Reader, zoneId: string): Promise<number> => rows.count(db, { zoneId })

/** The row that counts such violations. */
export const findViolation = (
  db: Reader,
  zoneId: string,
  { policyId, action, directive, url }: Violation,
): Promise<Violation | undefined> => rows.find(db, { zoneId, policyId, action, directive, url })

export const saveViolation = (tx: Transaction, zoneId: string, violation: Violation): Promise<void> =>
  rows.save(tx, { ...violation, zoneId })

/** Of a policy, or of all. */
export const deleteViolations = (tx: Transaction, zoneId: string, policyId?: string): Promise<number> =>
  rows.remove(tx, { zoneId, ...(policyId !== undefined && { policyId }) })

/** In all zones: deletes violations last reported before a time. */
export async function deleteOldViolations(tx: Transaction, before: string): Promise<void> {
  await tx.run(query.deleteFrom('page_shield_violations').where('last_seen_at', '<', before))
}
