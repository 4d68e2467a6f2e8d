// Writes to single rules of a ruleset: each creates a version of the whole ruleset.
import { type Actor, type Clock, DomainError, type Ids } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { type Owner, pointerTo, type Rule, type Ruleset, valueIssue } from '@zonereeve/firewall'
import { checkRules } from './check-rules.ts'
import { requireOwner } from './owner.service.ts'
import { requireOwn } from './read-rulesets.service.ts'
import { mergeRule, mergeRules, otherRuleIssues, placeRule } from './rule-list.rules.ts'
import type { RulesetVersions } from './ruleset-versions.service.ts'
import { allRules } from './rulesets.store.ts'
import type { SentRule } from './sent-rule.ts'

export interface RulesetRulesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly versions: RulesetVersions
}

export function createRulesetRules({
  storage,
  clock,
  ids,
  versions: { draftIssues, write },
}: RulesetRulesDeps) {
  return { addRule, editRule, removeRule }

  /** @throws DomainError: ruleset.unknown, ruleset.managed, and all issues of the rule. */
  async function addRule(owner: Owner, id: string, sent: SentRule, actor: Actor): Promise<Ruleset> {
    const found = await requireOwn(storage, owner, id)
    const state = await requireOwner(storage, owner)
    const checked = await checkRules([sent], { ...found, level: owner.level, plan: state.plan })
    return storage.write(async (tx) => {
      const before = await requireOwn(tx, owner, id)
      const at = clock.timestamp()
      const past = await allRules(tx, id)
      const merged = mergeRules(checked.drafts, { present: [], past, at, newId: ids.id })
      const issues = [...checked.issues, ...merged.issues]
      const rules = merged.rules.flatMap((rule) => {
        const twice = before.rules.find((other) => other.id === rule.id || other.ref === rule.ref)
        const member = twice?.id === rule.id ? 'id' : 'ref'
        if (twice !== undefined)
          issues.push(valueIssue(pointerTo(sent.at, member), rule[member], 'another rule has it'))
        const placed = placeRule(before.rules, rule, sent.position, sent.at)
        if ('reason' in placed) issues.push(placed)
        return 'reason' in placed || twice !== undefined ? [] : placed
      })
      issues.push(...(await draftIssues(tx, state, before, checked.drafts, before.rules)))
      return write(tx, state, before, { ...before, rules, lastUpdated: at }, issues, actor)
    })
  }

  /**
   * Changes the definition of a rule, its position, or both.
   *
   * @throws DomainError: ruleset.unknown, ruleset.rule_unknown, ruleset.managed, and all issues of the rule.
   */
  async function editRule(
    owner: Owner,
    id: string,
    ruleId: string,
    sent: SentRule,
    actor: Actor,
  ): Promise<Ruleset> {
    const found = await requireOwn(storage, owner, id)
    requireRule(found, ruleId)
    const state = await requireOwner(storage, owner)
    const movesOnly = sent.sent.size === 1 && sent.sent.has('position')
    const context = { ...found, level: owner.level, plan: state.plan }
    const checked = movesOnly ? { drafts: [], issues: sent.issues } : await checkRules([sent], context)
    return storage.write(async (tx) => {
      const before = await requireOwn(tx, owner, id)
      const rule = requireRule(before, ruleId)
      const at = clock.timestamp()
      const issues = [...checked.issues, ...otherRuleIssues(sent, rule, before)]
      const [draft] = checked.drafts
      const edited = draft === undefined ? rule : mergeRule(draft, rule, { at, newId: ids.id })
      const placed = placeRule(
        before.rules.map((other) => (other.id === ruleId ? edited : other)),
        edited,
        sent.position,
        sent.at,
      )
      if ('reason' in placed) issues.push(placed)
      const others = before.rules.filter((other) => other.id !== ruleId)
      issues.push(...(await draftIssues(tx, state, before, checked.drafts, others)))
      const rules = 'reason' in placed ? before.rules : placed
      return write(tx, state, before, { ...before, rules, lastUpdated: at }, issues, actor)
    })
  }

  /** @throws DomainError: ruleset.unknown, ruleset.rule_unknown, ruleset.managed. */
  function removeRule(owner: Owner, id: string, ruleId: string, actor: Actor): Promise<Ruleset> {
    return storage.write(async (tx) => {
      const state = await requireOwner(tx, owner)
      const before = await requireOwn(tx, owner, id)
      requireRule(before, ruleId)
      const rules = before.rules.filter((rule) => rule.id !== ruleId)
      return write(tx, state, before, { ...before, rules, lastUpdated: clock.timestamp() }, [], actor)
    })
  }
}

/** @throws DomainError: ruleset.rule_unknown. */
function requireRule({ rules }: Ruleset, ruleId: string): Rule {
  const rule = rules.find(({ id }) => id === ruleId)
  if (rule === undefined) throw new DomainError({ reason: 'ruleset.rule_unknown', values: { rule: ruleId } })
  return rule
}
