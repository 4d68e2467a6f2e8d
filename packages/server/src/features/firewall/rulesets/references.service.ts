// Loads the rulesets that rules refer to, for the reference checks.
import type { Reader } from '@zonereeve/storage'
import {
  type Owner,
  type Referable,
  referableManaged,
  type RuleDraft,
  type Ruleset,
} from '@zonereeve/firewall'
import type { ReferenceContext } from './references.rules.ts'
import { findRuleset } from './rulesets.store.ts'

/** Loads every ruleset that a draft refers to. */
export async function findReferences(
  db: Reader,
  owner: Owner,
  drafts: readonly RuleDraft[],
): Promise<ReferenceContext['find']> {
  const found = new Map<string, Referable>()
  for (const id of new Set(drafts.flatMap(referredIds))) {
    const managed = referableManaged(id)
    const own = managed === undefined ? await findRuleset(db, owner, id) : undefined
    const referable = managed ?? (own && referableOwn(own))
    if (referable !== undefined) found.set(id, referable)
  }
  return (id) => found.get(id)
}

function referredIds({ definition: { action, parameters = {} } }: RuleDraft): string[] {
  if (action === 'execute') return [String(parameters['id'])]
  if (action !== 'skip') return []
  const rulesets = (parameters['rulesets'] ?? []) as readonly string[] // checked by the action's shape
  return [...rulesets, ...Object.keys((parameters['rules'] ?? {}) as object)] // as above
}

const referableOwn = ({ id, kind, phase, version, rules }: Ruleset): Referable => ({
  id,
  kind,
  phase,
  version,
  ruleIds: new Set(rules.map((rule) => rule.id)),
  categories: new Set(),
  scoreRuleId: undefined,
  hasSensitivity: false,
})
