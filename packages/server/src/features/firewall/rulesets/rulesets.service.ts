// Writes to rulesets of zones and accounts: each write creates a version, in one transaction with its change
// set.
import type { Actor } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import { DomainError, throwIfIssues, type Issue } from '../../../platform/domain-error.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../../storage/index.ts'
import { append, type ChangeOp } from '../../changes/index.ts'
import { hasLegacyWaf } from '../../zones/index.ts'
import { deletionOp, versionDeletionOp, versionOps } from './change-ops.ts'
import { checkRules } from './check-rules.ts'
import {
  ENTRY_POINT_KIND,
  findManaged,
  type Owner,
  type PhaseName,
  pointerTo,
  type Rule,
  type RuleDraft,
  type Ruleset,
  type RulesetKind,
  valueIssue,
} from '@zonereeve/firewall'
import { phaseIssues, readScope, isSameScope, type OwnerState } from './ruleset-scope.rules.ts'
import { requireOwner, requirePhase } from './owner.service.ts'
import { regexQuotaIssues, ruleQuotaIssues, rulesetQuotaIssues } from './quota.rules.ts'
import { createReadRulesets, requireRuleset, requireVersion } from './read-rulesets.service.ts'
import { referenceIssues, repeatedExecutions } from './references.rules.ts'
import { findReferences } from './references.service.ts'
import { isSameRuleset, mergeRule, mergeRules, otherRuleIssues, placeRule } from './rule-list.rules.ts'
import {
  addVersion,
  allRules,
  countOtherRules,
  deleteRuleset,
  deleteVersion,
  findEntryPoint,
  findRuleset,
  insertRuleset,
  listRulesets,
} from './rulesets.store.ts'
import type { SentRule, SentRuleset } from './sent-rule.ts'

export interface RulesetsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** Whether the zone has completed the migration from the legacy managed rules. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export type Rulesets = ReturnType<typeof createRulesets>

/** The desired content of a ruleset; undefined members stay unchanged. */
export interface DesiredRuleset {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly drafts: readonly RuleDraft[] | undefined
  /** Issues of the ruleset by itself, without its context. */
  readonly issues: readonly Issue[]
}

/** Name of an entry point that was created without one. */
const DEFAULT_NAME = 'default'

