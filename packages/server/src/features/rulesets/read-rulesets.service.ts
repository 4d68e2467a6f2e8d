// Reading rulesets: those of an owner, and those that come with the program.
import { DomainError } from '../../platform/domain-error.ts'
import type { Reader } from '../../storage/index.ts'
import { MANAGED_RULESETS, type ManagedRuleset } from '../managed-rules/index.ts'
import { findManaged } from './managed.ts'
import { demandPhase } from './owner.service.ts'
import type { Owner, Ruleset, RulesetSummary } from './ruleset.ts'
import { findEntryPoint, findRuleset, findVersion, listRulesets, listVersions } from './rulesets.store.ts'

/** A managed ruleset or one of the owner's. */
export type Shown = Ruleset | ManagedRuleset
export type ShownSummary = RulesetSummary | ManagedRuleset

export interface RulesetPage {
  readonly rulesets: readonly ShownSummary[]
  /** Where the next page starts; undefined on the last. */
  readonly after: string | undefined
}

export function createReadRulesets(db: Reader) {
  return { list, get, versions, version, byTag, entryPoint, entryPointVersions, entryPointVersion }

  /** Managed rulesets first, then the owner's, oldest first. @throws DomainError: request.invalid for a cursor that is none. */
  async function list(owner: Owner, cursor: string | undefined, perPage: number): Promise<RulesetPage> {
    const own = await listRulesets(db, owner)
    const all = [
      ...MANAGED_RULESETS.map((ruleset, index) => ({ place: index - MANAGED_RULESETS.length, ruleset })),
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
  async function get(owner: Owner, id: string): Promise<Shown> {
    return findManaged(id) ?? demandRuleset(db, owner, id)
  }

  /** Oldest first. @throws DomainError: ruleset.unknown. */
  async function versions(owner: Owner, id: string): Promise<readonly ShownSummary[]> {
    const managed = findManaged(id)
    if (managed !== undefined) return [managed]
    await demandRuleset(db, owner, id)
    return listVersions(db, owner, id)
  }

  /** @throws DomainError: ruleset.unknown, ruleset.version_unknown. */
  async function version(owner: Owner, id: string, wanted: string): Promise<Shown> {
    const managed = findManaged(id)
    if (managed === undefined) {
      await demandRuleset(db, owner, id)
      return demandVersion(db, owner, id, wanted)
    }
    if (managed.version !== wanted) throw versionUnknown(wanted)
    return managed
  }

  /** The version with those of its rules that have the tag. @throws DomainError: ruleset.unknown, ruleset.version_unknown. */
  async function byTag(owner: Owner, id: string, wanted: string, tag: string): Promise<Shown> {
    const shown = await version(owner, id, wanted)
    if ('owner' in shown) return { ...shown, rules: [] }
    return { ...shown, rules: shown.rules.filter(({ categories }) => categories.includes(tag)) }
  }

  /** @throws DomainError: ruleset.unknown_phase, ruleset.no_entry_point. */
  async function entryPoint(owner: Owner, phaseText: string): Promise<Ruleset> {
    const phase = demandPhase(phaseText)
    const found = await findEntryPoint(db, owner, phase)
    if (found === undefined) throw new DomainError({ reason: 'ruleset.no_entry_point', values: { phase } })
    return found
  }

  /** None where there is no entry point. @throws DomainError: ruleset.unknown_phase. */
  async function entryPointVersions(owner: Owner, phaseText: string): Promise<RulesetSummary[]> {
    const found = await findEntryPoint(db, owner, demandPhase(phaseText))
    return found === undefined ? [] : listVersions(db, owner, found.id)
  }

  /** @throws DomainError: ruleset.unknown_phase, ruleset.no_entry_point, ruleset.version_unknown. */
  async function entryPointVersion(owner: Owner, phaseText: string, wanted: string): Promise<Ruleset> {
    const { id } = await entryPoint(owner, phaseText)
    return demandVersion(db, owner, id, wanted)
  }
}

/** @throws DomainError: ruleset.unknown. */
export async function demandRuleset(db: Reader, owner: Owner, id: string): Promise<Ruleset> {
  const found = await findRuleset(db, owner, id)
  if (found === undefined) throw new DomainError({ reason: 'ruleset.unknown' })
  return found
}

/** @throws DomainError: ruleset.version_unknown. */
export async function demandVersion(db: Reader, owner: Owner, id: string, wanted: string): Promise<Ruleset> {
  const number = /^[1-9]\d{0,14}$/.test(wanted) ? Number(wanted) : undefined
  const found = number === undefined ? undefined : await findVersion(db, owner, id, number)
  if (found === undefined) throw versionUnknown(wanted)
  return found
}

const versionUnknown = (version: string) =>
  new DomainError({ reason: 'ruleset.version_unknown', values: { version } })

const writeCursor = (place: number): string => Buffer.from(`after ${place}`).toString('base64url')

function readCursor(cursor: string): number {
  const place = /^after (-?\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (place !== undefined) return Number(place)
  const values = { problem: 'cursor must be one that a page of this list gave' }
  throw new DomainError({ reason: 'request.invalid', pointer: '/cursor', values })
}
