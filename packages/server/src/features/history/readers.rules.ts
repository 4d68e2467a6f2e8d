// Who may see what a change set did. The history is there for whoever reads DNS; rules and policies of the same zone are
// not, so their texts are left out for those who could not ask for the objects themselves.
import type { LoggedOp } from './history.rules.ts'

const FIREWALL = ['Firewall Services Read', 'Firewall Services Write']
const RULESETS = ['Zone WAF Read', 'Zone WAF Write']
const SETTINGS = ['Zone Settings Read', 'Zone Settings Write']
const MONITORING = ['Domain Page Shield Read', 'Domain Page Shield', ...SETTINGS]

/** Permission groups, any of which shows objects of a noun; none for those that the history itself is about. */
const READERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['dns_record', []],
  ['dns_settings', []],
  ['filter', FIREWALL],
  ['firewall_rule', FIREWALL],
  ['outgoing_transfers', []],
  ['page_rule', ['Page Rules Read', 'Page Rules Write', 'Zone Read', 'Zone Write']],
  ['page_shield', MONITORING],
  ['page_shield_policy', MONITORING],
  ['ruleset', RULESETS],
  ['waf_group', FIREWALL],
  ['waf_migration', RULESETS],
  ['waf_override', SETTINGS],
  ['waf_package', FIREWALL],
  ['waf_rule', FIREWALL],
  ['zone', []],
  ['zone_setting', []],
])

/** Of a noun that nobody has decided about. */
const CAUTIOUS = ['Zone Write']

export interface Shown<Op> {
  /** Those that may not be seen have no texts. */
  readonly ops: readonly Op[]
  /** What would show them: permission groups, any of which is enough, for each kind of object that is hidden. */
  readonly missing: readonly (readonly string[])[]
}

/** @param holds whether the caller has one of the permission groups. */
export function shownOps<Op extends LoggedOp>(
  ops: readonly Op[],
  holds: (anyOf: readonly string[]) => boolean,
): Shown<Op> {
  const missing = new Set<readonly string[]>()
  const shown = ops.map((op) => {
    const readers = READERS.get(nounOf(op)) ?? CAUTIOUS
    if (readers.length === 0 || holds(readers)) return op
    missing.add(readers)
    return { ...op, before: null, after: null }
  })
  return { ops: shown, missing: [...missing] }
}

/** Of `dns_record.create`, `dns_record`. */
const nounOf = ({ kind }: LoggedOp): string => kind.slice(0, kind.indexOf('.'))
