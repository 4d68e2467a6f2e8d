// Deletes the rulesets of a deleted zone.
import type { Owner } from '@zonereeve/firewall'
import type { ChangeOp } from '../../changes/index.ts'
import type { ZoneContents } from '../../zones/index.ts'
import { deletionOp } from './change-ops.ts'
import { deleteRuleset, findRuleset, listRulesets } from './rulesets.store.ts'

export const zoneRulesets: ZoneContents = {
  name: 'rulesets',
  async operations(db, zoneId) {
    const ops: ChangeOp[] = []
    for (const { id } of await listRulesets(db, ownerOf(zoneId))) {
      const ruleset = await findRuleset(db, ownerOf(zoneId), id)
      if (ruleset !== undefined) ops.push(deletionOp(ruleset))
    }
    return ops
  },
  async remove(tx, zoneId) {
    for (const { id } of await listRulesets(tx, ownerOf(zoneId))) await deleteRuleset(tx, id)
  },
}

const ownerOf = (zoneId: string): Owner => ({ level: 'zone', id: zoneId })
