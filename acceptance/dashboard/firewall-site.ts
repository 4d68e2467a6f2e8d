// A zone whose requests have anomaly scores: ordinary ones and attacks.
import type { Api } from '../browsers/api.ts'
import { newZone } from './wizard-site.ts'

export const SCORED_ZONE = 'scored.example'

const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const SQL = encodeURIComponent("1' UNION SELECT 1,password FROM users--")

export async function addScoredZone(api: Api): Promise<void> {
  const zone = await newZone(api, SCORED_ZONE, 'enterprise')
  for (const step of ['deploy', 'turn_off_previous'])
    await api.post(`/zonereeve/zones/${zone}/waf_migration/${step}`, {})
  const rules = [OWASP, MANAGED].map((id) => ({
    action: 'execute',
    expression: 'true',
    action_parameters: { id },
  }))
  const entry = `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`
  await api.call('PUT', entry, { rules })
  for (const query of ['q=a', 'q=b', `q=${SQL}`, `q=${SQL}&p=${SQL}`])
    await api.post(`/zonereeve/zones/${zone}/firewall/decide`, {
      method: 'GET',
      url: `https://${SCORED_ZONE}/search?${query}`,
      ip: '192.0.2.1',
    })
}
