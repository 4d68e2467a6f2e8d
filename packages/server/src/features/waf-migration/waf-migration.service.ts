// The way from the previous managed rules to rulesets: what a zone would get, and each step in one transaction.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Issue, type Notice } from '../../platform/domain-error.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, readSettled, type ChangeOp } from '../changes/index.ts'
import { MANAGED_RULESETS } from '../managed-rules/index.ts'
import {
  findEntryPoint,
  type Rule,
  type Ruleset,
  type Rulesets,
  type SentRule,
  type SentRuleset,
} from '../rulesets/index.ts'
import { switchWafOff } from '../zone-settings/index.ts'
import { demandZone, hasPreviousWaf } from '../zones/index.ts'
import { limitProblems, obstaclesOf, type MigrationPhase, type Obstacle } from './eligibility.rules.ts'
import { leftOut } from './managed-overrides.rules.ts'
import { configOf, type MigratedRule } from './migrated-config.rules.ts'
import {
  deployRequestOf,
  nextState,
  type MigrationRequest,
  type MigrationState,
} from './migration-states.rules.ts'
import { previousFirewallOf } from './previous-firewall.service.ts'
import type { PreviousFirewall } from './previous-firewall.ts'
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
  /** What the entry point would be refused for that does the same as the previous rules. */
  readonly refused: readonly Issue[]
}

export interface MigrationStatus {
  readonly state: MigrationState
  readonly isOldOn: boolean
  readonly isNewOn: boolean
}

export interface MigratedConfig {
  readonly rules: readonly MigratedRule[]
  readonly notices: readonly Notice[]
}

const PHASE = 'http_request_firewall_managed'

/** Every function throws a DomainError: zone.unknown. */
export function createWafMigration({ storage, clock, rulesets }: WafMigrationDeps) {
  return { check, config, status, migrate, deploy, turnOffPrevious, snapshot }

  /** Whether the zone can leave the previous managed rules, and what keeps it from it: the same that would be refused. */
  async function check(zoneId: string, phase: MigrationPhase): Promise<Compatibility> {
    const { previous, state, refused } = await readAhead(zoneId)
    const notice = movedNotice(previous, state)
    if (notice !== undefined) return { isCompatible: false, state: 'done', notices: [notice], refused: [] }
    const obstacles = obstaclesOf(previous, phase)
    return {
      isCompatible: obstacles.length === 0,
      state,
      notices: [...obstacles, ...limitProblems(previous)].map(toNotice),
      refused,
    }
  }

  /** The rules that do the same. @throws DomainError, too: waf.plan, waf_migration.done, limits, and what is wrong with a rule. */
  async function config(zoneId: string, phase: MigrationPhase): Promise<MigratedConfig> {
    const { previous, state, refused } = await readAhead(zoneId)
    const { plan } = previous.zone
    if (!hasPreviousWaf(plan)) throw new DomainError({ reason: 'waf.plan', values: { plan } })
    if (state === 'done') throw new DomainError({ reason: 'waf_migration.done' })
    refuse([...limitProblems(previous), ...refused])
    const notices = [...obstaclesOf(previous, phase).map(toNotice), ...leftOutNotices(previous)]
    return { rules: configOf(previous), notices }
  }

  async function status(zoneId: string): Promise<MigrationStatus> {
    return (await readSettled(storage, [zoneId], (db) => statusIn(db, zoneId))).value
  }

  /** What there is, and what of it the new rules could not be. All of one moment. */
  async function readAhead(zoneId: string): Promise<Before & { readonly refused: readonly Issue[] }> {
    const { value } = await readSettled(storage, [zoneId], async (db) => {
      const before = await read(db, zoneId)
      const isMoved = movedNotice(before.previous, before.state) !== undefined
      // With too many rules, or too long ones, what else is wrong with them need not be told.
      const isLimited = isMoved || limitProblems(before.previous).length > 0
      const refused = isLimited ? [] : await refusedOf(db, before.previous)
      return { ...before, refused }
    })
    return value
  }

  async function refusedOf(db: Reader, previous: PreviousFirewall): Promise<readonly Issue[]> {
    const sent = toSentRuleset(previous)
    const issues = await rulesets.migrationIssues(db, { level: 'zone', id: previous.zone.id }, PHASE, sent)
    return issues.map((issue) => ({ ...issue, subject: subjectOf(issue, sent) }))
  }

  /**
   * Saves the entry point of the managed rules and takes the zone a step further, or neither.
   *
   * @throws DomainError, too: waf.plan, waf_migration.*, and all that is wrong with the entry point.
   */
  async function migrate(
    zoneId: string,
    request: MigrationRequest,
    phase: MigrationPhase,
    sent: Parameters<Rulesets['checkEntryPoint']>[2],
    actor: Actor,
  ): Promise<Ruleset> {
    const wanted = await rulesets.checkEntryPoint({ level: 'zone', id: zoneId }, PHASE, sent)
    return storage.write(async (tx) => {
      const before = await read(tx, zoneId)
      return save(tx, await step(tx, before, request, phase), wanted, actor)
    })
  }

  /**
   * Saves the configuration that does the same as the previous one, and takes the zone as far as its plan goes in one
   * step: enterprise zones to both versions at once, others to the new one alone.
   *
   * @throws DomainError, too: waf.plan, waf_migration.*.
   */
  function deploy(zoneId: string, actor: Actor): Promise<MigrationStatus> {
    return storage.write(async (tx) => {
      const before = await read(tx, zoneId)
      const { previous, state } = before
      const taken = await step(tx, before, deployRequestOf(previous.zone.plan), 'two')
      if (state !== 'start') throw new DomainError({ reason: 'waf_migration.deployed', values: { state } })
      const wanted = await rulesets.checkEntryPoint(
        { level: 'zone', id: zoneId },
        PHASE,
        toSentRuleset(previous),
        tx,
      )
      await save(tx, taken, wanted, actor)
      return statusIn(tx, zoneId)
    })
  }

  /** Ends the validation, with the entry point as it is. @throws DomainError, too: waf.plan, waf_migration.*. */
  function turnOffPrevious(zoneId: string, actor: Actor): Promise<MigrationStatus> {
    return storage.write(async (tx) => {
      const { previous, ops, at } = await step(tx, await read(tx, zoneId), 'turn_off', 'two')
      demandManaged(previous, (await entryPointOf(tx, zoneId))?.rules ?? [])
      await appendChange(tx, { scopeId: zoneId, at, actor, serial: null, ops })
      return statusIn(tx, zoneId)
    })
  }

  /** The previous firewall as it was when the zone left it. @throws DomainError, too: waf_migration.no_snapshot. */
  async function snapshot(zoneId: string): Promise<Snapshot> {
    await demandZone(storage, zoneId)
    const found = await findSnapshot(storage, zoneId)
    if (found === undefined) throw new DomainError({ reason: 'waf_migration.no_snapshot' })
    return found
  }

  /** Writes the next state, and with the last one what belongs to it. The caller saves the rest. */
  async function step(
    tx: Transaction,
    { previous, state }: Before,
    request: MigrationRequest,
    phase: MigrationPhase,
  ): Promise<Step> {
    const { zone } = previous
    const next = nextState(state, request, zone.plan)
    if (typeof next !== 'string') throw new DomainError(next)
    refuse([...obstaclesOf(previous, phase), ...limitProblems(previous)])
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
    { previous, next, ops }: Step,
    wanted: Awaited<ReturnType<Rulesets['checkEntryPoint']>>,
    actor: Actor,
  ): Promise<Ruleset> {
    const owner = { level: 'zone', id: previous.zone.id } as const
    const saved = await rulesets.saveEntryPoint(tx, owner, PHASE, wanted, actor, ops)
    if (next === 'done') demandManaged(previous, saved.rules)
    return saved
  }
}

