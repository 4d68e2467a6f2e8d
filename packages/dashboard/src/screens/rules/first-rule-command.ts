// The command that writes the first rule of a phase.
import type { RulePhase } from '../../api/rulesets.ts'

const LOGIN = 'http.request.uri.path eq "/login"'

/** Rules of each phase that the API takes as they are. */
const FIRST_RULES: Readonly<Record<RulePhase, object>> = {
  http_request_firewall_custom: {
    action: 'block',
    expression: 'starts_with(http.request.uri.path, "/.git")',
  },
  http_request_dynamic_redirect: {
    action: 'redirect',
    expression: 'http.request.uri.path eq "/old"',
    action_parameters: { from_value: { target_url: { value: 'https://example.com/new' }, status_code: 301 } },
  },
  http_request_firewall_managed: {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
  },
  http_ratelimit: {
    action: 'block',
    expression: LOGIN,
    ratelimit: {
      characteristics: ['cf.colo.id', 'ip.src'],
      period: 60,
      requests_per_period: 20,
      mitigation_timeout: 60,
    },
  },
}

/** For a shell; the token is in $TOKEN. */
export const firstRuleCommand = (origin: string, zoneId: string, phase: RulePhase): string =>
  [
    `curl -X PUT '${origin}/client/v4/zones/${zoneId}/rulesets/phases/${phase}/entrypoint' \\`,
    `  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify({ rules: [FIRST_RULES[phase]] })}'`,
  ].join('\n')
