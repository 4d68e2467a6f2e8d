// The previous managed rules of a zone: what there is to set, until the zone has migrated to rulesets.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse } from '../../platform/domain-error.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import type { LegacyRuleMode } from '../managed-rules/index.ts'
import { demandZone, hasPreviousWaf } from '../zones/index.ts'
import {
  effectiveModeOf,
  groupModeIssues,
  groupsOf,
  MODE_NAMES,
  packagesOf,
  passes,
  ruleModeIssues,
  rulesOf,
  sortBy,
  USUAL_SCORE_SETTINGS,
  usualModeOf,
  type GroupMode,
  type Match,
  type ScoreSettings,
  type WafChoices,
  type WafGroup,
  type WafPackage,
  type WafRule,
} from './waf-packages.rules.ts'
import {
  allChoicesOf,
  choicesOf,
  deleteChoice,
  deleteChoices,
  saveChoice,
  type WafChoice,
} from './waf-packages.store.ts'

interface ListQuery<Order extends string> {
  readonly match: Match
  /** undefined = that of the catalogue. */
  readonly order: Order | undefined
  readonly descending: boolean
}

export interface PackageQuery extends ListQuery<'name'> {
  readonly name: string | undefined
}

export interface GroupQuery extends ListQuery<'mode' | 'rules_count'> {
  readonly name: string | undefined
  readonly mode: GroupMode | undefined
  readonly packageId: string | undefined
  readonly ruleCount: number | undefined
}

export interface RuleQuery extends ListQuery<'priority' | 'group_id' | 'description'> {
  readonly mode: keyof typeof MODE_NAMES | undefined
  readonly groupId: string | undefined
  readonly packageId: string | undefined
  readonly description: string | undefined
  readonly priority: string | undefined
}

export interface WafPackagesDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Whether the zone has left the previous managed rules behind. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export type WafPackages = ReturnType<typeof createWafPackages>

/** Every function throws a DomainError: zone.unknown, waf.retired where the zone has migrated, waf_*.unknown. */
export function createWafPackages({ storage, clock, isMigrated }: WafPackagesDeps) {
  return { list, get, edit, listGroups, getGroup, editGroup, listRules, getRule, editRule }

  async function list(zoneId: string, wanted: PackageQuery): Promise<WafPackage[]> {
    const found = (await packagesIn(storage, zoneId)).packages.filter(({ name }) =>
      passes([isSameText(name, wanted.name)], wanted.match),
    )
    return wanted.order === undefined ? found : sortBy(found, ({ name }) => name, wanted.descending)
  }

  async function get(zoneId: string, packageId: string): Promise<WafPackage> {
    return (await demandPackage(storage, zoneId, packageId)).found
  }

  /** @throws DomainError, too: waf_package.traditional. */
  function edit(
    zoneId: string,
    packageId: string,
    wanted: Partial<ScoreSettings>,
    actor: Actor,
  ): Promise<WafPackage> {
    return storage.write(async (tx) => {
      const { found } = await demandPackage(tx, zoneId, packageId)
      const { score: before } = found
      if (before === null) throw new DomainError({ reason: 'waf_package.traditional' })
      const value = { ...before, ...wanted }
      if (JSON.stringify(value) === JSON.stringify(before)) return found
      const choice = { kind: 'package', packageId, id: packageId, value } as const
      await save(tx, zoneId, choice, before, USUAL_SCORE_SETTINGS, actor)
      return { ...found, score: value }
    })
  }

  async function listGroups(zoneId: string, packageId: string, wanted: GroupQuery): Promise<WafGroup[]> {
    const { choices } = await demandPackage(storage, zoneId, packageId)
    const found = groupsOf(packageId, choices).filter((group) =>
      passes(
        [
          isSame(group.mode, wanted.mode),
          isSameText(group.name, wanted.name),
          isSame(group.packageId, wanted.packageId),
          isSame(group.ruleCount, wanted.ruleCount),
        ],
        wanted.match,
      ),
    )
    if (wanted.order === undefined) return found
    const key =
      wanted.order === 'mode' ? ({ mode }: WafGroup) => mode : ({ ruleCount }: WafGroup) => ruleCount
    return sortBy(found, key, wanted.descending)
  }

  async function getGroup(zoneId: string, packageId: string, groupId: string): Promise<WafGroup> {
    return demandGroup((await demandPackage(storage, zoneId, packageId)).choices, packageId, groupId)
  }

  /** @throws DomainError, too: waf_group.already_on, waf_group.already_off. */
  function editGroup(
    zoneId: string,
    packageId: string,
    groupId: string,
    value: GroupMode,
    actor: Actor,
  ): Promise<WafGroup> {
    return storage.write(async (tx) => {
      const { choices } = await demandPackage(tx, zoneId, packageId)
      const group = demandGroup(choices, packageId, groupId)
      refuse(groupModeIssues(group, value))
      const choice = { kind: 'group', packageId, id: groupId, value } as const
      await save(tx, zoneId, choice, group.mode, 'on', actor)
      return { ...group, mode: value }
    })
  }

  async function listRules(zoneId: string, packageId: string, wanted: RuleQuery): Promise<WafRule[]> {
    const { choices } = await demandPackage(storage, zoneId, packageId)
    const modes: readonly string[] | undefined = wanted.mode && MODE_NAMES[wanted.mode]
    const found = rulesOf(packageId, choices).filter((rule) =>
      passes(
        [
          // The group's mode is told by the group.
          modes && modes.includes(effectiveModeOf(rule, 'on')),
          isSame(rule.groupId, wanted.groupId),
          isSame(rule.packageId, wanted.packageId),
          hasText(rule.description, wanted.description),
          isSame(rule.priority, wanted.priority),
        ],
        wanted.match,
      ),
    )
    return wanted.order === undefined ? found : sortBy(found, RULE_KEYS[wanted.order], wanted.descending)
  }

  async function getRule(zoneId: string, packageId: string, ruleId: string): Promise<WafRule> {
    return demandRule((await demandPackage(storage, zoneId, packageId)).choices, packageId, ruleId)
  }

  /** @throws DomainError, too: waf_rule.mode, waf_rule.already_enabled, waf_rule.already_disabled. */
  function editRule(
    zoneId: string,
    packageId: string,
    ruleId: string,
    value: LegacyRuleMode,
    actor: Actor,
  ): Promise<WafRule> {
    return storage.write(async (tx) => {
      const { choices } = await demandPackage(tx, zoneId, packageId)
      const rule = demandRule(choices, packageId, ruleId)
      refuse(ruleModeIssues(rule, value))
      if (rule.mode === value) return rule
      const choice = { kind: 'rule', packageId, id: ruleId, value } as const
      await save(tx, zoneId, choice, rule.mode, usualModeOf(rule), actor)
      return { ...rule, mode: value }
    })
  }

  /** Keeps a choice, or forgets it where it is the usual one. */
  async function save<Choice extends WafChoice>(
    tx: Transaction,
    zoneId: string,
    choice: Choice,
    before: Choice['value'],
    usual: Choice['value'],
    actor: Actor,
  ): Promise<void> {
    if (JSON.stringify(choice.value) === JSON.stringify(usual)) await deleteChoice(tx, zoneId, choice)
    else await saveChoice(tx, zoneId, choice)
    const ops = [choiceOp(choice, before, choice.value)]
    await appendChange(tx, { scopeId: zoneId, at: clock.timestamp(), actor, serial: null, ops })
  }

  async function demandPackage(
    db: Reader,
    zoneId: string,
    packageId: string,
  ): Promise<{ readonly found: WafPackage; readonly choices: WafChoices }> {
    const { packages, choices } = await packagesIn(db, zoneId)
    const found = packages.find(({ id }) => id === packageId)
    if (found === undefined) throw new DomainError({ reason: 'waf_package.unknown' })
    return { found, choices }
  }

  /** None on plans that never had the previous managed rules. */
  async function packagesIn(db: Reader, zoneId: string) {
    const { plan } = await demandZone(db, zoneId)
    if (await isMigrated(db, zoneId)) throw new DomainError({ reason: 'waf.retired' })
    const choices = await choicesOf(db, zoneId)
    return { packages: hasPreviousWaf(plan) ? packagesOf(choices) : [], choices }
  }
}

