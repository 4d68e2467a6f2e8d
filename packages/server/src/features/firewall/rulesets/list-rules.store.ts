// Rows of rules that may name a list.
import { exactTextMatch, query, type Reader, sql } from '@zonereeve/storage'
import type { Owner, PhaseName, Rule } from '@zonereeve/firewall'
import { type ListScope, zonesIn } from '../lists/index.ts'
import { findRuleset } from './rulesets.store.ts'

export interface PlacedRule {
  readonly rule: Rule
  readonly phase: PhaseName
  readonly level: Owner['level']
}

/** The rules in effect of rulesets of which any version may name a list. */
export async function rulesWithLists(db: Reader, scope: ListScope): Promise<readonly PlacedRule[]> {
  const definition = sql.ref<string>('definition')
  const naming = query
    .selectFrom('ruleset_rules')
    .select('ruleset_id')
    .where((eb) =>
      eb.or([
        exactTextMatch(definition, '$', 'anywhere'),
        exactTextMatch(definition, '"from_list"', 'anywhere'),
      ]),
    )
  const rows = query
    .selectFrom('rulesets')
    .select(['id', 'zone_id'])
    .where('id', 'in', naming)
    .where((eb) => eb.or([eb('account_id', '=', scope.accountId), eb('zone_id', 'in', zonesIn(scope))]))
    .orderBy('position')
  const found: PlacedRule[] = []
  for (const { id, zone_id: zoneId } of await db.all(rows)) {
    const owner: Owner =
      zoneId === null ? { level: 'account', id: scope.accountId } : { level: 'zone', id: zoneId }
    const ruleset = await findRuleset(db, owner, id)
    if (ruleset === undefined) continue
    for (const rule of ruleset.rules) found.push({ rule, phase: ruleset.phase, level: owner.level })
  }
  return found
}
