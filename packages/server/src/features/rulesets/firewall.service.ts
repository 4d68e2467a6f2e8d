// The rulesets that decide about requests to a zone, compiled once for each version.
import type { Reader, Storage } from '../../storage/index.ts'
import { demandZone } from '../zones/index.ts'
import { compileRulesetInSlices, type CompiledRuleset } from './compiled-ruleset.ts'
import type { Firewall } from './evaluate-request.ts'
import { DECIDING_PHASES, type PhaseName } from './phases.ts'
import type { Owner, RulesetSummary } from './ruleset.ts'
import { findRuleset, listRulesets } from './rulesets.store.ts'

/** Rulesets that are kept compiled; the one that was asked for longest ago goes first. */
const MAX_COMPILED = 1_000

export type Firewalls = ReturnType<typeof createFirewalls>

export function createFirewalls({ storage }: { readonly storage: Storage }) {
  const compiled = new Map<string, CompiledRuleset>()
  return { of }

  /** What decides about the zone's requests now. @throws DomainError: zone.unknown. */
  async function of(zoneId: string, db: Reader = storage): Promise<Firewall> {
    const { accountId } = await demandZone(db, zoneId)
    const account = await deciding(db, { level: 'account', id: accountId })
    const zone = await deciding(db, { level: 'zone', id: zoneId })
    return {
      entryPoints: { account: entryPointsOf(account), zone: entryPointsOf(zone) },
      custom: new Map(
        [...account, ...zone].filter(({ isEntry }) => !isEntry).map(({ rules }) => [rules.id, rules]),
      ),
    }
  }

  async function deciding(db: Reader, owner: Owner): Promise<readonly Entry[]> {
    const found: Entry[] = []
    for (const summary of await listRulesets(db, owner)) {
      if (!isDeciding(summary.phase)) continue
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
    const known = compiled.get(id)
    compiled.delete(id)
    const isPresent = known?.version === version
    const ruleset = isPresent ? undefined : await findRuleset(db, owner, id)
    const rules = isPresent ? known : ruleset && (await compileRulesetInSlices(ruleset))
    if (rules === undefined) return undefined // deleted meanwhile
    compiled.set(id, rules)
    if (compiled.size > MAX_COMPILED) {
      const [oldest] = compiled.keys()
      if (oldest !== undefined) compiled.delete(oldest)
    }
    return rules
  }
}

interface Entry {
  readonly rules: CompiledRuleset
  readonly isEntry: boolean
}

const isDeciding = (phase: PhaseName): boolean => (DECIDING_PHASES as readonly string[]).includes(phase) // to look one up

const entryPointsOf = (entries: readonly Entry[]): ReadonlyMap<PhaseName, CompiledRuleset> =>
  new Map(entries.filter(({ isEntry }) => isEntry).map(({ rules }) => [rules.phase, rules]))
