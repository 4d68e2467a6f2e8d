// Change log operations for writes to rulesets.
import type { ChangeOp } from '../../changes/index.ts'
import { isReordered, ruleChanges, type RuleChange } from './rule-list.rules.ts'
import type { Rule, Ruleset } from '@zonereeve/firewall'

/** Operations from one version to the next: the ruleset, each changed rule, and the order if it changed. */
export function versionOps(before: Ruleset | undefined, after: Ruleset): ChangeOp[] {
  const old = before?.rules ?? [] // a new ruleset
  return [
    {
      kind: before === undefined ? 'ruleset.create' : 'ruleset.update',
      objectId: after.id,
      before: before === undefined ? null : headText(before),
      after: headText(after),
    },
    ...ruleChanges(old, after.rules).map((change) => ruleOp(after.id, change)),
    ...(isReordered(old, after.rules)
      ? [
          {
            kind: 'ruleset.reorder',
            objectId: after.id,
            before: orderText(old),
            after: orderText(after.rules),
          },
        ]
      : []),
  ]
}

export const deletionOp = (ruleset: Ruleset): ChangeOp => ({
  kind: 'ruleset.delete',
  objectId: ruleset.id,
  before: JSON.stringify({ ...headOf(ruleset), rules: ruleset.rules }),
  after: null,
})

export const versionDeletionOp = (ruleset: Ruleset): ChangeOp => ({
  ...deletionOp(ruleset),
  kind: 'ruleset.version_delete',
})

function ruleOp(rulesetId: string, change: RuleChange): ChangeOp {
  const text = (rule: Rule) => JSON.stringify({ ruleset: rulesetId, ...rule })
  return {
    kind: `ruleset.rule_${change.kind}`,
    objectId: change.kind === 'delete' ? change.before.id : change.after.id,
    before: change.kind === 'create' ? null : text(change.before),
    after: change.kind === 'delete' ? null : text(change.after),
  }
}

function headOf({ id, kind, phase, name, description, version }: Ruleset) {
  return { id, kind, phase, name, description, version }
}

const headText = (ruleset: Ruleset): string => JSON.stringify(headOf(ruleset))
const orderText = (rules: readonly Rule[]): string => JSON.stringify(rules.map(({ id }) => id))