export function createRulesets({ storage, clock, ids, isMigrated }: RulesetsDeps) {
  return {
    ...createReadRulesets(storage),
    create,
    update,
    remove,
    addRule,
    editRule,
    removeRule,
    removeVersion,
    updateEntryPoint,
    checkEntryPoint,
    saveEntryPoint,
    migrationIssues,
  }

  /** @throws DomainError: all issues of the ruleset and its rules. */
  async function create(owner: Owner, sent: SentRuleset, actor: Actor): Promise<Ruleset> {
    const state = await requireOwner(storage, owner)
    const { kind, phase, issues } = readScope(sent, state)
    if (kind === undefined || phase === undefined)
      throw new DomainError(nonEmpty([...sent.issues, ...issues]))
    const desired = await check(sent, state, kind, phase)
    return storage.write(async (tx) => {
      const existing = kind === 'custom' ? undefined : await findEntryPoint(tx, owner, phase)
      const taken: Issue[] =
        existing === undefined
          ? []
          : [{ reason: 'ruleset.kind_taken', pointer: '/kind', values: { kind, phase } }]
      const present = await listRulesets(tx, owner)
      const custom = present.filter((ruleset) => ruleset.kind === 'custom').length
      const all = [...issues, ...desired.issues, ...taken, ...rulesetQuotaIssues(kind, custom)]
      return save(tx, state, emptyRuleset(owner, kind, phase), { ...desired, issues: all }, actor)
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, and all issues of the ruleset. */
  async function update(owner: Owner, id: string, sent: SentRuleset, actor: Actor): Promise<Ruleset> {
    const { kind, phase } = await requireOwn(storage, owner, id)
    const state = await requireOwner(storage, owner)
    const scopeIssues = [...isSameScope('kind', sent.kind, kind), ...isSameScope('phase', sent.phase, phase)]
    const desired = await check(sent, state, kind, phase)
    return storage.write(async (tx) => {
      const before = await requireOwn(tx, owner, id)
      return save(tx, state, before, { ...desired, issues: [...scopeIssues, ...desired.issues] }, actor)
    })
  }

  /** @throws DomainError: ruleset.unknown_phase, ruleset.phase, and all issues of the ruleset. */
  async function updateEntryPoint(
    owner: Owner,
    phaseText: string,
    sent: SentRuleset,
    actor: Actor,
  ): Promise<Ruleset> {
    const phase = requirePhase(phaseText)
    const desired = await checkEntryPoint(owner, phase, sent)
    return storage.write((tx) => saveEntryPoint(tx, owner, phase, desired, actor))
  }

  /**
   * Does the checks that can run before the transaction of {@link saveEntryPoint}, to keep it short.
   *
   * @param db the transaction, if there is one already.
   */
  async function checkEntryPoint(
    owner: Owner,
    phase: PhaseName,
    sent: SentRuleset,
    db: Reader = storage,
  ): Promise<DesiredRuleset> {
    return check(sent, await requireOwner(db, owner), ENTRY_POINT_KIND[owner.level], phase)
  }

  /**
   * Saves an entry point within the caller's transaction.
   *
   * @param migration further operations of the change set if the write also migrates the zone from the legacy
   * managed rules.
   * @throws DomainError: all issues of the entry point.
   */
  async function saveEntryPoint(
    tx: Transaction,
    owner: Owner,
    phase: PhaseName,
    desired: DesiredRuleset,
    actor: Actor,
    migration?: readonly ChangeOp[],
  ): Promise<Ruleset> {
    const state = await requireOwner(tx, owner)
    const before = await findEntryPoint(tx, owner, phase)
    const target = before ?? emptyRuleset(owner, ENTRY_POINT_KIND[owner.level], phase)
    const issues = [...phaseIssues(state, phase), ...desired.issues]
    return save(tx, state, target, { ...desired, issues }, actor, migration)
  }

  /** All issues for which {@link saveEntryPoint} would reject an entry point as part of a migration. */
  async function migrationIssues(
    db: Reader,
    owner: Owner,
    phase: PhaseName,
    sent: SentRuleset,
  ): Promise<readonly Issue[]> {
    const state = await requireOwner(db, owner)
    const { drafts = [], issues } = await checkEntryPoint(owner, phase, sent, db)
    const before =
      (await findEntryPoint(db, owner, phase)) ?? emptyRuleset(owner, ENTRY_POINT_KIND[owner.level], phase)
    return [
      ...phaseIssues(state, phase),
      ...issues,
      ...(await draftIssues(db, state, before, drafts, [], true)),
      ...(await quotaIssues(db, state, before, drafts)),
    ]
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, and all issues of the rule. */
  async function addRule(owner: Owner, id: string, sent: SentRule, actor: Actor): Promise<Ruleset> {
    const found = await requireOwn(storage, owner, id)
    const state = await requireOwner(storage, owner)
    const checked = await checkRules([sent], { ...found, level: owner.level, plan: state.plan })
    return storage.write(async (tx) => {
      const before = await requireOwn(tx, owner, id)
      const at = clock.timestamp()
      const past = await allRules(tx, id)
      const merged = mergeRules(checked.drafts, { present: [], past, at, newId: ids.id })
      const issues = [...checked.issues, ...merged.issues]
      const rules = merged.rules.flatMap((rule) => {
        const twice = before.rules.find((other) => other.id === rule.id || other.ref === rule.ref)
        const member = twice?.id === rule.id ? 'id' : 'ref'
        if (twice !== undefined)
          issues.push(valueIssue(pointerTo(sent.at, member), rule[member], 'another rule has it'))
        const placed = placeRule(before.rules, rule, sent.position, sent.at)
        if ('reason' in placed) issues.push(placed)
        return 'reason' in placed || twice !== undefined ? [] : placed
      })
      issues.push(...(await draftIssues(tx, state, before, checked.drafts, before.rules)))
      return write(tx, state, before, { ...before, rules, lastUpdated: at }, issues, actor)
    })
  }

  /**
   * Changes the definition of a rule, its position, or both.
   *
   * @throws DomainError: ruleset.unknown, ruleset.rule_unknown, ruleset.managed, and all issues of the rule.
   */
  async function editRule(
    owner: Owner,
    id: string,
    ruleId: string,
    sent: SentRule,
    actor: Actor,
  ): Promise<Ruleset> {
    const found = await requireOwn(storage, owner, id)
    requireRule(found, ruleId)
    const state = await requireOwner(storage, owner)
    const movesOnly = sent.sent.size === 1 && sent.sent.has('position')
    const context = { ...found, level: owner.level, plan: state.plan }
    const checked = movesOnly ? { drafts: [], issues: sent.issues } : await checkRules([sent], context)
    return storage.write(async (tx) => {
      const before = await requireOwn(tx, owner, id)
      const rule = requireRule(before, ruleId)
      const at = clock.timestamp()
      const issues = [...checked.issues, ...otherRuleIssues(sent, rule, before)]
      const [draft] = checked.drafts
      const edited = draft === undefined ? rule : mergeRule(draft, rule, { at, newId: ids.id })
      const placed = placeRule(
        before.rules.map((other) => (other.id === ruleId ? edited : other)),
        edited,
        sent.position,
        sent.at,
      )
      if ('reason' in placed) issues.push(placed)
      const others = before.rules.filter((other) => other.id !== ruleId)
      issues.push(...(await draftIssues(tx, state, before, checked.drafts, others)))
      const rules = 'reason' in placed ? before.rules : placed
      return write(tx, state, before, { ...before, rules, lastUpdated: at }, issues, actor)
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.rule_unknown, ruleset.managed. */
  function removeRule(owner: Owner, id: string, ruleId: string, actor: Actor): Promise<Ruleset> {
    return storage.write(async (tx) => {
      const state = await requireOwner(tx, owner)
      const before = await requireOwn(tx, owner, id)
      requireRule(before, ruleId)
      const rules = before.rules.filter((rule) => rule.id !== ruleId)
      return write(tx, state, before, { ...before, rules, lastUpdated: clock.timestamp() }, [], actor)
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, ruleset.in_use. */
  function remove(owner: Owner, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await requireOwn(tx, owner, id)
      if (before.kind === 'custom') await requireUnused(tx, owner, id)
      await deleteRuleset(tx, id)
      await append(tx, { scopeId: owner.id, actor }, [deletionOp(before)])
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, ruleset.version_unknown, ruleset.version_present. */
  function removeVersion(owner: Owner, id: string, desired: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const { version: present } = await requireOwn(tx, owner, id)
      const before = await requireVersion(tx, owner, id, desired)
      const { version } = before
      if (version === present)
        throw new DomainError({ reason: 'ruleset.version_present', values: { version } })
      await deleteVersion(tx, id, version)
      await append(tx, { scopeId: owner.id, actor }, [versionDeletionOp(before)])
    })
  }

  async function check(
    sent: SentRuleset,
    { owner, plan }: OwnerState,
    kind: RulesetKind,
    phase: PhaseName,
  ): Promise<DesiredRuleset> {
    const { name, description } = sent
    if (sent.rules === undefined) return { name, description, drafts: undefined, issues: sent.issues }
    const { drafts, issues } = await checkRules(sent.rules, { level: owner.level, phase, kind, plan })
    return { name, description, drafts, issues: [...sent.issues, ...issues] }
  }

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
    const issues = [
      ...drafts.flatMap((draft) => referenceIssues(draft, context)),
      ...repeatedExecutions(drafts, context, others),
    ]
    // Only enterprise zones may run both products, to test the new one.
    const hasLegacyProduct = owner.level === 'zone' && hasLegacyWaf(plan) && plan !== 'enterprise'
    if (!hasLegacyProduct || isMigrating) return issues
    const acting = drafts.filter(
      ({ definition: { action, enabled, parameters } }) =>
        action === 'execute' && enabled && findManaged(String(parameters?.['id'])) !== undefined,
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

  /** Quota issues of a ruleset with these rules. A ruleset that does not grow may stay above its limit. */
  async function quotaIssues(
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

  function emptyRuleset(owner: Owner, kind: RulesetKind, phase: PhaseName): Ruleset {
    const head = { id: ids.id(), owner, kind, phase, name: DEFAULT_NAME, description: '' }
    return { ...head, version: 0, lastUpdated: '', rules: [] }
  }
}

/** @throws DomainError: ruleset.unknown, ruleset.managed. */
async function requireOwn(db: Reader, owner: Owner, id: string): Promise<Ruleset> {
  if (findManaged(id) !== undefined) throw new DomainError({ reason: 'ruleset.managed' })
  return requireRuleset(db, owner, id)
}

/** @throws DomainError: ruleset.rule_unknown. */
function requireRule({ rules }: Ruleset, ruleId: string): Rule {
  const rule = rules.find(({ id }) => id === ruleId)
  if (rule === undefined) throw new DomainError({ reason: 'ruleset.rule_unknown', values: { rule: ruleId } })
  return rule
}

/** @throws DomainError: ruleset.in_use. */
async function requireUnused(tx: Transaction, owner: Owner, id: string): Promise<void> {
  for (const { id: rulesetId } of await listRulesets(tx, owner)) {
    const ruleset = await findRuleset(tx, owner, rulesetId)
    const user = ruleset?.rules.find(
      ({ definition: { action, parameters } }) => action === 'execute' && parameters?.['id'] === id,
    )
    if (user !== undefined)
      throw new DomainError({ reason: 'ruleset.in_use', values: { rule: user.id, ruleset: rulesetId } })
  }
}

function nonEmpty(issues: readonly Issue[]): readonly [Issue, ...Issue[]] {
  const [first, ...rest] = issues
  return [first ?? { reason: 'request.invalid' }, ...rest]
}
