// The legacy managed rules of a zone and their settings, until the zone has migrated to rulesets.
import { type Actor, DomainError, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, type ChangeOp } from '../../changes/index.ts'
import type { LegacyRuleMode } from '@zonereeve/firewall'
import { requireZone, hasLegacyWaf, type ZoneContents } from '../../zones/index.ts'
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
  DEFAULT_SCORE_SETTINGS,
  defaultModeOf,
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
  /** undefined = the order of the catalogue. */
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
  /** Whether the zone has completed the migration from the legacy managed rules. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export type WafPackages = ReturnType<typeof createWafPackages>

/** Every function throws a DomainError: zone.unknown, waf.retired if the zone has migrated, waf_*.unknown. */
export function createWafPackages({ storage, isMigrated }: WafPackagesDeps) {
  return { list, get, edit, listGroups, getGroup, editGroup, listRules, getRule, editRule }

  async function list(zoneId: string, desired: PackageQuery): Promise<WafPackage[]> {
    const found = (await packagesIn(storage, zoneId)).packages.filter(({ name }) =>
      passes([isSameText(name, desired.name)], desired.match),
    )
    return desired.order === undefined ? found : sortBy(found, ({ name }) => name, desired.descending)
  }

  async function get(zoneId: string, packageId: string): Promise<WafPackage> {
    return (await requirePackage(storage, zoneId, packageId)).found
  }

  /** @throws DomainError, too: waf_package.traditional. */
  function edit(
    zoneId: string,
    packageId: string,
    desired: Partial<ScoreSettings>,
    actor: Actor,
  ): Promise<WafPackage> {
    return storage.write(async (tx) => {
      const { found } = await requirePackage(tx, zoneId, packageId)
      const { score: before } = found
      if (before === null) throw new DomainError({ reason: 'waf_package.traditional' })
      const value = { ...before, ...desired }
      if (JSON.stringify(value) === JSON.stringify(before)) return found
      const choice = { kind: 'package', packageId, id: packageId, value } as const
      await save(tx, zoneId, choice, before, DEFAULT_SCORE_SETTINGS, actor)
      return { ...found, score: value }
    })
  }

  async function listGroups(zoneId: string, packageId: string, desired: GroupQuery): Promise<WafGroup[]> {
    const { choices } = await requirePackage(storage, zoneId, packageId)
    const found = groupsOf(packageId, choices).filter((group) =>
      passes(
        [
          isSame(group.mode, desired.mode),
          isSameText(group.name, desired.name),
          isSame(group.packageId, desired.packageId),
          isSame(group.ruleCount, desired.ruleCount),
        ],
        desired.match,
      ),
    )
    if (desired.order === undefined) return found
    const key =
      desired.order === 'mode' ? ({ mode }: WafGroup) => mode : ({ ruleCount }: WafGroup) => ruleCount
    return sortBy(found, key, desired.descending)
  }

  async function getGroup(zoneId: string, packageId: string, groupId: string): Promise<WafGroup> {
    return requireGroup((await requirePackage(storage, zoneId, packageId)).choices, packageId, groupId)
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
      const { choices } = await requirePackage(tx, zoneId, packageId)
      const group = requireGroup(choices, packageId, groupId)
      throwIfIssues(groupModeIssues(group, value))
      const choice = { kind: 'group', packageId, id: groupId, value } as const
      await save(tx, zoneId, choice, group.mode, 'on', actor)
      return { ...group, mode: value }
    })
  }

  async function listRules(zoneId: string, packageId: string, desired: RuleQuery): Promise<WafRule[]> {
    const { choices } = await requirePackage(storage, zoneId, packageId)
    const modes: readonly string[] | undefined = desired.mode && MODE_NAMES[desired.mode]
    const found = rulesOf(packageId, choices).filter((rule) =>
      passes(
        [
          // Mode filters ignore the mode of the group, which the group itself shows.
          modes && modes.includes(effectiveModeOf(rule, 'on')),
          isSame(rule.groupId, desired.groupId),
          isSame(rule.packageId, desired.packageId),
          hasText(rule.description, desired.description),
          isSame(rule.priority, desired.priority),
        ],
        desired.match,
      ),
    )
    return desired.order === undefined ? found : sortBy(found, RULE_KEYS[desired.order], desired.descending)
  }

  async function getRule(zoneId: string, packageId: string, ruleId: string): Promise<WafRule> {
    return requireRule((await requirePackage(storage, zoneId, packageId)).choices, packageId, ruleId)
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
      const { choices } = await requirePackage(tx, zoneId, packageId)
      const rule = requireRule(choices, packageId, ruleId)
      throwIfIssues(ruleModeIssues(rule, value))
      if (rule.mode === value) return rule
      const choice = { kind: 'rule', packageId, id: ruleId, value } as const
      await save(tx, zoneId, choice, rule.mode, defaultModeOf(rule), actor)
      return { ...rule, mode: value }
    })
  }

  /** Stores a choice, or deletes it if it is the default. */
  async function save<Choice extends WafChoice>(
    tx: Transaction,
    zoneId: string,
    choice: Choice,
    before: Choice['value'],
    fallback: Choice['value'],
    actor: Actor,
  ): Promise<void> {
    if (JSON.stringify(choice.value) === JSON.stringify(fallback)) await deleteChoice(tx, zoneId, choice)
    else await saveChoice(tx, zoneId, choice)
    await append(tx, { scopeId: zoneId, actor }, [choiceOp(choice, before, choice.value)])
  }

  async function requirePackage(
    db: Reader,
    zoneId: string,
    packageId: string,
  ): Promise<{ readonly found: WafPackage; readonly choices: WafChoices }> {
    const { packages, choices } = await packagesIn(db, zoneId)
    const found = packages.find(({ id }) => id === packageId)
    if (found === undefined) throw new DomainError({ reason: 'waf_package.unknown' })
    return { found, choices }
  }

  /** Empty on plans that never had the legacy managed rules. */
  async function packagesIn(db: Reader, zoneId: string) {
    const { plan } = await requireZone(db, zoneId)
    if (await isMigrated(db, zoneId)) throw new DomainError({ reason: 'waf.retired' })
    const choices = await choicesOf(db, zoneId)
    return { packages: hasLegacyWaf(plan) ? packagesOf(choices) : [], choices }
  }
}

