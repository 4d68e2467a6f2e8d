// Firewall rules of a zone, each with its filter. Bulk writes are all or nothing.
import {
  type Actor,
  type Clock,
  DomainError,
  type Ids,
  type Issue,
  type Notice,
  throwIfIssues,
} from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, subjectOf, verbOf, type ChangeOp } from '../../changes/index.ts'
import {
  addFilter,
  deleteFilter,
  expressionIssues,
  filterOp,
  filtersOf,
  findFilter,
  type Filter,
  type FilterDefinition,
} from '../filters/index.ts'
import { knownLists, type KnownLists } from '../lists/index.ts'
import { requireZone, type Zone, type ZoneContents } from '../../zones/index.ts'
import {
  compareRules,
  FIREWALL_RULE_QUOTAS,
  memberIssues,
  type FirewallRuleMembers,
} from './firewall-rules.rules.ts'
import {
  countFirewallRules,
  deleteFirewallRule,
  deleteFirewallRules,
  findFirewallRule,
  firewallRulesOf,
  insertFirewallRule,
  isFilterUsed,
  updateFirewallRule,
  type FirewallRule,
} from './firewall-rules.store.ts'

export interface FilteredRule {
  readonly rule: FirewallRule
  readonly filter: Filter
}

/** An existing filter, or one to create. */
export type FilterChoice =
  | { readonly kind: 'id'; readonly id: string; readonly pointer: string }
  | { readonly kind: 'definition'; readonly definition: FilterDefinition }
  | { readonly kind: 'none'; readonly pointer: string }

export interface FirewallRuleDefinition extends FirewallRuleMembers {
  readonly filter: FilterChoice
  /** JSON pointer to the rule in the request. */
  readonly pointer: string
}

export interface FirewallRuleChange {
  readonly id: string
  readonly members: Partial<FirewallRuleMembers>
  /** undefined = keep the current filter. */
  readonly filter: FilterChoice | undefined
  readonly pointer: string
}

export interface FirewallRuleQuery {
  readonly id: string | undefined
  readonly description: string | undefined
  readonly action: string | undefined
  readonly paused: boolean | undefined
}

export interface DeletedFirewallRule {
  readonly id: string
  readonly filterId: string
  readonly isFilterDeleted: boolean
}

/** Rules that were created or changed, with notices about them. */
export interface WrittenFirewallRules {
  readonly rules: readonly FilteredRule[]
  readonly notices: readonly Notice[]
}

export interface FirewallRulesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** Whether the zone has completed the migration from the legacy managed rules. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export type FirewallRules = ReturnType<typeof createFirewallRules>

