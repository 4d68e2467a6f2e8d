// Page rules of a zone: each has a unique priority; their number is limited by the zone's plan.
import { type Actor, type Clock, DomainError, type Ids, ifReadable, type Notice } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, deletionOp, subjectOf, type ChangeOp } from '../../changes/index.ts'
import { requireZone, PAGE_RULE_QUOTAS, type Zone, type ZoneContents } from '../../zones/index.ts'
import { pageRuleSettings } from '@zonereeve/firewall'
import {
  canMatchZone,
  contentOf,
  draftProblems,
  haveSameTarget,
  inTheWay,
  DEFAULT_PRIORITY,
  DEFAULT_STATUS,
  type PageRuleContent,
  type PageRuleDraft,
  type PageRuleProblem,
} from './page-rules.rules.ts'
import {
  deletePageRule,
  deletePageRules,
  findPageRule,
  insertPageRule,
  pageRulesOf,
  updatePageRule,
  type PageRule,
} from './page-rules.store.ts'

export interface PageRulesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** Whether the zone has completed the migration from the legacy managed rules. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export interface PageRuleQuery {
  readonly order: 'status' | 'priority'
  readonly descending: boolean
  readonly status: PageRule['status'] | undefined
}

export interface WrittenPageRule {
  readonly rule: PageRule
  readonly notices: readonly Notice[]
}

export type PageRules = ReturnType<typeof createPageRules>

export function createPageRules({ storage, clock, ids, isMigrated }: PageRulesDeps) {
  return { list, settings, get, create, replace, edit, remove }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string, desired: PageRuleQuery): Promise<PageRule[]> {
    await requireZone(storage, zoneId)
    const rules = (await pageRulesOf(storage, zoneId)).filter(
      ({ status }) => desired.status === undefined || status === desired.status,
    )
    // The store returns the highest priority first.
    const ascending =
      desired.order === 'priority'
        ? rules.toReversed()
        : rules.toSorted((a, b) => a.status.localeCompare(b.status))
    return desired.descending ? ascending.toReversed() : ascending
  }

  /** @throws DomainError: zone.unknown. */
  async function settings(zoneId: string) {
    await requireZone(storage, zoneId)
    return pageRuleSettings()
  }

  /** @throws DomainError: page_rule.unknown. */
  function get(zoneId: string, id: string): Promise<PageRule> {
    return requirePageRule(storage, zoneId, id)
  }

  /**
   * Rules that occupy its priority move up.
   * @throws DomainError: page_rule.invalid, zone.unknown.
   */
  function create(zoneId: string, draft: PageRuleDraft, actor: Actor): Promise<WrittenPageRule> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      rejectProblems(draftProblems(draft, ['targets', 'actions']))
      const others = await pageRulesOf(tx, zoneId)
      const quota = PAGE_RULE_QUOTAS[zone.plan]
      if (others.length >= quota)
        rejectProblems([
          { pointer: '', problem: `a zone of plan ${zone.plan} has at most ${quota} page rules` },
        ])
      const at = clock.timestamp()
      const rule: PageRule = {
        id: ids.id(),
        ...contentOf(draft, EMPTY_CONTENT),
        createdOn: at,
        modifiedOn: at,
      }
      rejectSameTarget(rule, others)
      const moves = await shiftPriorities(tx, rule.priority, others, at)
      await insertPageRule(tx, zoneId, rule)
      await append(tx, { scopeId: zoneId, actor, at }, [op('page_rule.create', null, rule), ...moves])
      return { rule, notices: await noticesOf(tx, rule, zone) }
    })
  }

  /**
   * Members that are not sent are reset to their defaults.
   * @throws DomainError: page_rule.unknown, page_rule.invalid.
   */
  function replace(zoneId: string, id: string, draft: PageRuleDraft, actor: Actor): Promise<WrittenPageRule> {
    return write(zoneId, id, draft, ['targets', 'actions'], () => EMPTY_CONTENT, actor)
  }

  /**
   * Members that are not sent stay unchanged.
   * @throws DomainError: page_rule.unknown, page_rule.invalid.
   */
  function edit(zoneId: string, id: string, draft: PageRuleDraft, actor: Actor): Promise<WrittenPageRule> {
    return write(zoneId, id, draft, [], (before) => before, actor)
  }

  function write(
    zoneId: string,
    id: string,
    draft: PageRuleDraft,
    required: readonly (keyof PageRuleDraft)[],
    otherwise: (before: PageRule) => PageRuleContent,
    actor: Actor,
  ): Promise<WrittenPageRule> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await requirePageRule(tx, zoneId, id)
      rejectProblems(draftProblems(draft, required))
      const desired: PageRule = { ...before, ...contentOf(draft, otherwise(before)) }
      const notices = await noticesOf(tx, desired, zone)
      if (JSON.stringify(desired) === JSON.stringify(before)) return { rule: before, notices }
      const others = (await pageRulesOf(tx, zoneId)).filter((other) => other.id !== id)
      rejectSameTarget(desired, others)
      const at = clock.timestamp()
      const rule = { ...desired, modifiedOn: at }
      const moves = await shiftPriorities(tx, rule.priority, others, at)
      await updatePageRule(tx, rule)
      await append(tx, { scopeId: zoneId, actor, at }, [op('page_rule.update', before, rule), ...moves])
      return { rule, notices }
    })
  }

  /**
   * The other rules keep their priorities.
   * @throws DomainError: page_rule.unknown.
   */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await ifReadable(requirePageRule(tx, zoneId, id))
      await deletePageRule(tx, id)
      await append(tx, { scopeId: zoneId, actor }, [deletionOp('page_rule.delete', id, before)])
    })
  }

  async function noticesOf(db: Reader, rule: PageRule, zone: Zone): Promise<readonly Notice[]> {
    const switchesWaf = rule.actions.some(({ id }) => id === 'waf' || id === 'disable_security')
    const isRetired = switchesWaf && (await isMigrated(db, zone.id))
    return [
      ...outsideNotices(rule, zone),
      ...(isRetired ? [{ notice: 'page_rule.waf_retired' } as const] : []),
    ]
  }
}

