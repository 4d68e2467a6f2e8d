// Migrates zones from the legacy managed rules to rulesets: previews the result, and does each step in one
// transaction.
import {
  type Actor,
  type Clock,
  DomainError,
  type Issue,
  type Notice,
  throwIfIssues,
} from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, readConsistently, type ChangeOp } from '../../changes/index.ts'
import { managedRulesets } from '@zonereeve/firewall'
import {
  findEntryPoint,
  type Rule,
  type Ruleset,
  type Rulesets,
  type SentRule,
  type SentRuleset,
} from '../rulesets/index.ts'
import { requireZone, hasLegacyWaf, switchWafOff } from '../../zones/index.ts'
import { limitProblems, obstaclesOf, type MigrationPhase, type Obstacle } from './eligibility.rules.ts'
import { leftOut } from './managed-overrides.rules.ts'
import { configOf, type MigratedRule } from './migrated-config.rules.ts'
import {
  deployRequestOf,
  nextState,
  type MigrationRequest,
  type MigrationState,
} from './migration-states.rules.ts'
import { legacyFirewallOf } from './legacy-firewall.service.ts'
import type { LegacyFirewall } from './legacy-firewall.ts'
import { snapshotOf, type Snapshot } from './snapshot.rules.ts'
import { findSnapshot, insertSnapshot, saveState, stateOf } from './waf-migration.store.ts'

export interface WafMigrationDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly rulesets: Pick<Rulesets, 'checkEntryPoint' | 'saveEntryPoint' | 'migrationIssues'>
}

export type WafMigration = ReturnType<typeof createWafMigration>

export interface Compatibility {
  readonly isCompatible: boolean
  readonly state: MigrationState
  readonly notices: readonly Notice[]
  /** Issues for which the equivalent entry point would be rejected. */
  readonly refused: readonly Issue[]
}

export interface MigrationStatus {
  readonly state: MigrationState
  readonly isLegacyOn: boolean
  readonly isNewOn: boolean
}

export interface MigratedConfig {
  readonly rules: readonly MigratedRule[]
  readonly notices: readonly Notice[]
}

const PHASE = 'http_request_firewall_managed'

