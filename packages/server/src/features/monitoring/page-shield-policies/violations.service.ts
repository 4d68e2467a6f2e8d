// Violations of a zone's policies, counted as they are reported.
import type { Transaction } from '@zonereeve/storage'
import { policiesOf } from './page-shield-policies.store.ts'
import {
  MAX_VIOLATION_ROWS,
  mergeViolations,
  toViolation,
  VIOLATION_DAYS,
  type PolicyReport,
  type Violation,
} from './violations.rules.ts'
import { countViolations, deleteOldViolations, findViolation, saveViolation } from './violations.store.ts'

/**
 * Counts reported violations, in the collector's transaction. Ignores reports of unknown or deleted policies.
 * @returns the number of reports counted.
 */
export async function countReports(
  tx: Transaction,
  zoneId: string,
  reports: readonly PolicyReport[],
): Promise<number> {
  const policies = await policiesOf(tx, zoneId)
  let rows = await countViolations(tx, zoneId)
  let counted = 0
  for (const report of reports) {
    const policy = policies.find(({ id }) => id === report.policyId)
    const violation = policy && toViolation(report, policy.action === 'allow' ? 'allow' : 'log')
    if (violation === undefined) continue
    counted += violation.count
    rows += await add(tx, zoneId, violation, rows)
  }
  return counted
}

/** @returns the number of rows added. */
async function add(tx: Transaction, zoneId: string, violation: Violation, rows: number): Promise<number> {
  const known = await findViolation(tx, zoneId, violation)
  if (known !== undefined) {
    await saveViolation(tx, zoneId, mergeViolations(known, violation))
    return 0
  }
  if (rows < MAX_VIOLATION_ROWS || violation.url === '') {
    await saveViolation(tx, zoneId, violation)
    return 1
  }
  return add(tx, zoneId, { ...violation, url: '' }, rows)
}

const DAY_MS = 86_400_000

/** Deletes violations that were not reported for a while, in all zones. */
export async function forgetViolations(tx: Transaction, nowMs: number): Promise<void> {
  await deleteOldViolations(tx, new Date(nowMs - VIOLATION_DAYS * DAY_MS).toISOString())
}
