// Writes to rulesets of zones and accounts.
import { type Actor, DomainError, type Issue } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { append } from '../../changes/index.ts'
import type { Owner, Ruleset } from '@zonereeve/firewall'
import { deletionOp, versionDeletionOp } from './change-ops.ts'
import { checkRuleset } from './check-rules.ts'
import { createEntryPoints } from './entry-points.service.ts'
import { requireOwner } from './owner.service.ts'
import { rulesetQuotaIssues } from './quota.rules.ts'
import { createReadRulesets, requireOwn, requireVersion } from './read-rulesets.service.ts'
import { createRulesetRules } from './ruleset-rules.service.ts'
import { isSameScope, readScope } from './ruleset-scope.rules.ts'
import { createRulesetVersions, type RulesetVersionsDeps } from './ruleset-versions.service.ts'
import { deleteRuleset, deleteVersion, findEntryPoint, findRuleset, listRulesets } from './rulesets.store.ts'
import type { SentRuleset } from './sent-rule.ts'

export interface RulesetsDeps extends RulesetVersionsDeps {
  readonly storage: Storage
}

export type Rulesets = ReturnType<typeof createRulesets>

export function createRulesets(deps: RulesetsDeps) {
  const { storage } = deps
  const versions = createRulesetVersions(deps)
  return {
    ...createReadRulesets(storage),
    ...createRulesetRules({ ...deps, versions }),
    ...createEntryPoints({ storage, versions }),
    create,
    update,
    remove,
    removeVersion,
  }

  /** @throws DomainError: all issues of the ruleset and its rules. */
  async function create(owner: Owner, sent: SentRuleset, actor: Actor): Promise<Ruleset> {
    const state = await requireOwner(storage, owner)
    const { kind, phase, issues } = readScope(sent, state)
    if (kind === undefined || phase === undefined)
      throw new DomainError(nonEmpty([...sent.issues, ...issues]))
    const desired = await checkRuleset(sent, state, kind, phase)
    return storage.write(async (tx) => {
      const existing = kind === 'custom' ? undefined : await findEntryPoint(tx, owner, phase)
      const kindIssues: Issue[] =
        existing === undefined
          ? []
          : [{ reason: 'ruleset.kind_taken', pointer: '/kind', values: { kind, phase } }]
      const present = await listRulesets(tx, owner)
      const custom = present.filter((ruleset) => ruleset.kind === 'custom').length
      const all = [...issues, ...desired.issues, ...kindIssues, ...rulesetQuotaIssues(kind, custom)]
      return versions.save(
        tx,
        state,
        versions.emptyRuleset(owner, kind, phase),
        { ...desired, issues: all },
        actor,
      )
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, and all issues of the ruleset. */
  async function update(owner: Owner, id: string, sent: SentRuleset, actor: Actor): Promise<Ruleset> {
    const { kind, phase } = await requireOwn(storage, owner, id)
    const state = await requireOwner(storage, owner)
    const scopeIssues = [...isSameScope('kind', sent.kind, kind), ...isSameScope('phase', sent.phase, phase)]
    const desired = await checkRuleset(sent, state, kind, phase)
    return storage.write(async (tx) => {
      const before = await requireOwn(tx, owner, id)
      return versions.save(
        tx,
        state,
        before,
        { ...desired, issues: [...scopeIssues, ...desired.issues] },
        actor,
      )
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