/** Every function throws a DomainError: zone.unknown. */
export function createWafMigration({ storage, clock, rulesets }: WafMigrationDeps) {
  return { check, config, status, migrate, deploy, turnOffLegacy, snapshot }

  /** Whether the zone can be migrated, and all obstacles: the migration succeeds exactly when there are none. */
  async function check(zoneId: string, phase: MigrationPhase): Promise<Compatibility> {
    const { previous, state, refused } = await readAhead(zoneId)
    const notice = movedNotice(previous, state)
    if (notice !== undefined) return { isCompatible: false, state: 'done', notices: [notice], refused: [] }
    const notices = [...obstaclesOf(previous, phase), ...limitProblems(previous)].map(toNotice)
    return { isCompatible: notices.length + refused.length === 0, state, notices, refused }
  }

  /**
   * The equivalent rules.
   * @throws DomainError, too: waf.plan, waf_migration.done, limits, and the issues of a rule.
   */
  async function config(zoneId: string, phase: MigrationPhase): Promise<MigratedConfig> {
    const { previous, state, refused } = await readAhead(zoneId)
    const { plan } = previous.zone
    if (!hasLegacyWaf(plan)) throw new DomainError({ reason: 'waf.plan', values: { plan } })
    if (state === 'done') throw new DomainError({ reason: 'waf_migration.done' })
    throwIfIssues([...limitProblems(previous), ...refused])
    const notices = [...obstaclesOf(previous, phase).map(toNotice), ...leftOutNotices(previous)]
    return { rules: configOf(previous), notices }
  }

  async function status(zoneId: string): Promise<MigrationStatus> {
    return (await readConsistently(storage, [zoneId], (db) => statusIn(db, zoneId))).value
  }

  /** The state before the migration, and the issues of the equivalent rules. A consistent read. */
  async function readAhead(zoneId: string): Promise<Before & { readonly refused: readonly Issue[] }> {
    const { value } = await readConsistently(storage, [zoneId], async (db) => {
      const before = await read(db, zoneId)
      const isMoved = movedNotice(before.previous, before.state) !== undefined
      // If rules are too many or too long, their other issues are not checked.
      const isLimited = isMoved || limitProblems(before.previous).length > 0
      const refused = isLimited ? [] : await refusedOf(db, before.previous)
      return { ...before, refused }
    })
    return value
  }

  async function refusedOf(db: Reader, previous: LegacyFirewall): Promise<readonly Issue[]> {
    const sent = toSentRuleset(previous)
    const issues = await rulesets.migrationIssues(db, { level: 'zone', id: previous.zone.id }, PHASE, sent)
    return issues.map((issue) => ({ ...issue, subject: subjectOf(issue, sent) }))
  }

  /**
   * Saves the entry point of the managed rules and advances the migration of the zone, both or neither.
   *
   * @throws DomainError, too: waf.plan, waf_migration.*, and all issues of the entry point.
   */
  async function migrate(
    zoneId: string,
    request: MigrationRequest,
    phase: MigrationPhase,
    sent: Parameters<Rulesets['checkEntryPoint']>[2],
    actor: Actor,
  ): Promise<Ruleset> {
    const desired = await rulesets.checkEntryPoint({ level: 'zone', id: zoneId }, PHASE, sent)
    return storage.write(async (tx) => {
      const before = await read(tx, zoneId)
      return save(tx, await step(tx, before, request, phase), desired, actor)
    })
  }

  /**
   * Saves the equivalent configuration and advances the migration as far as the plan allows in one step:
   * enterprise zones to both products, other zones to the new one only.
   *
   * @param expected The state that the caller expects, if it is sure: the plan may have changed since.
   * @throws DomainError, too: waf.plan, waf_migration.*.
   */
  function deploy(
    zoneId: string,
    expected: MigrationState | undefined,
    actor: Actor,
  ): Promise<MigrationStatus> {
    return storage.write(async (tx) => {
      const before = await read(tx, zoneId)
      const { previous, state } = before
      const deployment = await step(tx, before, deployRequestOf(previous.zone.plan), 'two')
      if (state !== 'start') throw new DomainError({ reason: 'waf_migration.deployed', values: { state } })
      requireExpected(deployment, expected)
      const desired = await rulesets.checkEntryPoint(
        { level: 'zone', id: zoneId },
        PHASE,
        toSentRuleset(previous),
        tx,
      )
      await save(tx, deployment, desired, actor)
      return statusIn(tx, zoneId)
    })
  }

  /**
   * Ends the validation and leaves the entry point unchanged.
   * @throws DomainError, too: waf.plan, waf_migration.*.
   */
  function turnOffLegacy(zoneId: string, actor: Actor): Promise<MigrationStatus> {
    return storage.write(async (tx) => {
      const { previous, ops, at } = await step(tx, await read(tx, zoneId), 'turn_off', 'two')
      requireManaged(previous, await entryPointRules(tx, zoneId))
      await append(tx, { scopeId: zoneId, actor, at }, ops)
      return statusIn(tx, zoneId)
    })
  }

  /**
   * The legacy firewall at the time of the migration.
   * @throws DomainError, too: waf_migration.no_snapshot.
   */
  async function snapshot(zoneId: string): Promise<Snapshot> {
    await requireZone(storage, zoneId)
    const found = await findSnapshot(storage, zoneId)
    if (found === undefined) throw new DomainError({ reason: 'waf_migration.no_snapshot' })
    return found
  }

  /** Writes the next state and, with the last state, its data. The caller saves the rest. */
  async function step(
    tx: Transaction,
    { previous, state }: Before,
    request: MigrationRequest,
    phase: MigrationPhase,
  ): Promise<MigrationStep> {
    const { zone } = previous
    const next = nextState(state, request, zone.plan)
    if (typeof next !== 'string') throw new DomainError(next)
    throwIfIssues([...obstaclesOf(previous, phase), ...limitProblems(previous)])
    const at = clock.timestamp()
    const ops: ChangeOp[] = []
    if (next !== state) {
      await saveState(tx, zone.id, next)
      ops.push(stateOp(zone.id, state, next))
    }
    if (next === 'done') {
      await insertSnapshot(tx, snapshotOf(previous, at))
      ops.push(...(await switchWafOff(tx, zone, at)))
    }
    return { previous, next, ops, at }
  }

  async function save(
    tx: Transaction,
    { previous, next, ops }: MigrationStep,
    desired: Awaited<ReturnType<Rulesets['checkEntryPoint']>>,
    actor: Actor,
  ): Promise<Ruleset> {
    const owner = { level: 'zone', id: previous.zone.id } as const
    const saved = await rulesets.saveEntryPoint(tx, owner, PHASE, desired, actor, ops)
    if (next === 'done') requireManaged(previous, saved.rules)
    return saved
  }
}

interface Before {
  readonly previous: LegacyFirewall
  readonly state: MigrationState
}

interface MigrationStep {
  readonly previous: LegacyFirewall
  readonly next: MigrationState
  readonly ops: readonly ChangeOp[]
  readonly at: string
}

