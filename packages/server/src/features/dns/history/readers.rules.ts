// Which parts of a change set a caller may see. The history is visible to everyone who may read DNS; rules and
// policies of the same zone are not, so their texts are hidden from callers who may not read these objects.
import { MAY_READ } from '@zonereeve/platform'
import type { LoggedOp } from './history.rules.ts'

const FIREWALL = ['Firewall Services Read', 'Firewall Services Write']
const SETTINGS = ['Zone Settings Read', 'Zone Settings Write']

/**
 * Permission groups, any of which shows objects of a noun; empty for the nouns that the history permission covers.
 */
const READERS = new Map<string, readonly string[]>([
  ['dns_record', []],
  ['dns_settings', []],
  ['filter', FIREWALL],
  ['firewall_rule', FIREWALL],
  ['outgoing_transfers', []],
  ['page_rule', ['Page Rules Read', 'Page Rules Write', ...MAY_READ.zone]],
  ['page_shield', MAY_READ.monitoring],
  ['page_shield_policy', MAY_READ.monitoring],
  ['ruleset', MAY_READ.rulesets],
  ['waf_group', FIREWALL],
  ['waf_migration', MAY_READ.rulesets],
  ['waf_override', SETTINGS],
  ['waf_package', FIREWALL],
  ['waf_rule', FIREWALL],
  ['zone', []],
  ['zone_setting', []],
])

/** For nouns without an entry above. */
const CAUTIOUS = ['Zone Write']

export interface ReadableOps<Op> {
  /** Hidden operations have no texts. */
  readonly ops: readonly Op[]
  /** Permission groups that would show hidden objects, any of which is enough, for each kind of hidden object. */
  readonly missing: readonly (readonly string[])[]
}

/** @param holds whether the caller has one of the permission groups. */
export function shownOps<Op extends LoggedOp>(
  ops: readonly Op[],
  holds: (anyOf: readonly string[]) => boolean,
): ReadableOps<Op> {
  const missing = new Set<readonly string[]>()
  const shown = ops.map((op) => {
    const readers = READERS.get(nounOf(op)) ?? CAUTIOUS
    if (readers.length === 0 || holds(readers)) return op
    missing.add(readers)
    return { ...op, before: null, after: null }
  })
  return { ops: shown, missing: [...missing] }
}

/** `dns_record` for `dns_record.create`. */
const nounOf = ({ kind }: LoggedOp): string => kind.slice(0, kind.indexOf('.'))
