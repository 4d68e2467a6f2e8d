// Conversion of firewall rules between the wire format and the domain types.
import type { FilterDraft, FirewallRuleDraft, FirewallRulePatch, WireFirewallRule } from '@zonereeve/contract'
import { toFilterDefinition, toWireFilter } from '../filters/index.ts'
import type { FirewallRuleMembers } from './firewall-rules.rules.ts'
import type {
  DeletedFirewallRule,
  FilterChoice,
  FilteredRule,
  FirewallRuleChange,
  FirewallRuleDefinition,
} from './firewall-rules.service.ts'

/** Members are in the order of the live API; members that are not set are left out. */
export function toWireFirewallRule({ rule, filter }: FilteredRule): WireFirewallRule {
  return {
    id: rule.id,
    paused: rule.paused,
    ...(rule.description === null ? {} : { description: rule.description }),
    action: rule.action,
    priority: rule.priority,
    ...(rule.products.length === 0 ? {} : { products: [...rule.products] }),
    filter: toWireFilter(filter),
    ...(rule.ref === null ? {} : { ref: rule.ref }),
    created_on: rule.createdOn,
    modified_on: rule.modifiedOn,
  }
}

/** @param includesFilter whether the client requested to delete the filter, too. */
export function toWireDeletedRule(
  { id, filterId, isFilterDeleted }: DeletedFirewallRule,
  includesFilter: boolean,
) {
  return { id, ...(includesFilter ? { filter: { id: filterId, deleted: isFilterDeleted } } : {}) }
}

/** @param pointer JSON pointer to the rule in the request. */
export function toRuleDefinition(draft: FirewallRuleDraft, pointer: string): FirewallRuleDefinition {
  return { ...toMembers(draft), filter: toFilterChoice(draft.filter, `${pointer}/filter`), pointer }
}

/** All members; those that were not sent get their default. */
export function toRuleReplacement(id: string, draft: FirewallRuleDraft, pointer: string): FirewallRuleChange {
  return { id, members: toMembers(draft), filter: toFilterChoice(draft.filter, `${pointer}/filter`), pointer }
}

/** Only the members that were sent. */
export function toRulePatch(id: string, patch: FirewallRulePatch, pointer: string): FirewallRuleChange {
  const { action, products, priority, paused, description, ref, filter } = patch
  const members: Partial<FirewallRuleMembers> = {
    ...(action === undefined ? {} : { action }),
    ...(products === undefined ? {} : { products: products ?? [] }), // null removes them
    ...(priority === undefined ? {} : { priority }),
    ...(paused === undefined ? {} : { paused }),
    ...(description === undefined ? {} : { description }),
    ...(ref === undefined ? {} : { ref }),
  }
  return {
    id,
    members,
    filter: filter === undefined ? undefined : toFilterChoice(filter, `${pointer}/filter`),
    pointer,
  }
}

const toMembers = (draft: FirewallRuleDraft): FirewallRuleMembers => ({
  action: draft.action,
  products: draft.products ?? [], // none unless sent
  priority: draft.priority ?? null,
  paused: draft.paused ?? false,
  description: draft.description ?? null,
  ref: draft.ref ?? null,
})

/** An ID wins over the other filter members, which some clients send along. An empty ID counts as not sent. */
function toFilterChoice(draft: FilterDraft, pointer: string): FilterChoice {
  const { id = '', expression } = draft
  if (id !== '') return { kind: 'id', id, pointer }
  if (expression === undefined) return { kind: 'none', pointer }
  return { kind: 'definition', definition: toFilterDefinition({ ...draft, expression }, pointer) }
}
