// Overrides of the previous managed rules for some URLs, until the zone has migrated to rulesets.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Notice } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import { demandZone, hasPreviousWaf } from '../zones/index.ts'
import {
  MAX_OVERRIDES,
  overrideIssues,
  overrideNotices,
  type WafOverrideContent,
} from './waf-overrides.rules.ts'
import {
  deleteWafOverride,
  deleteWafOverrides,
  findWafOverride,
  insertWafOverride,
  updateWafOverride,
  wafOverridesOf,
  type WafOverride,
} from './waf-overrides.store.ts'

export interface WafOverridesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** Whether the zone has left the previous managed rules behind. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export interface WrittenOverride {
  readonly override: WafOverride
  readonly notices: readonly Notice[]
}

export type WafOverrides = ReturnType<typeof createWafOverrides>

/** Every function throws a DomainError: zone.unknown, waf.retired where the zone has migrated. */
export function createWafOverrides({ storage, clock, ids, isMigrated }: WafOverridesDeps) {
  return { list, get, create, replace, remove }

  async function list(zoneId: string): Promise<WafOverride[]> {
    await demandNotMigrated(storage, zoneId)
    return wafOverridesOf(storage, zoneId)
  }

  /** @throws DomainError, too: waf_override.unknown. */
  async function get(zoneId: string, id: string): Promise<WafOverride> {
    await demandNotMigrated(storage, zoneId)
    return demand(storage, zoneId, id)
  }

  /** @throws DomainError, too: waf.plan, waf_override.empty, waf_override.key, waf_override.quota. */
  function create(zoneId: string, content: WafOverrideContent, actor: Actor): Promise<WrittenOverride> {
    return storage.write(async (tx) => {
      const { plan } = await demandNotMigrated(tx, zoneId)
      if (!hasPreviousWaf(plan)) throw new DomainError({ reason: 'waf.plan', values: { plan } })
      refuse(overrideIssues(content))
      if ((await wafOverridesOf(tx, zoneId)).length >= MAX_OVERRIDES)
        throw new DomainError({ reason: 'waf_override.quota', values: { limit: MAX_OVERRIDES } })
      const override = { id: ids.id(), ...content }
      await insertWafOverride(tx, zoneId, override)
      await record(tx, zoneId, actor, op(null, override))
      return { override, notices: overrideNotices(content) }
    })
  }

  /** @throws DomainError, too: waf_override.unknown, waf_override.empty, waf_override.key. */
  function replace(
    zoneId: string,
    id: string,
    content: WafOverrideContent,
    actor: Actor,
  ): Promise<WrittenOverride> {
    return storage.write(async (tx) => {
      await demandNotMigrated(tx, zoneId)
      const before = await demand(tx, zoneId, id)
      refuse(overrideIssues(content))
      const override = { id, ...content }
      if (JSON.stringify(op(before, before)) !== JSON.stringify(op(override, override))) {
        await updateWafOverride(tx, override)
        await record(tx, zoneId, actor, op(before, override))
      }
      return { override, notices: overrideNotices(content) }
    })
  }

  /** @throws DomainError, too: waf_override.unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await demandNotMigrated(tx, zoneId)
      const before = await demand(tx, zoneId, id)
      await deleteWafOverride(tx, id)
      await record(tx, zoneId, actor, op(before, null))
    })
  }

  async function demandNotMigrated(db: Reader, zoneId: string) {
    const zone = await demandZone(db, zoneId)
    if (await isMigrated(db, zoneId)) throw new DomainError({ reason: 'waf.retired' })
    return zone
  }

  async function record(tx: Transaction, zoneId: string, actor: Actor, done: ChangeOp): Promise<void> {
    await appendChange(tx, { scopeId: zoneId, at: clock.timestamp(), actor, serial: null, ops: [done] })
  }
}

/** Removes a zone's overrides, writing them to the change set at `position`. */
export async function removeWafOverrides(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const overrides = await wafOverridesOf(tx, zoneId)
  if (overrides.length === 0) return
  await deleteWafOverrides(tx, zoneId)
  await appendOps(
    tx,
    position,
    overrides.map((override) => op(override, null)),
  )
}

async function demand(db: Reader, zoneId: string, id: string): Promise<WafOverride> {
  const override = await findWafOverride(db, zoneId, id)
  if (override === undefined) throw new DomainError({ reason: 'waf_override.unknown' })
  return override
}

function op(before: WafOverride | null, after: WafOverride | null): ChangeOp {
  const done = before === null ? 'create' : after === null ? 'delete' : 'update'
  return {
    kind: `waf_override.${done}`,
    objectId: (after ?? before)?.id ?? '',
    before: before && textOf(before),
    after: after && textOf(after),
  }
}

/** Members in one order, however they were put together. */
const textOf = ({
  id,
  description,
  urls,
  priority,
  groups,
  rules,
  rewriteAction,
  paused,
}: WafOverride): string =>
  JSON.stringify({ id, description, urls, priority, groups, rules, rewriteAction, paused })
