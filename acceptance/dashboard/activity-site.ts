// A zone with a day of security events: decided now, and sent by an edge.
import type { Api } from '../browsers/api.ts'
import { newZone } from './wizard-site.ts'

export const ACTIVITY_ZONE = 'activity.example'
export const CUSTOM_ENTRY = 'rulesets/phases/http_request_firewall_custom/entrypoint'

const RULES = [
  { description: 'Block dotfiles', action: 'block', expression: 'starts_with(http.request.uri.path, "/.")' },
  {
    description: 'Challenge empty user agents',
    action: 'managed_challenge',
    expression: 'http.user_agent eq ""\nand not http.request.uri.path in {"/health" "/robots.txt"}',
  },
  {
    description: 'Log uploads above 8 MB, which the old form still sends',
    action: 'log',
    expression: 'http.request.method eq "POST" and http.request.uri.path eq "/upload"',
  },
]

const PATHS = ['/.env', '/.git/config', '/.env.local', '/account/login', '/upload', '/robots.txt', '/']
const ADDRESSES = ['203.0.113.9', '198.51.100.61', '2001:db8:85a3:8d3:1319:8a2e:370:7348', '192.0.2.201']
const HOUR_MILLIS = 3_600_000
const SENT = 180

interface StoredRule {
  readonly id: string
  readonly action: string
  readonly description: string
  readonly expression: string
}

export async function addActivityZone(api: Api): Promise<void> {
  const zone = await newZone(api, ACTIVITY_ZONE, 'enterprise')
  await api.call('PUT', `/zones/${zone}/${CUSTOM_ENTRY}`, { rules: RULES })
  const stored = await api.get<{ id: string; rules: readonly StoredRule[] }>(`/zones/${zone}/${CUSTOM_ENTRY}`)
  const events = Array.from({ length: SENT }, (_, index) => sentEvent(stored, index))
  await api.post(`/zonereeve/zones/${zone}/edge/activity`, { events })
  for (const path of ['/.git/config', '/.env'])
    await api.post(`/zonereeve/zones/${zone}/firewall/decide`, {
      url: `https://www.${ACTIVITY_ZONE}${path}?secret=1`,
      headers: { 'user-agent': 'curl/8.0' },
      ip: '203.0.113.9',
    })
}

/** Of a request that passed. */
const LOGGED = {
  request_headers: {
    'x-team': 'shop',
    referer: `https://www.${ACTIVITY_ZONE}/account/with/a/long/address/of/a/page`,
  },
  response_headers: { server: 'origin', 'set-cookie': ['lang=de', 'theme=dark'] },
  cookies: { lang: 'de' },
  shortened: true,
}

/** Uneven over the last 20 hours, with a burst of blocked requests. */
function sentEvent(
  { id, rules }: { readonly id: string; readonly rules: readonly StoredRule[] },
  index: number,
) {
  const isBurst = index % 3 === 0
  const rule = rules[isBurst ? 0 : index % rules.length]
  const hours = isBurst ? 5 + (index % 7) / 10 : 1 + ((index * 37) % 190) / 10
  return {
    ray_id: index.toString(16).padStart(16, '0'),
    occurred_at: new Date(Date.now() - hours * HOUR_MILLIS).toISOString(),
    action: rule?.action,
    source: 'firewallCustom',
    level: 'zone',
    phase: 'http_request_firewall_custom',
    ruleset_id: id,
    rule_id: rule?.id,
    description: rule?.description,
    expression: rule?.expression,
    matched_field: null,
    method: rule?.action === 'log' ? 'POST' : 'GET',
    host: index % 4 === 0 ? `shop.${ACTIVITY_ZONE}` : `www.${ACTIVITY_ZONE}`,
    target: PATHS[index % PATHS.length],
    ip: ADDRESSES[((index * 5) % 11) % ADDRESSES.length],
    ...(rule?.action === 'log' && { origin_status: 200, logged_fields: LOGGED }),
  }
}
