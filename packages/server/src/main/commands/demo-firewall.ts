// The demo's second zone: a shop with a legacy firewall that contains one of everything a migration covers.
import type { FirewallRules } from '../../features/firewall/firewall-rules/index.ts'
import { LEGACY_GROUPS, PACKAGE_IDS } from '@zonereeve/firewall'
import type { PageRules } from '../../features/firewall/page-rules/index.ts'
import { SYSTEM_CALLER } from '../../features/accounts/tokens/index.ts'
import type { WafPackages } from '../../features/firewall/waf-packages/index.ts'
import type { Zones } from '../../features/zones/zones/index.ts'
import { SYSTEM } from '@zonereeve/platform'

export const DEMO_FIREWALL_ZONE = 'example.net'

/** Of an application that the shop does not run. */
const GROUP_OFF = 'Cloudflare Drupal'

/** Rules of the package CloudFlare that are not as they come. */
const RULE_MODES = [
  ['100536', 'simulate'],
  ['100303', 'challenge'],
] as const

/** Whom the managed rules let pass, in this order. */
const BYPASSES = [
  { expression: 'ip.src in {192.0.2.0/24}', description: 'The office' },
  {
    expression: 'http.request.uri.path eq "/hooks/payments" and http.request.method eq "POST"',
    description: 'Notices of the payment service',
  },
] as const

/** The first one that matches counts. */
const PAGE_RULES = [
  { url: `www.${DEMO_FIREWALL_ZONE}/editor/preview*`, action: { id: 'waf', value: 'on' } },
  { url: `www.${DEMO_FIREWALL_ZONE}/editor/*`, action: { id: 'disable_security' } },
] as const

export interface LegacyFirewallServices {
  readonly zones: Zones
  readonly wafPackages: WafPackages
  readonly firewallRules: FirewallRules
  readonly pageRules: PageRules
}

export async function seedFirewall(services: LegacyFirewallServices): Promise<void> {
  const { zones, wafPackages, firewallRules, pageRules } = services
  const zone = await zones.create({ name: DEMO_FIREWALL_ZONE, plan: 'pro' }, SYSTEM_CALLER, SYSTEM)
  await wafPackages.edit(zone.id, PACKAGE_IDS.owasp, { sensitivity: 'medium', actionMode: 'block' }, SYSTEM)
  const off = LEGACY_GROUPS.find(({ name }) => name === GROUP_OFF)
  if (off === undefined) throw new Error(`there is no group ${GROUP_OFF}`)
  await wafPackages.editGroup(zone.id, PACKAGE_IDS.cloudflare, off.id, 'off', SYSTEM)
  for (const [id, mode] of RULE_MODES)
    await wafPackages.editRule(zone.id, PACKAGE_IDS.cloudflare, id, mode, SYSTEM)
  await firewallRules.create(zone.id, BYPASSES.map(bypass), SYSTEM)
  for (const [index, { url, action }] of PAGE_RULES.entries()) {
    const targets = [{ target: 'url', constraint: { operator: 'matches', value: url } }]
    const priority = PAGE_RULES.length - index
    await pageRules.create(zone.id, { targets, actions: [action], priority, status: 'active' }, SYSTEM)
  }
}

const bypass = ({ expression, description }: (typeof BYPASSES)[number], index: number) => ({
  action: 'bypass' as const,
  products: ['waf'] as const,
  priority: index + 1,
  paused: false,
  description,
  ref: null,
  pointer: '',
  filter: {
    kind: 'definition' as const,
    definition: { expression, paused: false, description: null, ref: null, pointer: '' },
  },
})
