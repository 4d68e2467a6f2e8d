// Saves the versions of rulesets: each write checks the rules in their context, creates a version, and appends it to
// the change log, in one transaction.
import { type Actor, type Clock, type Ids, type Issue, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Transaction } from '@zonereeve/storage'
import { append, type ChangeOp } from '../../changes/index.ts'
import { hasLegacyWaf, requireZone } from '../../zones/index.ts'
import { versionOps } from './change-ops.ts'
import type { DesiredRuleset } from './check-rules.ts'
import {
  findManaged,
  type Owner,
  type PhaseName,
  pointerTo,
  type Rule,
  type RuleDraft,
  type Ruleset,
  type RulesetKind,
} from '@zonereeve/firewall'
import type { OwnerState } from './ruleset-scope.rules.ts'
import { regexQuotaIssues, ruleQuotaIssues } from './quota.rules.ts'
import { knownLists, type KnownLists } from '../lists/index.ts'
import { listIssues, namesList } from './list-names.rules.ts'
import { referenceIssues, repeatedExecutions } from './references.rules.ts'
import { findReferences } from './references.service.ts'
import { isSameRuleset, mergeRules } from './rule-list.rules.ts'
import { addVersion, allRules, countOtherRules, insertRuleset } from './rulesets.store.ts'

export interface RulesetVersionsDeps {
  readonly clock: Clock
  readonly ids: Ids
  /** Whether the zone has completed the migration from the legacy managed rules. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export type RulesetVersions = ReturnType<typeof createRulesetVersions>

/** Name of an entry point that was created without one. */
const DEFAULT_NAME = 'default'
/** The phase of the rulesets that replace the legacy managed rules. */
const MIGRATED_PHASE = 'http_request_firewall_managed'

export function createRulesetVersions({ clock, ids, isMigrated }: RulesetVersionsDeps) {
  return { save, write, draftIssues, emptyRuleset }

  /** Saves the desired content over `before` (version 0 for a new ruleset). */
  async function save(
    tx: Transaction,
    state: OwnerState,
    before: Ruleset,
    desired: DesiredRuleset,
    actor: Actor,
    migration?: readonly ChangeOp[],
  ): Promise<Ruleset> {
    const isMigrating = migration !== undefined
    const { name = before.name, description = before.description, drafts } = desired
    const at = clock.timestamp()
    const issues = [...desired.issues]
    let { rules } = before
    if (drafts !== undefined) {
      const past = drafts.some(({ id }) => id !== undefined) ? await allRules(tx, before.id) : []
      const merged = mergeRules(drafts, { present: before.rules, past, at, newId: ids.id })
      ;({ rules } = merged)
      issues.push(...merged.issues, ...(await draftIssues(tx, state, before, drafts, [], isMigrating)))
    }
    const after = { ...before, name, description, rules, lastUpdated: at }
    return write(tx, state, before, after, issues, actor, migration)
  }

  /** Writes the next version, unless nothing changed. */
  async function write(
    tx: Transaction,
    state: OwnerState,
    before: Ruleset,
    after: Ruleset,
    issues: readonly Issue[],
    actor: Actor,
    alongside: readonly ChangeOp[] = [],
  ): Promise<Ruleset> {
    const { owner } = state
    throwIfIssues([...issues, ...(await quotaIssues(tx, state, before, after.rules))])
    if (before.version > 0 && isSameRuleset(before, after)) {
      await append(tx, { scopeId: owner.id, actor, at: after.lastUpdated }, alongside)
      return before
    }
    const next: Ruleset = { ...after, version: before.version + 1 }
    if (before.version === 0) await insertRuleset(tx, next)
    else await addVersion(tx, next)
    const ops = versionOps(before.version === 0 ? undefined : before, next)
    await append(tx, { scopeId: owner.id, actor, at: next.lastUpdated }, [...ops, ...alongside])
    return next
  }

  /**
   * Issues of rules in their context.
   * @param others other rules of the ruleset, which stay.
   */
  async function draftIssues(
    db: Reader,
    { owner, plan }: OwnerState,
    { phase, kind }: Ruleset,
    drafts: readonly RuleDraft[],
    others: readonly Rule[],
    isMigrating = false,
  ): Promise<Issue[]> {
    const context = { find: await findReferences(db, owner, drafts), phase, kind }
    const naming = drafts.filter(namesList)
    const known: KnownLists =
      naming.length === 0 ? new Map() : await knownLists(db, await accountOf(db, owner))
    const issues = [
      ...naming.flatMap((draft) => listIssues(draft, { phase, level: owner.level, known })),
      ...drafts.flatMap((draft) => referenceIssues(draft, context)),
      ...repeatedExecutions(drafts, context, others),
    ]
    // Only enterprise zones may run both products, to test the new one.
    const hasLegacyProduct = owner.level === 'zone' && hasLegacyWaf(plan) && plan !== 'enterprise'
    if (!hasLegacyProduct || isMigrating) return issues
    const acting = drafts.filter(
      ({ definition: { action, enabled, parameters } }) =>
        action === 'execute' && enabled && findManaged(String(parameters?.['id']))?.phase === MIGRATED_PHASE,
    )
    if (acting.length === 0 || (await isMigrated(db, owner.id))) return issues
    return [
      ...issues,
      ...acting.map(({ at }): Issue => ({
        reason: 'ruleset.old_product',
        pointer: pointerTo(at, 'enabled'),
      })),
    ]
  }

  function emptyRuleset(owner: Owner, kind: RulesetKind, phase: PhaseName): Ruleset {
    const head = { id: ids.id(), owner, kind, phase, name: DEFAULT_NAME, description: '' }
    return { ...head, version: 0, lastUpdated: '', rules: [] }
  }
}

/** @throws DomainError: zone.unknown. */
const accountOf = async (db: Reader, { level, id }: Owner): Promise<string> =>
  level === 'account' ? id : (await requireZone(db, id)).accountId

/** Quota issues of a ruleset with these rules. A ruleset that does not grow may stay above its limit. */
export async function quotaIssues(
  db: Reader,
  { owner, plan }: OwnerState,
  { id, phase, kind, version, rules: present }: Ruleset,
  rules: readonly { readonly regexBytes: number }[],
): Promise<readonly Issue[]> {
  const regexBytes = rules.reduce((sum, rule) => sum + rule.regexBytes, 0)
  if (rules.length <= present.length && version > 0) return regexQuotaIssues(regexBytes)
  const others = await countOtherRules(db, owner, phase, id)
  const quotas = ruleQuotaIssues({ level: owner.level, plan, phase, kind }, rules.length, others)
  return [...quotas, ...regexQuotaIssues(regexBytes)]
}