export function createFirewallRules({ storage, clock, ids, isMigrated }: FirewallRulesDeps) {
  return { list, get, create, change, remove }

  /**
   * In evaluation order.
   * @throws DomainError: zone.unknown.
   */
  async function list(zoneId: string, desired: FirewallRuleQuery): Promise<FilteredRule[]> {
    await requireZone(storage, zoneId)
    return (await filteredRulesOf(storage, zoneId)).filter(({ rule }) => passes(rule, desired))
  }

  /** @throws DomainError: firewall_rule.unknown. */
  async function get(zoneId: string, id: string): Promise<FilteredRule> {
    const rule = (await findFirewallRule(storage, zoneId, id)) ?? throwUnknownRule('')
    return withFilter(storage, zoneId, rule)
  }

  /**
   * All or nothing.
   * @throws DomainError: firewall_rule.*, filter.expression, filter.quota, zone.unknown.
   */
  function create(
    zoneId: string,
    definitions: readonly FirewallRuleDefinition[],
    actor: Actor,
  ): Promise<WrittenFirewallRules> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const known = await knownLists(tx, zone.accountId)
      throwIfIssues(definitions.flatMap((definition) => definitionIssues(definition, zone, known)))
      await requireCapacity(tx, zone, definitions.length)
      const ops: ChangeOp[] = []
      const made: FilteredRule[] = []
      for (const { filter: choice, pointer: _, ...members } of definitions) {
        const filter = await chooseFilter(tx, zoneId, choice, ops)
        const at = clock.timestamp()
        const rule = { id: ids.id(), ...members, filterId: filter.id, createdOn: at, modifiedOn: at }
        await insertFirewallRule(tx, zoneId, rule)
        ops.push(ruleOp(null, rule))
        made.push({ rule, filter })
      }
      await append(tx, { scopeId: zoneId, actor }, ops)
      return { rules: made, notices: await noticesOf(tx, zoneId, made) }
    })
  }

  /**
   * All or nothing.
   * @throws DomainError: firewall_rule.*, filter.expression, filter.quota, zone.unknown.
   */
  function change(
    zoneId: string,
    changes: readonly FirewallRuleChange[],
    actor: Actor,
  ): Promise<WrittenFirewallRules> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const ops: ChangeOp[] = []
      const changed: FilteredRule[] = []
      const known = await knownLists(tx, zone.accountId)
      for (const desired of changes) changed.push(await changeOne(tx, zone, desired, known, ops))
      await append(tx, { scopeId: zoneId, actor }, ops)
      return { rules: changed, notices: await noticesOf(tx, zoneId, changed) }
    })
  }

  async function changeOne(
    tx: Transaction,
    zone: Zone,
    { id, members, filter: choice, pointer }: FirewallRuleChange,
    known: KnownLists,
    ops: ChangeOp[],
  ): Promise<FilteredRule> {
    const before = (await findFirewallRule(tx, zone.id, id)) ?? throwUnknownRule(`${pointer}/id`)
    const own = await withFilter(tx, zone.id, before)
    const desired: FirewallRule = { ...before, ...members }
    throwIfIssues([...memberIssues(desired, zone.plan, pointer), ...choiceIssues(choice, known)])
    const filter = isSameFilter(choice, own.filter)
      ? own.filter
      : await chooseFilter(tx, zone.id, choice, ops)
    const after = { ...desired, filterId: filter.id }
    if (JSON.stringify(after) === JSON.stringify(before)) return own
    const rule = { ...after, modifiedOn: clock.timestamp() }
    await updateFirewallRule(tx, rule)
    ops.push(ruleOp(before, rule))
    return { rule, filter }
  }

  /**
   * All or nothing.
   * @throws DomainError: firewall_rule.unknown.
   */
  function remove(
    zoneId: string,
    ruleIds: readonly string[],
    alsoFilters: boolean,
    actor: Actor,
  ): Promise<DeletedFirewallRule[]> {
    return storage.write(async (tx) => {
      const ops: ChangeOp[] = []
      const deleted: DeletedFirewallRule[] = []
      for (const id of ruleIds) {
        const before = (await findFirewallRule(tx, zoneId, id)) ?? throwUnknownRule('')
        await deleteFirewallRule(tx, id)
        ops.push(ruleOp(before, null))
        const isFilterDeleted = alsoFilters && (await deleteUnused(tx, zoneId, before.filterId, ops))
        deleted.push({ id, filterId: before.filterId, isFilterDeleted })
      }
      await append(tx, { scopeId: zoneId, actor }, ops)
      return deleted
    })
  }

  /** @throws DomainError: firewall_rule.filter, firewall_rule.filter_duplicate, filter.quota. */
  async function chooseFilter(
    tx: Transaction,
    zoneId: string,
    choice: FilterChoice | undefined,
    ops: ChangeOp[],
  ): Promise<Filter> {
    if (choice?.kind === 'definition') {
      const { definition } = choice
      const filter = await addFilter(tx, ids, zoneId, definition, 'firewall_rule.filter_duplicate')
      ops.push(filterOp(null, filter))
      return filter
    }
    const filter = choice?.kind === 'id' ? await findFilter(tx, zoneId, choice.id) : undefined
    if (filter === undefined)
      throw new DomainError(noFilter(choice === undefined ? '/id' : `${choice.pointer}/id`))
    return filter
  }

  /** Clients re-send old rules in bulk: they are accepted, with a notice that they have no effect. */
  async function noticesOf(
    db: Reader,
    zoneId: string,
    written: readonly FilteredRule[],
  ): Promise<readonly Notice[]> {
    if (!written.some(({ rule }) => rule.products.includes('waf'))) return []
    return (await isMigrated(db, zoneId)) ? [{ notice: 'firewall_rule.waf_retired' }] : []
  }
}

