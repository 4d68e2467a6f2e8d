// Writes to rulesets of zones and accounts: each a version, in one transaction with its change set.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Issue } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, type ChangeOp } from '../changes/index.ts'
import { hasPreviousWaf } from '../zones/index.ts'
import { deletionOp, versionDeletionOp, versionOps } from './change-ops.ts'
import { checkRules } from './check-rules.ts'
import { findManaged } from './managed.ts'
import { phaseIssues, readNature, sameNature, type OwnerState } from './nature.rules.ts'
import { demandOwner, demandPhase } from './owner.service.ts'
import { pointerTo, valueIssue } from './parameter-shape.ts'
import type { PhaseName } from './phases.ts'
import { regexQuotaIssues, ruleQuotaIssues, rulesetQuotaIssues } from './quota.rules.ts'
import { createReadRulesets, demandRuleset, demandVersion } from './read-rulesets.service.ts'
import { referenceIssues, repeatedExecutions } from './references.rules.ts'
import { findReferences } from './references.service.ts'
import { isSameRuleset, mergeRule, mergeRules, otherRuleIssues, placeRule } from './rule-list.rules.ts'
import {
  ENTRY_POINT_KIND,
  type Owner,
  type Rule,
  type RuleDraft,
  type Ruleset,
  type RulesetKind,
} from './ruleset.ts'
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
  /** Whether the zone has left the previous managed rules behind. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export type Rulesets = ReturnType<typeof createRulesets>

/** What is to become of a ruleset; what is undefined stays as it is. */
export interface Wanted {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly drafts: readonly RuleDraft[] | undefined
  /** What is wrong with it by itself. */
  readonly issues: readonly Issue[]
}

