// Why something was refused, in the product's own terms; http/wire-errors.ts chooses number, status and words.
import type { Reason } from './reasons.ts'

export interface Issue {
  readonly reason: Reason
  /** JSON pointer (RFC 6901) to the member at fault, `/data/port`. */
  readonly pointer?: string
  /** Fills the `{placeholders}` of the reason's text. */
  readonly values?: Readonly<Record<string, string | number>>
  /** What is in the way. */
  readonly meta?: { readonly id: string }
  /** One more sentence that says what would be right. */
  readonly detail?: string
  /** What of many it is about, said in front. */
  readonly subject?: string
}

export class DomainError extends Error {
  readonly issues: readonly [Issue, ...Issue[]]
  /** Said beside the error, in `messages`. */
  readonly notices: readonly Notice[]

  constructor(issues: Issue | readonly [Issue, ...Issue[]], notices: readonly Notice[] = []) {
    const list: readonly [Issue, ...Issue[]] = 'reason' in issues ? [issues] : issues
    super(list.map(({ reason }) => reason).join(', '))
    this.name = 'DomainError'
    this.issues = list
    this.notices = notices
  }
}

/** Something that the caller should know although the operation succeeded. */
export interface Notice {
  readonly notice: NoticeReason
  readonly values?: Readonly<Record<string, string | number>>
}

export type NoticeReason =
  | 'auth.missing_permission'
  | 'dry_run'
  | 'page_rule.outside_zone'
  | 'page_rule.problem'
  | 'page_rule.same_target'
  | 'page_shield_policy.value'
  | 'record.cname_beside_others'
  | 'record.email_dkim'
  | 'record.email_dmarc'
  | 'record.email_spf'
  | 'record.no_edge_addresses'
  | 'record.apex_ns'
  | 'record.target_unresolved'
  | 'scan.incomplete'
  | 'scan.running'
  | 'scan.silent'
  | 'scan.undelegated'
  | 'scan.unusable'
  | 'scan.varying_wildcard'
  | 'token.verified'
  | 'firewall.uncounted'
  | 'firewall_rule.waf_retired'
  | 'page_rule.waf_retired'
  | 'waf_migration.allow_rules'
  | 'waf_migration.done'
  | 'waf_migration.expression_length'
  | 'waf_migration.no_previous'
  | 'waf_migration.overrides'
  | 'waf_migration.owasp'
  | 'waf_migration.phase_one_firewall_rules'
  | 'waf_migration.phase_one_owasp'
  | 'waf_migration.phase_one_page_rules'
  | 'waf_migration.rule_quota'
  | 'waf_override.not_in_catalogue'
  | 'zone.no_address'
  | 'zone_file.more_notices'
  | 'zone_file.more_refused'

/** Throws when there is at least one issue. */
export function refuse(issues: readonly Issue[]): void {
  const [first, ...rest] = issues
  if (first !== undefined) throw new DomainError([first, ...rest])
}
