// Finds the rulesets that rules speak of, for the rules about references.
import type { Reader } from '../../storage/index.ts'
import { referableManaged } from './managed.ts'
import type { Referable, ReferenceContext } from './references.rules.ts'
import type { Owner, RuleDraft, Ruleset } from './ruleset.ts'
import { findRuleset } from './rulesets.store.ts'

/** Looks up every ruleset that some draft speaks of. */
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
  const rulesets = (parameters['rulesets'] ?? []) as readonly string[] // of the action's shape
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
})
