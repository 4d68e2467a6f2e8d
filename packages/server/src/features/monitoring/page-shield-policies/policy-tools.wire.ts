// Maps headers, simulations, suggestions and violations to the wire format.
import { ENGINES, type Problem } from '@zonereeve/csp'
import type { WireHeaders, WireSimulation, WireSuggestion, WireViolation } from '@zonereeve/contract'
import type { CountedSuggestion, HeadersAnswer } from './policy-tools.service.ts'
import type { Simulation } from './simulation.rules.ts'
import type { Violation } from './violations.rules.ts'

export function toWireHeaders({ added, origin, withoutEffect, undecided }: HeadersAnswer): WireHeaders {
  return {
    headers: added.map(({ name, value, policyId, isSampled, oneIn }) => ({
      name,
      value,
      policy_id: policyId,
      sampled: isSampled,
      sample_one_in: oneIn,
    })),
    origin_headers: origin.map(({ name, value }) => ({ name, value })),
    without_effect: withoutEffect.map(({ policyId, cause }) => ({ policy_id: policyId, cause })),
    undecided: undecided.map(({ policyId, fields }) => ({ policy_id: policyId, fields: [...fields] })),
  }
}

export function toWireSimulation(
  simulation: Simulation & {
    readonly total: number
    readonly notChecked: number
    readonly pages: { readonly matching: number; readonly total: number }
    readonly problems: readonly Problem[]
  },
): WireSimulation {
  const { checked, total, notChecked, pages, blocked, sources, forbidden, problems } = simulation
  return {
    checked,
    total,
    not_checked: notChecked,
    pages,
    sources: [...sources],
    blocked: blocked.map(({ resource, pageUrl, directive, blockedIn, dependsOnPath }) => ({
      id: resource.id,
      type: resource.kind,
      url: resource.url,
      malicious: resource.isMalicious,
      page_url: pageUrl,
      directive,
      blocked_in: [...blockedIn],
      browsers_differ: blockedIn.length < ENGINES.length,
      depends_on_path: dependsOnPath,
    })),
    forbidden: [...forbidden],
    problems: problems.flatMap(({ level, ...problem }) => (level === 'error' ? [] : [{ ...problem, level }])),
  }
}

export function toWireSuggestion({ value, leftOut, checked, total }: CountedSuggestion): WireSuggestion {
  return {
    value,
    length: value.length,
    checked,
    total,
    not_checked: total - checked,
    left_out: leftOut.map(({ resource: { id, kind, url }, reason }) => ({
      id,
      type: kind,
      url,
      cause: reason,
    })),
  }
}

export function toWireViolation(violation: Violation): WireViolation {
  return {
    policy_id: violation.policyId,
    action: violation.action,
    directive: violation.directive,
    resource_type: violation.resource,
    url: violation.url,
    count: violation.count,
    first_seen_at: violation.firstSeenAt,
    last_seen_at: violation.lastSeenAt,
    last_page_url: violation.lastPageUrl,
  }
}