export const zonePageRules: ZoneContents = {
  name: 'page rules',
  operations: async (db, zoneId) =>
    (await pageRulesOf(db, zoneId)).map((rule) => op('page_rule.delete', rule, null)),
  remove: deletePageRules,
}

const EMPTY_CONTENT: PageRuleContent = {
  targets: [],
  actions: [],
  priority: DEFAULT_PRIORITY,
  status: DEFAULT_STATUS,
}

async function shiftPriorities(
  tx: Transaction,
  priority: number,
  others: readonly PageRule[],
  at: string,
): Promise<ChangeOp[]> {
  const ops: ChangeOp[] = []
  for (const before of inTheWay(priority, others)) {
    const after = { ...before, priority: before.priority + 1, modifiedOn: at }
    await updatePageRule(tx, after)
    ops.push(op('page_rule.update', before, after))
  }
  return ops
}

const op = (kind: string, before: PageRule | null, after: PageRule | null): ChangeOp =>
  changeOp(kind, subjectOf(before, after).id, before, after)

/** @throws DomainError: page_rule.unknown. */
async function requirePageRule(db: Reader, zoneId: string, id: string): Promise<PageRule> {
  const rule = await findPageRule(db, zoneId, id)
  if (rule === undefined) throw new DomainError({ reason: 'page_rule.unknown' })
  return rule
}

/** @throws DomainError: page_rule.invalid, one per problem; the messages describe the problems. */
function rejectProblems(problems: readonly PageRuleProblem[]): void {
  const [first, ...rest] = problems.map(({ pointer }) => ({ reason: 'page_rule.invalid', pointer }) as const)
  if (first === undefined) return
  throw new DomainError(
    [first, ...rest],
    problems.map(({ pointer, problem }) => ({
      notice: 'page_rule.problem',
      values: { member: memberOf(pointer), problem },
    })),
  )
}

function rejectSameTarget(rule: PageRule, others: readonly PageRule[]): void {
  if (!others.some((other) => haveSameTarget(other, rule))) return
  throw new DomainError({ reason: 'page_rule.invalid', pointer: '/targets' }, [
    { notice: 'page_rule.same_target' },
  ])
}

/** Formats `/actions/0/value` as in messages: `.actions[0].value`. */
const memberOf = (pointer: string): string =>
  pointer === '' ? '.pageRules' : pointer.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.')

function outsideNotices(rule: PageRule, zone: Zone): readonly Notice[] {
  return rule.targets
    .filter((target) => !canMatchZone(target, [zone.name, zone.displayName]))
    .map(({ constraint }) => ({
      notice: 'page_rule.outside_zone',
      values: { pattern: constraint.value, zone: zone.displayName },
    }))
}
