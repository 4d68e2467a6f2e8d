// The end of a zone's rulesets.
import type { Transaction } from '../../storage/index.ts'
import { appendOps, type ChangeOp } from '../changes/index.ts'
import { deletionOp } from './change-ops.ts'
import type { Owner } from './ruleset.ts'
import { deleteRuleset, findRuleset, listRulesets } from './rulesets.store.ts'

/** Removes the rulesets of a zone, writing them to the change set at `position`. */
export async function removeZoneRulesets(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const owner: Owner = { level: 'zone', id: zoneId }
  const ops: ChangeOp[] = []
  for (const { id } of await listRulesets(tx, owner)) {
    const ruleset = await findRuleset(tx, owner, id)
    if (ruleset !== undefined) ops.push(deletionOp(ruleset))
    await deleteRuleset(tx, id)
  }
  if (ops.length > 0) await appendOps(tx, position, ops)
}
