// Uses the imported Core Rule Set as the managed OWASP ruleset, from the start, and again when it was replaced.
import { installCoreRuleSet, replaceCoreRuleSet } from '@zonereeve/firewall'
import type { Log } from '@zonereeve/platform'
import type { RuleSet } from '@zonereeve/seclang'
import type { Reader } from '@zonereeve/storage'
import { findCoreRuleSet, findCoreRuleSetId } from './core-rule-set.store.ts'

export interface CoreRuleSetDeps {
  readonly storage: Reader
  readonly log: Log
}

/**
 * Loads the rules, and then follows imports by other processes. A set that cannot be used is logged: at the start the
 * program's own rules are used, because they must not keep a server from starting; later the rules in use stay.
 */
export async function loadCoreRuleSet({ storage, log }: CoreRuleSetDeps) {
  let seen = await findCoreRuleSetId(storage)
  let inUse: RuleSet | undefined
  try {
    inUse = await findCoreRuleSet(storage)
    installCoreRuleSet(inUse)
    if (inUse !== undefined) log.info({ version: inUse.version }, 'core rule set loaded')
  } catch (error) {
    inUse = undefined
    installCoreRuleSet(undefined)
    log.error({ err: error }, 'core rule set not loaded')
  }
  return { follow, inUse: () => inUse }

  /** @returns true if the rules were replaced. */
  async function follow(): Promise<boolean> {
    const id = await findCoreRuleSetId(storage)
    if (id === seen) return false
    seen = id
    try {
      const ruleSet = await findCoreRuleSet(storage)
      await replaceCoreRuleSet(ruleSet)
      inUse = ruleSet
      log.info({ version: ruleSet?.version ?? null }, 'core rule set replaced')
      return true
    } catch (error) {
      log.error({ err: error }, 'core rule set not replaced')
      return false
    }
  }
}