/** Removes what a zone has chosen, writing it to the change set at `position`. */
export async function removeWafChoices(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const choices = await allChoicesOf(tx, zoneId)
  if (choices.length === 0) return
  await deleteChoices(tx, zoneId)
  await appendOps(
    tx,
    position,
    choices.map((choice) => choiceOp(choice, choice.value, null)),
  )
}

const RULE_KEYS: Readonly<Record<NonNullable<RuleQuery['order']>, (rule: WafRule) => string>> = {
  priority: ({ priority }) => priority,
  group_id: ({ groupId }) => groupId,
  description: ({ description }) => description,
}

const isSame = <T>(value: T, wanted: T | undefined) => (wanted === undefined ? undefined : value === wanted)
const isSameText = (text: string, wanted: string | undefined) =>
  isSame(text.toLowerCase(), wanted?.toLowerCase())
const hasText = (text: string, wanted: string | undefined) =>
  wanted === undefined ? undefined : text.toLowerCase().includes(wanted.toLowerCase())

function demandGroup(choices: WafChoices, packageId: string, groupId: string): WafGroup {
  const found = groupsOf(packageId, choices).find(({ id }) => id === groupId)
  if (found === undefined) throw new DomainError({ reason: 'waf_group.unknown' })
  return found
}

function demandRule(choices: WafChoices, packageId: string, ruleId: string): WafRule {
  const found = rulesOf(packageId, choices).find(({ id }) => id === ruleId)
  if (found === undefined) throw new DomainError({ reason: 'waf_rule.unknown' })
  return found
}

function choiceOp(
  { kind, packageId, id }: Pick<WafChoice, 'kind' | 'packageId' | 'id'>,
  before: WafChoice['value'],
  after: WafChoice['value'] | null,
): ChangeOp {
  const text = (value: WafChoice['value'] | null) => value && JSON.stringify({ id, packageId, value })
  return { kind: `waf_${kind}.update`, objectId: id, before: text(before), after: text(after) }
}