interface Before {
  readonly previous: PreviousFirewall
  readonly state: MigrationState
}

interface Step {
  readonly previous: PreviousFirewall
  readonly next: MigrationState
  readonly ops: readonly ChangeOp[]
  readonly at: string
}

async function read(db: Reader, zoneId: string): Promise<Before> {
  return { previous: await previousFirewallOf(db, zoneId), state: await stateOf(db, zoneId) }
}

async function statusIn(db: Reader, zoneId: string): Promise<MigrationStatus> {
  const { previous, state } = await read(db, zoneId)
  const isMoved = movedNotice(previous, state) !== undefined
  return {
    state: isMoved ? 'done' : state,
    isOldOn: !isMoved && previous.wafOn,
    isNewOn: executesManaged((await entryPointOf(db, zoneId))?.rules ?? []),
  }
}

const entryPointOf = (db: Reader, zoneId: string): Promise<Ruleset | undefined> =>
  findEntryPoint(db, { level: 'zone', id: zoneId }, PHASE)

const executesManaged = (rules: readonly Rule[]): boolean =>
  rules.some(
    ({ definition: { action, enabled, parameters } }) =>
      action === 'execute' && enabled && MANAGED_RULESETS.some(({ id }) => id === parameters?.['id']),
  )

/** A zone that was without managed rules may stay so. @throws DomainError: waf_migration.not_enabled. */
function demandManaged({ wafOn }: PreviousFirewall, rules: readonly Rule[]): void {
  if (wafOn && !executesManaged(rules))
    throw new DomainError({ reason: 'waf_migration.not_enabled', pointer: '/rules' })
}

/** Said of zones that have the new managed rules alone. */
function movedNotice({ zone: { plan } }: PreviousFirewall, state: MigrationState): Notice | undefined {
  if (!hasPreviousWaf(plan)) return { notice: 'waf_migration.no_previous', values: { plan } }
  return state === 'done' ? { notice: 'waf_migration.done' } : undefined
}

function leftOutNotices(previous: PreviousFirewall): Notice[] {
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

/** Which rule an issue is about: by what its author calls it, or by what it says. */
function subjectOf({ pointer = '' }: Issue, { rules = [] }: SentRuleset): string {
  const { description, expression } = rules[Number(pointer.split('/')[2] ?? -1)] ?? {}
  return description || expression || 'all rules'
}

/** The entry point as a client would send it. */
const toSentRuleset = (previous: PreviousFirewall): SentRuleset => ({
  name: undefined,
  description: undefined,
  kind: undefined,
  phase: undefined,
  rules: configOf(previous).map(toSent),
  issues: [],
})

/** The rule as a client would send it. */
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
