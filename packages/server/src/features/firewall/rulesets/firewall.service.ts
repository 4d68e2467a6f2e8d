// The rulesets that decide about requests to a zone, compiled once per version.
import { BoundedMap, runInChunks } from '@zonereeve/cooperate'
import type { Reader, Storage } from '@zonereeve/storage'
import { requireZone } from '../../zones/index.ts'
import {
  type CompiledRuleset,
  compileRuleset,
  coreRuleSet,
  EFFECTIVE_PHASES,
  type Firewall,
  type Owner,
  type PhaseName,
  type RulesetSummary,
  type Stage,
} from '@zonereeve/firewall'
import { findRuleset, listRulesets } from './rulesets.store.ts'

/** Maximum compiled rulesets in the cache; the least recently used one is evicted first. */
const MAX_COMPILED = 1_000

export type Firewalls = ReturnType<typeof createFirewalls>

export function createFirewalls({ storage }: { readonly storage: Storage }) {
  const compiled = new BoundedMap<string, CompiledRuleset>(MAX_COMPILED)
  return { of, forgetAll: () => compiled.clear() }

  /**
   * The zone's current firewall.
   * @throws DomainError: zone.unknown.
   */
  async function of(zoneId: string, db: Reader = storage): Promise<Firewall> {
    const { accountId } = await requireZone(db, zoneId)
    const account = await deciding(db, { level: 'account', id: accountId })
    const zone = await deciding(db, { level: 'zone', id: zoneId })
    return {
      entryPoints: { account: entryPointsOf(account), zone: entryPointsOf(zone) },
      custom: new Map(
        [...account, ...zone].filter(({ isEntry }) => !isEntry).map(({ rules }) => [rules.id, rules]),
      ),
    }
  }

  async function deciding(db: Reader, owner: Owner): Promise<readonly CachedRuleset[]> {
    const found: CachedRuleset[] = []
    for (const summary of await listRulesets(db, owner)) {
      if (!isEffective(summary.phase)) continue
      const rules = await compile(db, owner, summary)
      if (rules !== undefined) found.push({ rules, isEntry: summary.kind !== 'custom' })
    }
    return found
  }

  async function compile(
    db: Reader,
    owner: Owner,
    { id, version }: RulesetSummary,
  ): Promise<CompiledRuleset | undefined> {
    const coreRules = coreRuleSet()
    const known = compiled.get(id)
    const isPresent = known?.version === version
    const ruleset = isPresent ? undefined : await findRuleset(db, owner, id)
    const rules = isPresent ? known : ruleset && (await runInChunks(compileRuleset(ruleset)))
    if (rules === undefined) compiled.delete(id) // deleted in the meantime
    // Managed rules may have been replaced in the meantime.
    else if (coreRuleSet() === coreRules) compiled.set(id, rules)
    return rules
  }
}

interface CachedRuleset {
  readonly rules: CompiledRuleset
  readonly isEntry: boolean
}

const isEffective = (phase: PhaseName): boolean => EFFECTIVE_PHASES.includes(phase)

const entryPointsOf = (entries: readonly CachedRuleset[]): ReadonlyMap<Stage, CompiledRuleset> =>
  new Map(entries.filter(({ isEntry }) => isEntry).map(({ rules }) => [rules.phase, rules]))
