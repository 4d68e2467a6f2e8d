// A zone with rules of its own, in two phases.
import type { Api } from '../browsers/api.ts'
import { SCORED_ZONE } from './firewall-site.ts'

export const RULES_ZONE = SCORED_ZONE
export const CUSTOM_PHASE = 'http_request_firewall_custom'

const RULES = [
  { description: 'Let the uptime probe pass', action: 'log', expression: 'http.user_agent eq "probe/2"' },
  {
    description: 'Block logins of scripts',
    action: 'block',
    expression:
      'http.host eq "shop.example.com"\nand starts_with(http.request.uri.path, "/account/login")\nand not ip.src in {192.0.2.0/24}',
  },
  {
    description: 'Challenge empty user agents',
    action: 'managed_challenge',
    expression: 'http.user_agent eq ""',
  },
  {
    description: 'Old admin path',
    action: 'block',
    expression: 'http.request.uri.path eq "/admin"',
    enabled: false,
  },
]

const RATES = [
  {
    description: 'Logins',
    action: 'block',
    expression: 'http.request.uri.path eq "/login"',
    ratelimit: {
      characteristics: ['cf.colo.id', 'ip.src'],
      period: 60,
      requests_per_period: 20,
      mitigation_timeout: 60,
    },
  },
]

export async function addRules(api: Api): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${RULES_ZONE}`)
  const entry = (phase: string) => `/zones/${zone?.id}/rulesets/phases/${phase}/entrypoint`
  await api.call('PUT', entry(CUSTOM_PHASE), { rules: RULES })
  await api.call('PUT', entry('http_ratelimit'), { rules: RATES })
}