/** @throws DomainError: waf_migration.unexpected_state. */
function requireExpected({ previous, next }: MigrationStep, expected: MigrationState | undefined): void {
  if (expected === undefined || expected === next) return
  const { plan } = previous.zone
  throw new DomainError({ reason: 'waf_migration.unexpected_state', values: { plan, next, expected } })
}

async function read(db: Reader, zoneId: string): Promise<Before> {
  return { previous: await legacyFirewallOf(db, zoneId), state: await stateOf(db, zoneId) }
}

async function statusIn(db: Reader, zoneId: string): Promise<MigrationStatus> {
  const { previous, state } = await read(db, zoneId)
  const isMoved = movedNotice(previous, state) !== undefined
  return {
    state: isMoved ? 'done' : state,
    isLegacyOn: !isMoved && previous.wafOn,
    isNewOn: await hasEnabledManagedRules(db, zoneId),
  }
}

/** Whether the zone's entry point executes an enabled managed ruleset. */
export const hasEnabledManagedRules = async (db: Reader, zoneId: string): Promise<boolean> =>
  executesManaged(await entryPointRules(db, zoneId))

const entryPointRules = async (db: Reader, zoneId: string): Promise<Ruleset['rules']> =>
  (await entryPointOf(db, zoneId))?.rules ?? [] // it has no entry point yet

const entryPointOf = (db: Reader, zoneId: string): Promise<Ruleset | undefined> =>
  findEntryPoint(db, { level: 'zone', id: zoneId }, PHASE)

const executesManaged = (rules: readonly Rule[]): boolean =>
  rules.some(
    ({ definition: { action, enabled, parameters } }) =>
      action === 'execute' && enabled && managedRulesets().some(({ id }) => id === parameters?.['id']),
  )

/**
 * A zone without active managed rules may stay so.
 * @throws DomainError: waf_migration.not_enabled.
 */
function requireManaged({ wafOn }: LegacyFirewall, rules: readonly Rule[]): void {
  if (wafOn && !executesManaged(rules))
    throw new DomainError({ reason: 'waf_migration.not_enabled', pointer: '/rules' })
}

/** Notice for zones that have only the new managed rules. */
function movedNotice({ zone: { plan } }: LegacyFirewall, state: MigrationState): Notice | undefined {
  if (!hasLegacyWaf(plan)) return { notice: 'waf_migration.no_previous', values: { plan } }
  return state === 'done' ? { notice: 'waf_migration.done' } : undefined
}

function leftOutNotices(previous: LegacyFirewall): Notice[] {
  const { allowRules, owasp } = leftOut(previous)
  return [
    ...(allowRules.length === 0
      ? []
      : [{ notice: 'waf_migration.allow_rules', values: { ids: allowRules.join(', ') } } as const]),
    ...(owasp.length === 0
      ? []
      : [{ notice: 'waf_migration.owasp', values: { ids: owasp.join(', ') } } as const]),
  ]
}

const stateOp = (zoneId: string, before: MigrationState, after: MigrationState): ChangeOp => ({
  kind: 'waf_migration.update',
  objectId: zoneId,
  before: JSON.stringify({ migration_state: before }),
  after: JSON.stringify({ migration_state: after }),
})

const toNotice = ({ reason, values }: Obstacle): Notice => ({ notice: reason, values })

/** Names the rule that an issue is about, by its description or its expression. */
function subjectOf({ pointer = '' }: Issue, { rules = [] }: SentRuleset): string {
  const [, , index] = pointer.split('/')
  const { description, expression } = rules[Number(index)] ?? {}
  return description || expression || 'all rules'
}

/** The entry point in the form of a client request. */
const toSentRuleset = (previous: LegacyFirewall): SentRuleset => ({
  name: undefined,
  description: undefined,
  kind: undefined,
  phase: undefined,
  rules: configOf(previous).map(toSent),
  issues: [],
})

/** The rule in the form of a client request. */
function toSent(rule: MigratedRule, index: number): SentRule {
  const { action, parameters, expression, description, enabled, logging } = rule
  return {
    at: `/rules/${index}`,
    isObject: true,
    id: undefined,
    ref: undefined,
    action,
    parameters,
    expression,
    description,
    enabled,
    logging,
    ratelimit: undefined,
    exposedCheck: undefined,
    position: undefined,
    sent: new Set([
      'action',
      'action_parameters',
      'expression',
      'description',
      'enabled',
      ...(logging === undefined ? [] : ['logging']),
    ]),
    issues: [],
  }
}