/** The name of an entry point that was given none. */
const USUAL_NAME = 'default'

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

  /** @throws DomainError: all that is wrong with the ruleset and its rules. */
  async function create(owner: Owner, sent: SentRuleset, actor: Actor): Promise<Ruleset> {
    const state = await demandOwner(storage, owner)
    const { kind, phase, issues } = readNature(sent, state)
    if (kind === undefined || phase === undefined)
      throw new DomainError(nonEmpty([...sent.issues, ...issues]))
    const wanted = await check(sent, state, kind, phase)
    return storage.write(async (tx) => {
      const existing = kind === 'custom' ? undefined : await findEntryPoint(tx, owner, phase)
      const taken: Issue[] =
        existing === undefined
          ? []
          : [{ reason: 'ruleset.kind_taken', pointer: '/kind', values: { kind, phase } }]
      const present = await listRulesets(tx, owner)
      const custom = present.filter((ruleset) => ruleset.kind === 'custom').length
      const all = [...issues, ...wanted.issues, ...taken, ...rulesetQuotaIssues(kind, custom)]
      return save(tx, state, blank(owner, kind, phase), { ...wanted, issues: all }, actor)
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, and all that is wrong with it. */
  async function update(owner: Owner, id: string, sent: SentRuleset, actor: Actor): Promise<Ruleset> {
    const { kind, phase } = await demandOwn(storage, owner, id)
    const state = await demandOwner(storage, owner)
    const natureIssues = [...sameNature('kind', sent.kind, kind), ...sameNature('phase', sent.phase, phase)]
    const wanted = await check(sent, state, kind, phase)
    return storage.write(async (tx) => {
      const before = await demandOwn(tx, owner, id)
      return save(tx, state, before, { ...wanted, issues: [...natureIssues, ...wanted.issues] }, actor)
    })
  }

  /** @throws DomainError: ruleset.unknown_phase, ruleset.phase, and all that is wrong with it. */
  async function updateEntryPoint(
    owner: Owner,
    phaseText: string,
    sent: SentRuleset,
    actor: Actor,
  ): Promise<Ruleset> {
    const phase = demandPhase(phaseText)
    const wanted = await checkEntryPoint(owner, phase, sent)
    return storage.write((tx) => saveEntryPoint(tx, owner, phase, wanted, actor))
  }

  /**
   * Checks what can be checked before the transaction of {@link saveEntryPoint}, so that it is short.
   *
   * @param db the transaction, where there is one already.
   */
  async function checkEntryPoint(
    owner: Owner,
    phase: PhaseName,
    sent: SentRuleset,
    db: Reader = storage,
  ): Promise<Wanted> {
    return check(sent, await demandOwner(db, owner), ENTRY_POINT_KIND[owner.level], phase)
  }

  /**
   * Saves an entry point within a transaction of the caller, who may do more in it.
   *
   * @param migration what else is done in the change set, where the zone leaves the previous managed rules with it.
   * @throws DomainError: all that is wrong with it.
   */
  async function saveEntryPoint(
    tx: Transaction,
    owner: Owner,
    phase: PhaseName,
    wanted: Wanted,
    actor: Actor,
    migration?: readonly ChangeOp[],
  ): Promise<Ruleset> {
    const state = await demandOwner(tx, owner)
    const before = await findEntryPoint(tx, owner, phase)
    const target = before ?? blank(owner, ENTRY_POINT_KIND[owner.level], phase)
    const issues = [...phaseIssues(state, phase), ...wanted.issues]
    return save(tx, state, target, { ...wanted, issues }, actor, migration)
  }

  /** All for which {@link saveEntryPoint} would refuse an entry point that a zone migrates with. */
  async function migrationIssues(
    db: Reader,
    owner: Owner,
    phase: PhaseName,
    sent: SentRuleset,
  ): Promise<readonly Issue[]> {
    const state = await demandOwner(db, owner)
    const { drafts = [], issues } = await checkEntryPoint(owner, phase, sent, db)
    const before =
      (await findEntryPoint(db, owner, phase)) ?? blank(owner, ENTRY_POINT_KIND[owner.level], phase)
    return [
      ...phaseIssues(state, phase),
      ...issues,
      ...(await draftIssues(db, state, before, drafts, [], true)),
      ...(await quotaIssues(db, state, before, drafts)),
    ]
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, and all that is wrong with the rule. */
  async function addRule(owner: Owner, id: string, sent: SentRule, actor: Actor): Promise<Ruleset> {
    const found = await demandOwn(storage, owner, id)
    const state = await demandOwner(storage, owner)
    const checked = await checkRules([sent], { ...found, level: owner.level, plan: state.plan })
    return storage.write(async (tx) => {
      const before = await demandOwn(tx, owner, id)
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
   * Gives a rule another definition, another place, or both.
   *
   * @throws DomainError: ruleset.unknown, ruleset.rule_unknown, ruleset.managed, and all that is wrong with it.
   */
  async function editRule(
    owner: Owner,
    id: string,
    ruleId: string,
    sent: SentRule,
    actor: Actor,
  ): Promise<Ruleset> {
    const found = await demandOwn(storage, owner, id)
    demandRule(found, ruleId)
    const state = await demandOwner(storage, owner)
    const movesOnly = sent.sent.size === 1 && sent.sent.has('position')
    const context = { ...found, level: owner.level, plan: state.plan }
    const checked = movesOnly ? { drafts: [], issues: sent.issues } : await checkRules([sent], context)
    return storage.write(async (tx) => {
      const before = await demandOwn(tx, owner, id)
      const rule = demandRule(before, ruleId)
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
      const state = await demandOwner(tx, owner)
      const before = await demandOwn(tx, owner, id)
      demandRule(before, ruleId)
      const rules = before.rules.filter((rule) => rule.id !== ruleId)
      return write(tx, state, before, { ...before, rules, lastUpdated: clock.timestamp() }, [], actor)
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, ruleset.in_use. */
  function remove(owner: Owner, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await demandOwn(tx, owner, id)
      if (before.kind === 'custom') await demandUnused(tx, owner, id)
      await deleteRuleset(tx, id)
      await record(tx, owner, clock.timestamp(), [deletionOp(before)], actor)
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, ruleset.version_unknown, ruleset.version_present. */
  function removeVersion(owner: Owner, id: string, wanted: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const { version: present } = await demandOwn(tx, owner, id)
      const before = await demandVersion(tx, owner, id, wanted)
      const { version } = before
      if (version === present)
        throw new DomainError({ reason: 'ruleset.version_present', values: { version } })
      await deleteVersion(tx, id, version)
      await record(tx, owner, clock.timestamp(), [versionDeletionOp(before)], actor)
    })
  }

  async function check(
    sent: SentRuleset,
    { owner, plan }: OwnerState,
    kind: RulesetKind,
    phase: PhaseName,
  ): Promise<Wanted> {
    const { name, description } = sent
    if (sent.rules === undefined) return { name, description, drafts: undefined, issues: sent.issues }
    const { drafts, issues } = await checkRules(sent.rules, { level: owner.level, phase, kind, plan })
    return { name, description, drafts, issues: [...sent.issues, ...issues] }
  }

  /** Makes of `before` (version 0 for a new one) what is wanted. */
  async function save(
    tx: Transaction,
    state: OwnerState,
    before: Ruleset,
    wanted: Wanted,
    actor: Actor,
    migration?: readonly ChangeOp[],
  ): Promise<Ruleset> {
    const isMigrating = migration !== undefined
    const { name = before.name, description = before.description, drafts } = wanted
    const at = clock.timestamp()
    const issues = [...wanted.issues]
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

  /** What is wrong with rules because of what else there is. @param others rules of the ruleset that stay beside them. */
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
    // Only enterprise zones may have both products act, so that the new one can be tried.
    const hasOldProduct = owner.level === 'zone' && hasPreviousWaf(plan) && plan !== 'enterprise'
    if (!hasOldProduct || isMigrating) return issues
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

  /** What is too much when a ruleset has these rules. One that does not grow may stay above its limit. */
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

  /** Writes the next version, unless nothing is different. */
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
    refuse([...issues, ...(await quotaIssues(tx, state, before, after.rules))])
    if (before.version > 0 && isSameRuleset(before, after)) {
      if (alongside.length > 0) await record(tx, owner, after.lastUpdated, alongside, actor)
      return before
    }
    const next: Ruleset = { ...after, version: before.version + 1 }
    if (before.version === 0) await insertRuleset(tx, next)
    else await addVersion(tx, next)
    const ops = versionOps(before.version === 0 ? undefined : before, next)
    await record(tx, owner, next.lastUpdated, [...ops, ...alongside], actor)
    return next
  }

  function blank(owner: Owner, kind: RulesetKind, phase: PhaseName): Ruleset {
    const head = { id: ids.id(), owner, kind, phase, name: USUAL_NAME, description: '' }
    return { ...head, version: 0, lastUpdated: '', rules: [] }
  }
}

async function record(
  tx: Transaction,
  { id }: Owner,
  at: string,
  ops: readonly ChangeOp[],
  actor: Actor,
): Promise<void> {
  await appendChange(tx, { scopeId: id, at, actor, serial: null, ops })
}

/** @throws DomainError: ruleset.unknown, ruleset.managed. */
async function demandOwn(db: Reader, owner: Owner, id: string): Promise<Ruleset> {
  if (findManaged(id) !== undefined) throw new DomainError({ reason: 'ruleset.managed' })
  return demandRuleset(db, owner, id)
}

/** @throws DomainError: ruleset.rule_unknown. */
function demandRule({ rules }: Ruleset, ruleId: string): Rule {
  const rule = rules.find(({ id }) => id === ruleId)
  if (rule === undefined) throw new DomainError({ reason: 'ruleset.rule_unknown', values: { rule: ruleId } })
  return rule
}

/** @throws DomainError: ruleset.in_use. */
async function demandUnused(tx: Transaction, owner: Owner, id: string): Promise<void> {
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
