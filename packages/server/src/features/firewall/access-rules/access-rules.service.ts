// IP access rules: of a zone, of an account for its zones, and of all zones.
import { type Actor, type Clock, DomainError, type Ids, ifReadable } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import {
  type AccessMode,
  type AccessRule,
  type AccessTarget,
  locations,
  readAccessValue,
} from '@zonereeve/firewall'
import { append, changeOp, type ChangeOp, deletionOp, subjectOf, verbOf } from '../../changes/index.ts'
import { requireZone, type ZoneContents } from '../../zones/index.ts'
import {
  accessRulesOf,
  type AccessScope,
  countAccessRules,
  deleteAccessRule,
  deleteAccessRules,
  findAccessRule,
  findSameAccessRule,
  insertAccessRule,
  type StoredAccessRule,
  updateAccessRule,
} from './access-rules.store.ts'

/** Scope of the change sets of rules for all zones. */
export const ALL_ZONES_SCOPE = 'access_rules'

/** Maximum rules of a zone, of an account, and of all zones. */
export const MAX_ACCESS_RULES = 10_000

export interface SentTarget {
  readonly target: AccessTarget
  readonly value: string
}

export interface AccessRuleChange {
  readonly configuration: SentTarget | undefined
  readonly mode: AccessMode | undefined
  readonly notes: string | undefined
}

export interface AccessRulesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

export type AccessRules = ReturnType<typeof createAccessRules>

export function createAccessRules({ storage, clock, ids }: AccessRulesDeps) {
  return { list, get, create, edit, remove }

  /** Oldest first. @throws DomainError: zone.unknown. */
  async function list(scope: AccessScope): Promise<StoredAccessRule[]> {
    if (scope.kind === 'zone') await requireZone(storage, scope.id)
    return accessRulesOf(storage, scope)
  }

  /** @throws DomainError: access_rule.unknown. */
  function get(scope: AccessScope, id: string): Promise<StoredAccessRule> {
    return requireRule(storage, scope, id)
  }

  /** @throws DomainError: access_rule.value, access_rule.location, access_rule.duplicate, access_rule.quota. */
  function create(
    scope: AccessScope,
    { configuration, mode, notes }: Required<AccessRuleChange> & { readonly configuration: SentTarget },
    actor: Actor,
  ): Promise<StoredAccessRule> {
    return storage.write(async (tx) => {
      if (scope.kind === 'zone') await requireZone(tx, scope.id)
      const { target } = configuration
      const value = readValue(configuration)
      if ((await findSameAccessRule(tx, scope, { target, value })) !== undefined)
        throw new DomainError({ reason: 'access_rule.duplicate', pointer: '/configuration' })
      if ((await countAccessRules(tx, scope)) >= MAX_ACCESS_RULES)
        throw new DomainError({ reason: 'access_rule.quota', values: { limit: MAX_ACCESS_RULES } })
      const at = clock.timestamp()
      const rule: StoredAccessRule = {
        id: ids.id(),
        target,
        value,
        mode: mode ?? 'block',
        notes: notes ?? '', // none
        createdOn: at,
        modifiedOn: at,
      }
      await insertAccessRule(tx, scope, rule)
      await append(tx, { scopeId: scopeIdOf(scope), actor, at }, [op(null, rule)])
      return rule
    })
  }

  /** @throws DomainError: access_rule.unknown, access_rule.fixed. */
  function edit(
    scope: AccessScope,
    id: string,
    { configuration, mode, notes }: AccessRuleChange,
    actor: Actor,
  ): Promise<StoredAccessRule> {
    return storage.write(async (tx) => {
      const before = await requireRule(tx, scope, id)
      if (configuration !== undefined && !isSameTarget(configuration, before))
        throw new DomainError({ reason: 'access_rule.fixed', pointer: '/configuration' })
      const desired = { ...before, mode: mode ?? before.mode, notes: notes ?? before.notes }
      if (desired.mode === before.mode && desired.notes === before.notes) return before
      const at = clock.timestamp()
      const after = { ...desired, modifiedOn: at }
      await updateAccessRule(tx, after)
      await append(tx, { scopeId: scopeIdOf(scope), actor, at }, [op(before, after)])
      return after
    })
  }

  /** @throws DomainError: access_rule.unknown. */
  function remove(scope: AccessScope, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await ifReadable(requireRule(tx, scope, id))
      await deleteAccessRule(tx, id)
      await append(tx, { scopeId: scopeIdOf(scope), actor }, [deletionOp('access_rule.delete', id, before)])
    })
  }
}

/** The rules that decide about requests to a zone. */
export async function accessRulesFor(
  db: Reader,
  zone: { readonly id: string; readonly accountId: string },
): Promise<readonly AccessRule[]> {
  const own = await accessRulesOf(db, { kind: 'zone', id: zone.id })
  const inherited = [
    ...(await accessRulesOf(db, { kind: 'account', id: zone.accountId })),
    ...(await accessRulesOf(db, { kind: 'user' })),
  ]
  return [
    ...own.map((rule) => toDecidingRule(rule, 'zone')),
    ...inherited.map((rule) => toDecidingRule(rule, 'account')),
  ]
}

const toDecidingRule = (
  { id, target, value, mode, notes }: StoredAccessRule,
  level: AccessRule['level'],
): AccessRule => ({ id, level, target, value, mode, notes })

export const zoneAccessContents: ZoneContents = {
  name: 'IP access rules',
  operations: async (db, zoneId) =>
    (await accessRulesOf(db, { kind: 'zone', id: zoneId })).map((rule) => op(rule, null)),
  remove: deleteAccessRules,
}

const scopeIdOf = (scope: AccessScope): string => (scope.kind === 'user' ? ALL_ZONES_SCOPE : scope.id)

const op = (before: StoredAccessRule | null, after: StoredAccessRule | null): ChangeOp =>
  changeOp(`access_rule.${verbOf(before, after)}`, subjectOf(before, after).id, before, after)

/** @throws DomainError: access_rule.value, access_rule.location. */
function readValue({ target, value: sent }: SentTarget): string {
  const read = readAccessValue(target, sent)
  if ('problem' in read) {
    const values = { problem: read.problem }
    throw new DomainError({ reason: 'access_rule.value', pointer: '/configuration/value', values })
  }
  if ((target === 'asn' || target === 'country') && locations() === undefined)
    throw new DomainError({
      reason: 'access_rule.location',
      pointer: '/configuration/target',
      values: { target },
    })
  return read.value
}

function isSameTarget({ target, value }: SentTarget, rule: StoredAccessRule): boolean {
  const read = readAccessValue(target, value)
  return target === rule.target && 'value' in read && read.value === rule.value
}

/** @throws DomainError: access_rule.unknown. */
async function requireRule(db: Reader, scope: AccessScope, id: string): Promise<StoredAccessRule> {
  const rule = await findAccessRule(db, scope, id)
  if (rule === undefined) throw new DomainError({ reason: 'access_rule.unknown' })
  return rule
}
