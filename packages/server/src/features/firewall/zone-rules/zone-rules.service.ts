// What user-agent rules and lockdown rules have in common: rules of one zone, as many as its plan allows, no two alike.
import { type Actor, type Clock, DomainError, type Ids, ifReadable, type Issue } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, deletionOp, subjectOf, verbOf, type ChangeOp } from '../../changes/index.ts'
import { type Plan, requireZone, type ZoneContents } from '../../zones/index.ts'

/** A kind of rules. */
export interface ZoneRuleKind<Rule extends { readonly id: string }, Draft> {
  /** Of change log operations. */
  readonly noun: string
  readonly quotas: Readonly<Record<Plan, number>>
  readonly unknown: Issue['reason']
  readonly duplicate: Issue
  readonly quota: Issue['reason']
  readonly store: {
    /** Oldest first. */
    of(db: Reader, zoneId: string): Promise<Rule[]>
    find(db: Reader, zoneId: string, id: string): Promise<Rule | undefined>
    insert(tx: Transaction, zoneId: string, rule: Rule): Promise<void>
    update(tx: Transaction, rule: Rule): Promise<void>
    remove(tx: Transaction, match: { readonly id: string } | { readonly zoneId: string }): Promise<number>
  }
  /** @param before undefined for a new rule. */
  toRule(draft: Draft, made: { readonly id: string; readonly at: string; readonly before?: Rule }): Rule
  /** Whether two rules are about the same, so that one of them is too many. */
  areAlike(a: Rule, b: Rule): boolean
  /** Whether a change changes nothing. */
  isUnchanged(before: Rule, after: Rule): boolean
}

export interface ZoneRulesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

export interface ZoneRules<Rule, Draft> {
  list(zoneId: string): Promise<Rule[]>
  get(zoneId: string, id: string): Promise<Rule>
  create(zoneId: string, draft: Draft, actor: Actor): Promise<Rule>
  replace(zoneId: string, id: string, draft: Draft, actor: Actor): Promise<Rule>
  remove(zoneId: string, id: string, actor: Actor): Promise<void>
}

/** All throw DomainError: zone.unknown, and the reasons of the kind. */
export function createZoneRules<Rule extends { readonly id: string }, Draft>(
  kind: ZoneRuleKind<Rule, Draft>,
  { storage, clock, ids }: ZoneRulesDeps,
): ZoneRules<Rule, Draft> {
  const { store } = kind
  return { list, get, create, replace, remove }

  async function list(zoneId: string): Promise<Rule[]> {
    await requireZone(storage, zoneId)
    return store.of(storage, zoneId)
  }

  async function get(zoneId: string, id: string): Promise<Rule> {
    await requireZone(storage, zoneId)
    return requireRule(storage, zoneId, id)
  }

  function create(zoneId: string, draft: Draft, actor: Actor): Promise<Rule> {
    return storage.write(async (tx) => {
      const { plan } = await requireZone(tx, zoneId)
      const others = await store.of(tx, zoneId)
      const at = clock.timestamp()
      const rule = kind.toRule(draft, { id: ids.id(), at })
      rejectAlike(rule, others)
      const limit = kind.quotas[plan]
      if (others.length >= limit) throw new DomainError({ reason: kind.quota, values: { plan, limit } })
      await store.insert(tx, zoneId, rule)
      await append(tx, { scopeId: zoneId, actor, at }, [opOf(kind, null, rule)])
      return rule
    })
  }

  function replace(zoneId: string, id: string, draft: Draft, actor: Actor): Promise<Rule> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await requireRule(tx, zoneId, id)
      const at = clock.timestamp()
      const after = kind.toRule(draft, { id, at, before })
      if (kind.isUnchanged(before, after)) return before
      rejectAlike(
        after,
        (await store.of(tx, zoneId)).filter((other) => other.id !== id),
      )
      await store.update(tx, after)
      await append(tx, { scopeId: zoneId, actor, at }, [opOf(kind, before, after)])
      return after
    })
  }

  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await ifReadable(requireRule(tx, zoneId, id))
      await store.remove(tx, { id })
      await append(tx, { scopeId: zoneId, actor }, [deletionOp(`${kind.noun}.delete`, id, before)])
    })
  }

  async function requireRule(db: Reader, zoneId: string, id: string): Promise<Rule> {
    const rule = await store.find(db, zoneId, id)
    if (rule === undefined) throw new DomainError({ reason: kind.unknown })
    return rule
  }

  function rejectAlike(rule: Rule, others: readonly Rule[]): void {
    if (others.some((other) => kind.areAlike(other, rule))) throw new DomainError(kind.duplicate)
  }
}

export const zoneRuleContents = <Rule extends { readonly id: string }, Draft>(
  name: string,
  kind: ZoneRuleKind<Rule, Draft>,
): ZoneContents => ({
  name,
  operations: async (db, zoneId) => (await kind.store.of(db, zoneId)).map((rule) => opOf(kind, rule, null)),
  remove: (tx, zoneId) => kind.store.remove(tx, { zoneId }),
})

const opOf = <Rule extends { readonly id: string }, Draft>(
  { noun }: ZoneRuleKind<Rule, Draft>,
  before: Rule | null,
  after: Rule | null,
): ChangeOp => changeOp(`${noun}.${verbOf(before, after)}`, subjectOf(before, after).id, before, after)
