// Page rules of a zone: each with a priority of its own, as many as the zone's plan has room for.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, type Notice } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import { demandZone, PAGE_RULE_QUOTAS, type Zone } from '../zones/index.ts'
import { pageRuleSettings } from './page-rule-settings.rules.ts'
import {
  canMatchZone,
  contentOf,
  draftProblems,
  haveSameTarget,
  inTheWay,
  USUAL_PRIORITY,
  USUAL_STATUS,
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
  /** Whether the zone has left the previous managed rules behind. */
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
  async function list(zoneId: string, wanted: PageRuleQuery): Promise<PageRule[]> {
    await demandZone(storage, zoneId)
    const rules = (await pageRulesOf(storage, zoneId)).filter(
      ({ status }) => wanted.status === undefined || status === wanted.status,
    )
    // They come with the highest priority first.
    const ascending =
      wanted.order === 'priority'
        ? rules.toReversed()
        : rules.toSorted((a, b) => a.status.localeCompare(b.status))
    return wanted.descending ? ascending.toReversed() : ascending
  }

  /** @throws DomainError: zone.unknown. */
  async function settings(zoneId: string) {
    await demandZone(storage, zoneId)
    return pageRuleSettings()
  }

  /** @throws DomainError: page_rule.unknown. */
  function get(zoneId: string, id: string): Promise<PageRule> {
    return demand(storage, zoneId, id)
  }

  /** Rules that are in the way of its priority move up. @throws DomainError: page_rule.invalid, zone.unknown. */
  function create(zoneId: string, draft: PageRuleDraft, actor: Actor): Promise<WrittenPageRule> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      refuseProblems(draftProblems(draft, ['targets', 'actions']))
      const others = await pageRulesOf(tx, zoneId)
      const quota = PAGE_RULE_QUOTAS[zone.plan]
      if (others.length >= quota)
        refuseProblems([
          { pointer: '', problem: `a zone of plan ${zone.plan} has at most ${quota} page rules` },
        ])
      const at = clock.timestamp()
      const rule: PageRule = { id: ids.id(), ...contentOf(draft, USUAL), createdOn: at, modifiedOn: at }
      refuseSameTarget(rule, others)
      const moves = await makeRoom(tx, rule.priority, others, at)
      await insertPageRule(tx, zoneId, rule)
      await record(tx, zoneId, actor, at, [op('page_rule.create', null, rule), ...moves])
      return { rule, notices: await noticesOf(tx, rule, zone) }
    })
  }

  /** Members that are not sent go back to what is usual. @throws DomainError: page_rule.unknown, page_rule.invalid. */
  function replace(zoneId: string, id: string, draft: PageRuleDraft, actor: Actor): Promise<WrittenPageRule> {
    return write(zoneId, id, draft, ['targets', 'actions'], () => USUAL, actor)
  }

  /** Members that are not sent stay. @throws DomainError: page_rule.unknown, page_rule.invalid. */
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
      const zone = await demandZone(tx, zoneId)
      const before = await demand(tx, zoneId, id)
      refuseProblems(draftProblems(draft, required))
      const wanted: PageRule = { ...before, ...contentOf(draft, otherwise(before)) }
      const notices = await noticesOf(tx, wanted, zone)
      if (JSON.stringify(wanted) === JSON.stringify(before)) return { rule: before, notices }
      const others = (await pageRulesOf(tx, zoneId)).filter((other) => other.id !== id)
      refuseSameTarget(wanted, others)
      const at = clock.timestamp()
      const rule = { ...wanted, modifiedOn: at }
      const moves = await makeRoom(tx, rule.priority, others, at)
      await updatePageRule(tx, rule)
      await record(tx, zoneId, actor, at, [op('page_rule.update', before, rule), ...moves])
      return { rule, notices }
    })
  }

  /** The others keep their priorities. @throws DomainError: page_rule.unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await demand(tx, zoneId, id)
      await deletePageRule(tx, id)
      await record(tx, zoneId, actor, clock.timestamp(), [op('page_rule.delete', before, null)])
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

  async function record(
    tx: Transaction,
    zoneId: string,
    actor: Actor,
    at: string,
    ops: readonly ChangeOp[],
  ): Promise<void> {
    await appendChange(tx, { scopeId: zoneId, at, actor, serial: null, ops })
  }
}

/** Removes a zone's page rules, writing them to the change set at `position`. */
export async function removePageRules(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const rules = await pageRulesOf(tx, zoneId)
  if (rules.length === 0) return
  await deletePageRules(tx, zoneId)
  await appendOps(
    tx,
    position,
    rules.map((rule) => op('page_rule.delete', rule, null)),
  )
}

const USUAL: PageRuleContent = { targets: [], actions: [], priority: USUAL_PRIORITY, status: USUAL_STATUS }

async function makeRoom(
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

function op(kind: string, before: PageRule | null, after: PageRule | null): ChangeOp {
  const text = (rule: PageRule | null) => rule && JSON.stringify(rule)
  return { kind, objectId: (after ?? before)?.id ?? '', before: text(before), after: text(after) }
}

/** @throws DomainError: page_rule.unknown. */
async function demand(db: Reader, zoneId: string, id: string): Promise<PageRule> {
  const rule = await findPageRule(db, zoneId, id)
  if (rule === undefined) throw new DomainError({ reason: 'page_rule.unknown' })
  return rule
}

/** @throws DomainError: page_rule.invalid, once for each problem; what is wrong stands in the messages. */
function refuseProblems(problems: readonly PageRuleProblem[]): void {
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

function refuseSameTarget(rule: PageRule, others: readonly PageRule[]): void {
  if (!others.some((other) => haveSameTarget(other, rule))) return
  throw new DomainError({ reason: 'page_rule.invalid', pointer: '/targets' }, [
    { notice: 'page_rule.same_target' },
  ])
}

/** `/actions/0/value` as messages write it: `.actions[0].value`. */
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