export const zoneWafChoices: ZoneContents = {
  name: 'managed rule choices',
  operations: async (db, zoneId) =>
    (await allChoicesOf(db, zoneId)).map((choice) => choiceOp(choice, choice.value, null)),
  remove: deleteChoices,
}

const RULE_KEYS: Readonly<Record<NonNullable<RuleQuery['order']>, (rule: WafRule) => string>> = {
  priority: ({ priority }) => priority,
  group_id: ({ groupId }) => groupId,
  description: ({ description }) => description,
}

const isSame = <T>(value: T, desired: T | undefined) =>
  desired === undefined ? undefined : value === desired
const isSameText = (text: string, desired: string | undefined) =>
  isSame(text.toLowerCase(), desired?.toLowerCase())
const hasText = (text: string, desired: string | undefined) =>
  desired === undefined ? undefined : text.toLowerCase().includes(desired.toLowerCase())

function requireGroup(choices: WafChoices, packageId: string, groupId: string): WafGroup {
  const found = groupsOf(packageId, choices).find(({ id }) => id === groupId)
  if (found === undefined) throw new DomainError({ reason: 'waf_group.unknown' })
  return found
}

function requireRule(choices: WafChoices, packageId: string, ruleId: string): WafRule {
  const found = rulesOf(packageId, choices).find(({ id }) => id === ruleId)
  if (found === undefined) throw new DomainError({ reason: 'waf_rule.unknown' })
  return found
}

function choiceOp(
  { kind, packageId, id }: Pick<WafChoice, 'kind' | 'packageId' | 'id'>,
  before: WafChoice['value'],
  after: WafChoice['value'] | null,
): ChangeOp {
  return changeOp(`waf_${kind}.update`, id, before, after, (value) =>
    JSON.stringify({ id, packageId, value }),
  )
}
