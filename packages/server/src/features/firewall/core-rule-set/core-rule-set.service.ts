// Uses the imported Core Rule Set as the managed OWASP ruleset.
import { installCoreRuleSet } from '@zonereeve/firewall'
import type { Log } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { findCoreRuleSet } from './core-rule-set.store.ts'

/** A set that cannot be used is logged, and the program's own rules are used: they must not keep a server from starting. */
export async function loadCoreRuleSet(db: Reader, log: Log): Promise<void> {
  try {
    const ruleSet = await findCoreRuleSet(db)
    installCoreRuleSet(ruleSet)
    if (ruleSet !== undefined) log.info({ version: ruleSet.version }, 'core rule set loaded')
  } catch (error) {
    installCoreRuleSet(undefined)
    log.error({ error }, 'core rule set not loaded')
  }
}
