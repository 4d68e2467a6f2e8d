// The imported Core Rule Set: one setting, as JSON, and one that tells imports apart.
import type { RuleSet } from '@zonereeve/seclang'
import { type Reader, settings, type Transaction } from '@zonereeve/storage'

const NAME = 'core_rule_set'
/** Changes with each import and removal; absent before the first one of a version that writes it. */
const ID_NAME = 'core_rule_set_id'

/** Undefined if none was imported. @throws Error if the stored value is not a rule set */
export async function findCoreRuleSet(db: Reader): Promise<RuleSet | undefined> {
  const row = await settings.find(db, { name: NAME })
  if (row === undefined) return undefined
  const value: unknown = JSON.parse(row.value)
  if (!isRuleSet(value)) throw new Error('the stored Core Rule Set cannot be read; import it again')
  return value
}

/** Identifies the import or removal that the rules are from. */
export const findCoreRuleSetId = async (db: Reader): Promise<string | undefined> =>
  (await settings.find(db, { name: ID_NAME }))?.value

/** @param id differs from that of any other import or removal. */
export async function saveCoreRuleSet(tx: Transaction, ruleSet: RuleSet, id: string): Promise<void> {
  await settings.save(tx, { name: NAME, value: JSON.stringify(ruleSet) })
  await settings.save(tx, { name: ID_NAME, value: id })
}

export async function removeCoreRuleSet(tx: Transaction, id: string): Promise<void> {
  await settings.remove(tx, { name: NAME })
  await settings.save(tx, { name: ID_NAME, value: id })
}

const isRuleSet = (value: unknown): value is RuleSet =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  'items' in value &&
  Array.isArray(value.items) &&
  'lists' in value
