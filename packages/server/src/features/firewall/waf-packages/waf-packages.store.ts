// Rows of zones' changes to the catalogue of the legacy managed rules. Defaults have no rows.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { LegacyRuleMode } from '@zonereeve/firewall'
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

type StoredChoice = Omit<WafChoice, 'value'> & { readonly value: unknown }

const choices = tables.waf_choices.beside('zone_id').of<StoredChoice>()

export function allChoicesOf(db: Reader, zoneId: string): Promise<WafChoice[]> {
  const own = query.selectFrom('waf_choices').selectAll().where('zone_id', '=', zoneId)
  const inOrder = own.orderBy('package_id').orderBy('kind').orderBy('object_id')
  return choices.all(db, inOrder, (choice) => choice as WafChoice) // written by saveChoice
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

export const saveChoice = (tx: Transaction, zoneId: string, choice: WafChoice): Promise<void> =>
  choices.save(tx, { ...choice, zoneId })

export const deleteChoice = (
  tx: Transaction,
  zoneId: string,
  { kind, packageId, id }: Pick<WafChoice, 'kind' | 'packageId' | 'id'>,
): Promise<number> => choices.remove(tx, { zoneId, packageId, kind, id })

export const deleteChoices = (tx: Transaction, zoneId: string): Promise<number> =>
  choices.remove(tx, { zoneId })
