// Reads rulesets: an owner's own ones, and the managed ones that are part of the program.
import { DomainError } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import {
  findManaged,
  managedRulesets,
  type ManagedRuleset,
  type Owner,
  type Ruleset,
  type RulesetSummary,
} from '@zonereeve/firewall'
import { requirePhase } from './owner.service.ts'
import { findEntryPoint, findRuleset, findVersion, listRulesets, listVersions } from './rulesets.store.ts'

/** A managed ruleset or one of the owner's. */
export type OwnOrManagedRuleset = Ruleset | ManagedRuleset
export type OwnOrManagedSummary = RulesetSummary | ManagedRuleset

export interface RulesetPage {
  readonly rulesets: readonly OwnOrManagedSummary[]
  /** Cursor of the next page; undefined on the last. */
  readonly after: string | undefined
}

export function createReadRulesets(db: Reader) {
  return { list, get, versions, version, byTag, entryPoint, entryPointVersions, entryPointVersion }

  /**
   * Managed rulesets first, then the owner's, oldest first.
   * @throws DomainError: request.invalid for an invalid cursor.
   */
  async function list(owner: Owner, cursor: string | undefined, perPage: number): Promise<RulesetPage> {
    const own = await listRulesets(db, owner)
    const all = [
      ...managedRulesets().map((ruleset, index) => ({ place: index - managedRulesets().length, ruleset })),
      ...own.map((ruleset) => ({ place: ruleset.position, ruleset })),
    ]
    const start = cursor === undefined ? Number.NEGATIVE_INFINITY : readCursor(cursor)
    const rest = all.filter(({ place }) => place > start)
    const page = rest.slice(0, perPage)
    const last = page.at(-1)
    const isLast = last === undefined || rest.length <= perPage
    return {
      rulesets: page.map(({ ruleset }) => ruleset),
      after: isLast ? undefined : writeCursor(last.place),
    }
  }

  /** @throws DomainError: ruleset.unknown. */
  async function get(owner: Owner, id: string): Promise<OwnOrManagedRuleset> {
    return findManaged(id) ?? requireRuleset(db, owner, id)
  }

  /** Oldest first. @throws DomainError: ruleset.unknown. */
  async function versions(owner: Owner, id: string): Promise<readonly OwnOrManagedSummary[]> {
    const managed = findManaged(id)
    if (managed !== undefined) return [managed]
    await requireRuleset(db, owner, id)
    return listVersions(db, owner, id)
  }

  /** @throws DomainError: ruleset.unknown, ruleset.version_unknown. */
  async function version(owner: Owner, id: string, desired: string): Promise<OwnOrManagedRuleset> {
    const managed = findManaged(id)
    if (managed === undefined) {
      await requireRuleset(db, owner, id)
      return requireVersion(db, owner, id, desired)
    }
    if (managed.version !== desired) throw versionUnknown(desired)
    return managed
  }

  /**
   * The version, reduced to its rules with the tag.
   * @throws DomainError: ruleset.unknown, ruleset.version_unknown.
   */
  async function byTag(owner: Owner, id: string, desired: string, tag: string): Promise<OwnOrManagedRuleset> {
    const shown = await version(owner, id, desired)
    if ('owner' in shown) return { ...shown, rules: [] }
    return { ...shown, rules: shown.rules.filter(({ categories }) => categories.includes(tag)) }
  }

  /** @throws DomainError: ruleset.unknown_phase, ruleset.no_entry_point. */
  async function entryPoint(owner: Owner, phaseText: string): Promise<Ruleset> {
    const phase = requirePhase(phaseText)
    const found = await findEntryPoint(db, owner, phase)
    if (found === undefined) throw new DomainError({ reason: 'ruleset.no_entry_point', values: { phase } })
    return found
  }

  /**
   * Empty if there is no entry point.
   * @throws DomainError: ruleset.unknown_phase.
   */
  async function entryPointVersions(owner: Owner, phaseText: string): Promise<RulesetSummary[]> {
    const found = await findEntryPoint(db, owner, requirePhase(phaseText))
    return found === undefined ? [] : listVersions(db, owner, found.id)
  }

  /** @throws DomainError: ruleset.unknown_phase, ruleset.no_entry_point, ruleset.version_unknown. */
  async function entryPointVersion(owner: Owner, phaseText: string, desired: string): Promise<Ruleset> {
    const { id } = await entryPoint(owner, phaseText)
    return requireVersion(db, owner, id, desired)
  }
}

/** @throws DomainError: ruleset.unknown. */
export async function requireRuleset(db: Reader, owner: Owner, id: string): Promise<Ruleset> {
  const found = await findRuleset(db, owner, id)
  if (found === undefined) throw new DomainError({ reason: 'ruleset.unknown' })
  return found
}

/** @throws DomainError: ruleset.unknown, ruleset.managed. */
export async function requireOwn(db: Reader, owner: Owner, id: string): Promise<Ruleset> {
  if (findManaged(id) !== undefined) throw new DomainError({ reason: 'ruleset.managed' })
  return requireRuleset(db, owner, id)
}

/** @throws DomainError: ruleset.version_unknown. */
export async function requireVersion(
  db: Reader,
  owner: Owner,
  id: string,
  desired: string,
): Promise<Ruleset> {
  const number = /^[1-9]\d{0,14}$/.test(desired) ? Number(desired) : undefined
  const found = number === undefined ? undefined : await findVersion(db, owner, id, number)
  if (found === undefined) throw versionUnknown(desired)
  return found
}

const versionUnknown = (version: string) =>
  new DomainError({ reason: 'ruleset.version_unknown', values: { version } })

const writeCursor = (place: number): string => Buffer.from(`after ${place}`).toString('base64url')

function readCursor(cursor: string): number {
  const place = /^after (-?\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (place !== undefined) return Number(place)
  const values = { problem: 'cursor must be from a previous page of this list' }
  throw new DomainError({ reason: 'request.invalid', pointer: '/cursor', values })
}
