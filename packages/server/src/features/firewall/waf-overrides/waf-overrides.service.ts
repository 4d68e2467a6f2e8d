// Overrides of the legacy managed rules for some URLs, until the zone has migrated to rulesets.
import {
  type Actor,
  DomainError,
  type Ids,
  ifReadable,
  type Notice,
  throwIfIssues,
} from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp, deletionOp, subjectOf, verbOf, type ChangeOp } from '../../changes/index.ts'
import { requireZone, hasLegacyWaf, type ZoneContents } from '../../zones/index.ts'
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
  readonly ids: Ids
  /** Whether the zone has completed the migration from the legacy managed rules. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export interface WrittenOverride {
  readonly override: WafOverride
  readonly notices: readonly Notice[]
}

export type WafOverrides = ReturnType<typeof createWafOverrides>

/** Every function throws a DomainError: zone.unknown, waf.retired if the zone has migrated. */
export function createWafOverrides({ storage, ids, isMigrated }: WafOverridesDeps) {
  return { list, get, create, replace, remove }

  async function list(zoneId: string): Promise<WafOverride[]> {
    await requireNotMigrated(storage, zoneId)
    return wafOverridesOf(storage, zoneId)
  }

  /** @throws DomainError, too: waf_override.unknown. */
  async function get(zoneId: string, id: string): Promise<WafOverride> {
    await requireNotMigrated(storage, zoneId)
    return requireWafOverride(storage, zoneId, id)
  }

  /** @throws DomainError, too: waf.plan, waf_override.empty, waf_override.key, waf_override.quota. */
  function create(zoneId: string, content: WafOverrideContent, actor: Actor): Promise<WrittenOverride> {
    return storage.write(async (tx) => {
      const { plan } = await requireNotMigrated(tx, zoneId)
      if (!hasLegacyWaf(plan)) throw new DomainError({ reason: 'waf.plan', values: { plan } })
      throwIfIssues(overrideIssues(content))
      if ((await wafOverridesOf(tx, zoneId)).length >= MAX_OVERRIDES)
        throw new DomainError({ reason: 'waf_override.quota', values: { limit: MAX_OVERRIDES } })
      const override = { id: ids.id(), ...content }
      await insertWafOverride(tx, zoneId, override)
      await append(tx, { scopeId: zoneId, actor }, [op(null, override)])
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
      await requireNotMigrated(tx, zoneId)
      const before = await requireWafOverride(tx, zoneId, id)
      throwIfIssues(overrideIssues(content))
      const override = { id, ...content }
      if (JSON.stringify(op(before, before)) !== JSON.stringify(op(override, override))) {
        await updateWafOverride(tx, override)
        await append(tx, { scopeId: zoneId, actor }, [op(before, override)])
      }
      return { override, notices: overrideNotices(content) }
    })
  }

  /** @throws DomainError, too: waf_override.unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireNotMigrated(tx, zoneId)
      const before = await ifReadable(requireWafOverride(tx, zoneId, id))
      await deleteWafOverride(tx, id)
      await append(tx, { scopeId: zoneId, actor }, [deletionOp('waf_override.delete', id, before, textOf)])
    })
  }

  async function requireNotMigrated(db: Reader, zoneId: string) {
    const zone = await requireZone(db, zoneId)
    if (await isMigrated(db, zoneId)) throw new DomainError({ reason: 'waf.retired' })
    return zone
  }
}

export const zoneOverrides: ZoneContents = {
  name: 'firewall overrides',
  operations: async (db, zoneId) => (await wafOverridesOf(db, zoneId)).map((override) => op(override, null)),
  remove: deleteWafOverrides,
}

async function requireWafOverride(db: Reader, zoneId: string, id: string): Promise<WafOverride> {
  const override = await findWafOverride(db, zoneId, id)
  if (override === undefined) throw new DomainError({ reason: 'waf_override.unknown' })
  return override
}

const op = (before: WafOverride | null, after: WafOverride | null): ChangeOp =>
  changeOp(`waf_override.${verbOf(before, after)}`, subjectOf(before, after).id, before, after, textOf)

/** JSON with members in a fixed order. */
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
