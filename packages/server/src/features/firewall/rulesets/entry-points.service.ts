// Entry points: the rulesets with which phases start. Writing one creates it if there is none.
import type { Actor, Issue } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import type { ChangeOp } from '../../changes/index.ts'
import { ENTRY_POINT_KIND, type Owner, type PhaseName, type Ruleset } from '@zonereeve/firewall'
import { checkRuleset, type DesiredRuleset } from './check-rules.ts'
import { requireOwner, requirePhase } from './owner.service.ts'
import { phaseIssues } from './ruleset-scope.rules.ts'
import { quotaIssues, type RulesetVersions } from './ruleset-versions.service.ts'
import { findEntryPoint } from './rulesets.store.ts'
import type { SentRuleset } from './sent-rule.ts'

export interface EntryPointsDeps {
  readonly storage: Storage
  readonly versions: RulesetVersions
}

export function createEntryPoints({ storage, versions }: EntryPointsDeps) {
  return { updateEntryPoint, checkEntryPoint, saveEntryPoint, migrationIssues }

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
    return checkRuleset(sent, await requireOwner(db, owner), ENTRY_POINT_KIND[owner.level], phase)
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
    const before = await entryPointOf(tx, owner, phase)
    const issues = [...phaseIssues(state, phase), ...desired.issues]
    return versions.save(tx, state, before, { ...desired, issues }, actor, migration)
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
    const before = await entryPointOf(db, owner, phase)
    return [
      ...phaseIssues(state, phase),
      ...issues,
      ...(await versions.draftIssues(db, state, before, drafts, [], true)),
      ...(await quotaIssues(db, state, before, drafts)),
    ]
  }

  async function entryPointOf(db: Reader, owner: Owner, phase: PhaseName): Promise<Ruleset> {
    const found = await findEntryPoint(db, owner, phase)
    return found ?? versions.emptyRuleset(owner, ENTRY_POINT_KIND[owner.level], phase)
  }
}
