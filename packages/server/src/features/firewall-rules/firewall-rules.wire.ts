// Firewall rules between the wire and the product's own terms.
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

/** Members stand in the order of the live API; those that were never given are left out. */
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

/** @param tellFilter whether its deletion was asked for. */
export function toWireDeletedRule(
  { id, filterId, isFilterDeleted }: DeletedFirewallRule,
  tellFilter: boolean,
) {
  return { id, ...(tellFilter ? { filter: { id: filterId, deleted: isFilterDeleted } } : {}) }
}

/** @param pointer to the rule in the request. */
export function toRuleDefinition(draft: FirewallRuleDraft, pointer: string): FirewallRuleDefinition {
  return { ...toMembers(draft), filter: toFilterChoice(draft.filter, `${pointer}/filter`), pointer }
}

/** Every member, those that were not sent as they usually are. */
export function toRuleReplacement(id: string, draft: FirewallRuleDraft, pointer: string): FirewallRuleChange {
  return { id, members: toMembers(draft), filter: toFilterChoice(draft.filter, `${pointer}/filter`), pointer }
}

/** Those members that were sent. */
export function toRulePatch(id: string, patch: FirewallRulePatch, pointer: string): FirewallRuleChange {
  const { action, products, priority, paused, description, ref, filter } = patch
  const members: Partial<FirewallRuleMembers> = {
    ...(action === undefined ? {} : { action }),
    ...(products === undefined ? {} : { products: products ?? [] }),
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
  products: draft.products ?? [],
  priority: draft.priority ?? null,
  paused: draft.paused ?? false,
  description: draft.description ?? null,
  ref: draft.ref ?? null,
})

/** An identifier wins over what else is said of a filter, which clients send along. An empty one is none. */
function toFilterChoice(draft: FilterDraft, pointer: string): FilterChoice {
  const { id = '', expression } = draft
  if (id !== '') return { kind: 'id', id, pointer }
  if (expression === undefined) return { kind: 'none', pointer }
  return { kind: 'definition', definition: toFilterDefinition({ ...draft, expression }, pointer) }
}
