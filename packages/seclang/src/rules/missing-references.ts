// What rules refer to, and is not there: a rule set of which files are missing or cut.
import type { RuleSet, SecRule } from './rule-set.ts'

/** One sentence for each missing list and marker, with the file and line of a rule that needs it. */
export function findMissingReferences({ items, lists }: RuleSet): readonly string[] {
  const markers = new Set(items.flatMap((item) => (item.kind === 'marker' ? [item.name] : [])))
  const missing = new Map<string, string>()
  for (const item of items) {
    if (item.kind !== 'rule') continue
    for (const rule of [item.rule, ...item.rule.chain]) {
      const place = `${rule.file}:${rule.line}`
      for (const list of listsOf(rule))
        if (lists[list] === undefined) missing.set(list, `${place}: the list ${list} is missing`)
      for (const { name, value } of rule.actions) {
        if (name !== 'skipafter' || value === undefined || markers.has(value)) continue
        missing.set(
          `${value} of ${rule.file}`,
          `${place}: the marker ${value} is missing; the file may have been cut`,
        )
      }
    }
  }
  return [...missing.values()]
}

/** The files that an operator such as `@pmFromFile` reads. */
function listsOf({ operator }: SecRule): readonly string[] {
  if (operator === undefined || !/^(?:pm|ipmatch)(?:f|fromfile)$/.test(operator.name)) return []
  return operator.argument
    .split(/\s+/)
    .filter((file) => file !== '')
    .map((file) => file.replace(/^.*\//, ''))
}
