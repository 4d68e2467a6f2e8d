// Zones to migrate: one of each plan, in each state, with what both versions of the managed rules ended.
import type { Api } from '../browsers/api.ts'

/** Where Deploy is final. */
export const PRO_ZONE = 'pro.example'
/** Without legacy rules. */
export const FREE_ZONE = 'free.example'
/** With an obstacle. */
export const BLOCKED_ZONE = 'blocked.example'
/** Where both versions can run. */
export const ENTERPRISE_ZONE = 'enterprise.example'
/** Where both versions run. */
export const VALIDATING_ZONE = 'validating.example'
/** Where the new rules run. */
export const DONE_ZONE = 'migrated.example'

const SQL = encodeURIComponent("1' UNION SELECT 1,password FROM users--")
const OVERRIDE = { default: 'disable', block: 'disable', challenge: 'disable', simulate: 'disable' }

export async function addMigrationZones(api: Api): Promise<void> {
  await newZone(api, PRO_ZONE, 'pro')
  await newZone(api, FREE_ZONE, 'free')
  const blocked = await newZone(api, BLOCKED_ZONE, 'enterprise')
  await api.post(`/zones/${blocked}/firewall/waf/overrides`, {
    urls: [`${BLOCKED_ZONE}/*`],
    rules: { '100005': 'disable' },
    rewrite_action: OVERRIDE,
  })
  await addLegacySettings(api, await newZone(api, ENTERPRISE_ZONE, 'enterprise'), ENTERPRISE_ZONE)
  const validating = await newZone(api, VALIDATING_ZONE, 'enterprise')
  await addLegacySettings(api, validating, VALIDATING_ZONE)
  await api.post(`/zonereeve/zones/${validating}/waf_migration/deploy`, {})
  await letLegacyActAlone(api, validating)
  await addEvents(api, validating, VALIDATING_ZONE)
  const done = await newZone(api, DONE_ZONE, 'enterprise')
  for (const step of ['deploy', 'turn_off_previous'])
    await api.post(`/zonereeve/zones/${done}/waf_migration/${step}`, {})
}

export async function newZone(api: Api, name: string, plan: string): Promise<string> {
  return (await api.post<{ id: string }>('/zones', { name, plan: { legacy_id: plan } })).id
}

/** Exceptions of firewall rules and page rules, and settings that have no replacement. */
async function addLegacySettings(api: Api, zoneId: string, name: string): Promise<void> {
  await api.post(`/zones/${zoneId}/firewall/rules`, [
    {
      action: 'bypass',
      products: ['waf'],
      description: 'our offices',
      filter: { expression: 'ip.src in {192.0.2.0/24}' },
    },
    {
      action: 'bypass',
      products: ['waf'],
      description: 'uptime monitor',
      filter: {
        expression: 'http.user_agent contains "uptime-monitor" and http.request.uri.path eq "/health"',
      },
    },
  ])
  await api.post(`/zones/${zoneId}/pagerules`, {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: `${name}/open/*` } }],
    actions: [{ id: 'disable_security' }],
    status: 'active',
  })
  const packages = await api.get<readonly { id: string; sensitivity?: string }[]>(
    `/zones/${zoneId}/firewall/waf/packages`,
  )
  const owasp = packages.find(({ sensitivity }) => sensitivity !== undefined)
  const root = `/zones/${zoneId}/firewall/waf/packages/${owasp?.id}`
  await api.call('PATCH', root, { sensitivity: 'medium', action_mode: 'challenge' })
  const [group] = await api.get<readonly { id: string }[]>(`${root}/groups`)
  await api.call('PATCH', `${root}/groups/${group?.id}`, { mode: 'off' })
}

const ENTRY = 'rulesets/phases/http_request_firewall_managed/entrypoint'

/** A skip rule for one path, so that only the legacy rules end its requests. */
async function letLegacyActAlone(api: Api, zoneId: string): Promise<void> {
  const { rules } = await api.get<{ rules: readonly object[] }>(`/zones/${zoneId}/${ENTRY}`)
  const skip = {
    action: 'skip',
    action_parameters: { ruleset: 'current' },
    expression: 'http.request.uri.path eq "/xmlrpc.php"',
    description: 'the old app',
  }
  await api.call('PUT', `/zones/${zoneId}/${ENTRY}`, { rules: [skip, ...rules] })
}

async function addEvents(api: Api, zoneId: string, name: string): Promise<void> {
  const paths = [
    ...Array.from({ length: 7 }, () => '/item'),
    '/search',
    '/search',
    '/xmlrpc.php',
    '/xmlrpc.php',
  ]
  for (const path of paths) await api.post(`/zonereeve/zones/${zoneId}/firewall/decide`, attack(name, path))
}

/** A request that both versions end. */
export const attack = (name: string, path: string): object => ({
  url: `https://${name}${path}?id=${SQL}`,
  headers: { 'user-agent': 'curl/8.0' },
  ip: '203.0.113.9',
})

/** An access log: a request that both allow, and one that a setting without a replacement let pass. */
export const accessLog = (): string =>
  [
    `203.0.113.9 - - [05/Jan/2026:10:20:30 +0000] "GET /about HTTP/1.1" 200 12 "-" "Mozilla/5.0"`,
    ...Array.from(
      { length: 3 },
      () =>
        `203.0.113.9 - - [05/Jan/2026:10:20:31 +0000] "GET /xmlrpc.php?id=${SQL} HTTP/1.1" 200 12 "-" "x"`,
    ),
    'this is no request',
  ].join('\n')
