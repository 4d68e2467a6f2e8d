// What zones have chosen otherwise than the catalogue of the previous managed rules has it. Defaults have no rows.
import { query, type Reader, type Transaction } from '../../storage/index.ts'
import type { LegacyRuleMode } from '../managed-rules/index.ts'
import type { GroupMode, ScoreSettings, WafChoices } from './waf-packages.rules.ts'

export type WafChoice =
  | {
      readonly kind: 'package'
      readonly packageId: string
      readonly id: string
      readonly value: ScoreSettings
    }
  | { readonly kind: 'group'; readonly packageId: string; readonly id: string; readonly value: GroupMode }
  | { readonly kind: 'rule'; readonly packageId: string; readonly id: string; readonly value: LegacyRuleMode }

export async function allChoicesOf(db: Reader, zoneId: string): Promise<WafChoice[]> {
  const rows = await db.all(
    query
      .selectFrom('waf_choices')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .orderBy('package_id')
      .orderBy('kind')
      .orderBy('object_id'),
  )
  return rows.map(
    ({ kind, package_id: packageId, object_id: id, choice }) =>
      ({ kind, packageId, id, value: JSON.parse(choice) as unknown }) as WafChoice, // written by saveChoice
  )
}

export async function choicesOf(db: Reader, zoneId: string): Promise<WafChoices> {
  const packages = new Map<string, ScoreSettings>()
  const groups = new Map<string, GroupMode>()
  const rules = new Map<string, LegacyRuleMode>()
  for (const choice of await allChoicesOf(db, zoneId)) {
    if (choice.kind === 'package') packages.set(choice.id, choice.value)
    else if (choice.kind === 'group') groups.set(choice.id, choice.value)
    else rules.set(choice.id, choice.value)
  }
  return { packages, groups, rules }
}

export async function saveChoice(
  tx: Transaction,
  zoneId: string,
  { kind, packageId, id, value }: WafChoice,
): Promise<void> {
  const choice = JSON.stringify(value)
  await tx.run(
    query
      .insertInto('waf_choices')
      .values({ zone_id: zoneId, package_id: packageId, kind, object_id: id, choice })
      .onConflict((conflict) =>
        conflict.columns(['zone_id', 'package_id', 'kind', 'object_id']).doUpdateSet({ choice }),
      ),
  )
}

export async function deleteChoice(
  tx: Transaction,
  zoneId: string,
  { kind, packageId, id }: Pick<WafChoice, 'kind' | 'packageId' | 'id'>,
): Promise<void> {
  await tx.run(
    query
      .deleteFrom('waf_choices')
      .where('zone_id', '=', zoneId)
      .where('package_id', '=', packageId)
      .where('kind', '=', kind)
      .where('object_id', '=', id),
  )
}

export async function deleteChoices(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('waf_choices').where('zone_id', '=', zoneId))
}
