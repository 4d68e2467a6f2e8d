// Finds the rulesets that decide about the requests of a zone.
import type { Reader } from '../../storage/index.ts'
import type { Zone } from '../zones/index.ts'
import { DECIDING_PHASES, type Deployment } from './evaluation.rules.ts'
import type { Owner, Ruleset } from './ruleset.ts'
import { findEntryPoint, findRuleset } from './rulesets.store.ts'

/** @param db a transaction, for all of it to be of one moment. */
export async function deploymentOf(db: Reader, zone: Pick<Zone, 'id' | 'accountId'>): Promise<Deployment> {
  const owners: readonly Owner[] = [
    { level: 'account', id: zone.accountId },
    { level: 'zone', id: zone.id },
  ]
  const entryPoints: Ruleset[] = []
  const custom = new Map<string, Ruleset>()
  for (const phase of DECIDING_PHASES)
    for (const owner of owners) {
      const entryPoint = await findEntryPoint(db, owner, phase)
      if (entryPoint === undefined) continue
      entryPoints.push(entryPoint)
      for (const { definition } of entryPoint.rules) {
        const id = definition.action === 'execute' ? String(definition.parameters?.['id']) : undefined
        const found = id === undefined ? undefined : await findRuleset(db, owner, id)
        if (found !== undefined) custom.set(found.id, found)
      }
    }
  return { entryPoints, custom }
}