/** A zone's firewall rules with their filters, in evaluation order. */
export async function filteredRulesOf(db: Reader, zoneId: string): Promise<FilteredRule[]> {
  const rules = await firewallRulesOf(db, zoneId)
  const filters = new Map((await filtersOf(db, zoneId)).map((filter) => [filter.id, filter]))
  return rules.toSorted(compareRules).flatMap((rule) => {
    const filter = filters.get(rule.filterId)
    // The rule and its filter were deleted between the two reads.
    return filter === undefined ? [] : [{ rule, filter }]
  })
}

export const zoneFirewallRules: ZoneContents = {
  name: 'firewall rules',
  operations: async (db, zoneId) => (await firewallRulesOf(db, zoneId)).map((rule) => ruleOp(rule, null)),
  remove: deleteFirewallRules,
}

/** @throws DomainError: firewall_rule.quota. */
async function requireCapacity(tx: Transaction, { id, plan }: Zone, more: number): Promise<void> {
  const limit = FIREWALL_RULE_QUOTAS[plan]
  if ((await countFirewallRules(tx, id)) + more > limit)
    throw new DomainError({ reason: 'firewall_rule.quota', values: { limit, plan } })
}

const definitionIssues = (definition: FirewallRuleDefinition, zone: Zone, known: KnownLists): Issue[] => [
  ...memberIssues(definition, zone.plan, definition.pointer),
  ...choiceIssues(definition.filter, known),
]

function choiceIssues(choice: FilterChoice | undefined, known: KnownLists): Issue[] {
  if (choice?.kind === 'none') return [noFilter(choice.pointer)]
  return choice?.kind === 'definition' ? expressionIssues(choice.definition, known) : []
}

const noFilter = (pointer: string): Issue => ({ reason: 'firewall_rule.filter', pointer })

/** Whether the choice is the rule's current filter, by ID or by expression. */
const isSameFilter = (choice: FilterChoice | undefined, own: Filter): boolean =>
  choice === undefined ||
  (choice.kind === 'id' && choice.id === own.id) ||
  (choice.kind === 'definition' && choice.definition.expression === own.expression)

async function deleteUnused(
  tx: Transaction,
  zoneId: string,
  filterId: string,
  ops: ChangeOp[],
): Promise<boolean> {
  const filter = await findFilter(tx, zoneId, filterId)
  if (filter === undefined || (await isFilterUsed(tx, filterId))) return false
  await deleteFilter(tx, filterId)
  ops.push(filterOp(filter, null))
  return true
}

async function withFilter(db: Reader, zoneId: string, rule: FirewallRule): Promise<FilteredRule> {
  const filter = await findFilter(db, zoneId, rule.filterId)
  return { rule, filter: filter ?? throwUnknownRule('') }
}

function passes(rule: FirewallRule, desired: FirewallRuleQuery): boolean {
  const { description = '' } = desired
  return (
    (desired.id === undefined || rule.id === desired.id) &&
    (desired.action === undefined || rule.action === desired.action) &&
    (desired.paused === undefined || rule.paused === desired.paused) &&
    (description === '' || rule.description?.toLowerCase().includes(description.toLowerCase()) === true)
  )
}

const ruleOp = (before: FirewallRule | null, after: FirewallRule | null): ChangeOp =>
  changeOp(`firewall_rule.${verbOf(before, after)}`, subjectOf(before, after).id, before, after)

function throwUnknownRule(pointer: string): never {
  throw new DomainError({ reason: 'firewall_rule.unknown', ...(pointer === '' ? {} : { pointer }) })
}
