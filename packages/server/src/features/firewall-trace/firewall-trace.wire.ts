// Traces between the wire and the product's own terms.
import type { FirewallTraceRequest, WireFirewallTrace } from '@zonereeve/contract'
import type { Trace } from './firewall-trace.service.ts'
import type { TracedRequest } from './traced-request.ts'

const CLIENT_IP = '192.0.2.1'

export function readTracedRequest(sent: FirewallTraceRequest): TracedRequest {
  const { method, url, http_version: version, headers, body, body_base64: base64, ip } = sent
  return {
    method: method ?? 'GET',
    url,
    version: version ?? 'HTTP/1.1',
    headers: Object.entries(headers ?? {}).flatMap(([name, values]) =>
      (typeof values === 'string' ? [values] : values).map((value) => [name, value] as const),
    ),
    body: base64 === undefined ? new TextEncoder().encode(body ?? '') : Buffer.from(base64, 'base64'),
    ip: ip ?? CLIENT_IP,
  }
}

export function toWireTrace({ state, current, previous, effective }: Trace): WireFirewallTrace {
  const { inactive, decision } = previous
  return {
    migration_state: state,
    effective: {
      action: effective.action,
      by: effective.by,
      rule_id: effective.ruleId,
      ruleset_id: effective.rulesetId,
    },
    new: {
      action: current.action,
      rule_id: current.decidedBy?.ruleId ?? null,
      ruleset_id: current.decidedBy?.rulesetId ?? null,
      steps: current.steps.map((step) => ({
        phase: step.phase,
        ruleset_id: step.rulesetId,
        rule_id: step.ruleId,
        action: step.action,
        description: step.description,
        outcome: step.outcome,
        ...(step.expression === null ? {} : { expression: step.expression }),
        ...(step.detected === null ? {} : { detected: step.detected }),
        ...(step.score === null ? {} : { score: step.score }),
      })),
    },
    old: {
      inactive: inactive === null ? null : { ...inactive },
      action: decision?.action ?? 'pass',
      rule_id: decision?.ruleId ?? null,
      total: decision?.total ?? 0,
      threshold: decision?.threshold ?? null,
      override_ids: [...(decision?.overrideIds ?? [])],
      matches: (decision?.matches ?? []).map(({ rule, effect, score, detected }) => ({
        rule_id: rule.legacy?.id ?? '',
        new_rule_id: rule.id,
        description: rule.description,
        effect,
        ...(score === null ? {} : { score }),
        detected,
      })),
    },
  }
}
