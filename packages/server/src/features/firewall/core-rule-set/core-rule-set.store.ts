// The imported Core Rule Set: one setting, as JSON.
import type { RuleSet } from '@zonereeve/seclang'
import { type Reader, settings, type Transaction } from '@zonereeve/storage'

const NAME = 'core_rule_set'

/** Undefined if none was imported. @throws Error if the stored value is not a rule set */
export async function findCoreRuleSet(db: Reader): Promise<RuleSet | undefined> {
  const row = await settings.find(db, { name: NAME })
  if (row === undefined) return undefined
  const value: unknown = JSON.parse(row.value)
  if (!isRuleSet(value)) throw new Error('the stored Core Rule Set cannot be read; import it again')
  return value
}

export const saveCoreRuleSet = (tx: Transaction, ruleSet: RuleSet): Promise<void> =>
  settings.save(tx, { name: NAME, value: JSON.stringify(ruleSet) })

export const removeCoreRuleSet = (tx: Transaction): Promise<unknown> => settings.remove(tx, { name: NAME })

const isRuleSet = (value: unknown): value is RuleSet =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  'items' in value &&
  Array.isArray(value.items) &&
  'lists' in value
