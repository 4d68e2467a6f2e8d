// A zone that migrates legacy WAF rules to rulesets, and the SDK calls that the acceptance tests use for it.
import { deepEqual, ok, rejects } from 'node:assert/strict'
import { APIError, type Cloudflare } from 'cloudflare'
import type { PhaseUpdateParams } from 'cloudflare/resources/rulesets/phases/phases'

export const PHASE = 'http_request_firewall_managed'
const ATTACK = `id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`
const OFFICE = '192.0.2.9'

export type Plan = 'free' | 'pro' | 'enterprise'

export interface Envelope<Result> {
  readonly result: Result
  readonly messages: readonly { readonly code: number; readonly message: string }[]
}

interface Rule {
  readonly action: string
  readonly expression: string
  readonly description: string
  readonly action_parameters: Readonly<Record<string, unknown>>
}

export interface Config {
  readonly name: string
  readonly rules: readonly (Rule & { readonly id: string; readonly version: string; readonly ref: string })[]
}

export interface Trace {
  readonly effective: { readonly action: string; readonly by: string | null }
  readonly old: { readonly inactive: string | null }
}

export interface MigratingZone {
  readonly client: Cloudflare
  readonly id: string
  readonly name: string
  /** Parameters of the SDK's operations. */
  readonly of: { readonly zone_id: string }
}

export async function createZone(client: Cloudflare, name: string, plan: Plan): Promise<MigratingZone> {
  const account = (await client.accounts.list()).result[0]
  ok(account, 'there is an account')
  // The SDK cannot set a plan when it creates a zone.
  const params = { account: { id: account.id }, name, plan: { legacy_id: plan } }
  const { id } = await client.zones.create(params)
  return { client, id, name, of: { zone_id: id } }
}

async function ask<Result>({ client, id }: MigratingZone, path: string): Promise<Envelope<Result>> {
  return client.get<Envelope<Result>>(`/zones/${id}/waf_migration/${path}`)
}

export const checkOf = (zone: MigratingZone, query = '?phase_two=1') =>
  ask<{ compatible: boolean; migration_state: string }>(zone, `check${query}`)

export const configOf = async (zone: MigratingZone): Promise<Config> =>
  (await ask<Config>(zone, 'config?phase_two=1')).result

export async function expectStatus(
  zone: MigratingZone,
  state: string,
  old: string,
  fresh: string,
): Promise<void> {
  const { result } = await ask(zone, 'status')
  deepEqual(result, { migration_state: state, old_waf: old, new_waf: fresh })
}

/** The documented migration request: the entry point, and the state to reach. */
export async function put(
  zone: MigratingZone,
  step: string,
  body: object,
  more: object = {},
): Promise<unknown> {
  const params = { ...zone.of, ...body } as unknown as PhaseUpdateParams // rules of a phase as returned by `config`
  return zone.client.rulesets.phases.update(PHASE, params, {
    query: { waf_migration: step, phase_two: 1, ...more },
  })
}

export const own = (zone: MigratingZone, step: string): Promise<unknown> =>
  zone.client.post(`/zonereeve/zones/${zone.id}/waf_migration/${step}`)

export async function refused(sent: Promise<unknown>, status: number, code: number): Promise<string> {
  let text = ''
  await rejects(sent, (error) => {
    ok(error instanceof APIError, String(error))
    deepEqual([error.status, error.errors.map((issue) => issue.code)], [status, [code]])
    text = error.message
    return true
  })
  return text
}

export async function changeCount({ client, id }: MigratingZone): Promise<number> {
  const history = await client.get<{ result_info: { total_count: number } }>(
    `/zonereeve/zones/${id}/changes?per_page=5`,
  )
  return history.result_info.total_count
}

export const bypass = (zone: MigratingZone, expression: string) => ({
  action: 'bypass',
  products: ['waf'],
  filter: { expression },
  description: `past the managed rules of ${zone.name}`,
})

export const addFirewallRules = async (zone: MigratingZone, rules: readonly object[]): Promise<string[]> => {
  const path = `/zones/${zone.id}/firewall/rules`
  const made = await zone.client.post<Envelope<{ id: string }[]>>(path, { body: rules })
  return made.result.map(({ id }) => id)
}

export const addPageRule = ({ client, of }: MigratingZone, value: string, priority: number, action: object) =>
  client.pageRules.create({
    ...of,
    targets: [{ target: 'url', constraint: { operator: 'matches', value } }],
    actions: [action as { id: 'disable_security' }], // one of the actions in the SDK's types
    priority,
    status: 'active',
  })

/** One of every kind that is migrated: a group, a rule, the score, firewall rules and page rules. */
export async function configureLegacy(
  zone: MigratingZone,
): Promise<{ firewallRules: string[]; pageRules: string[] }> {
  const { waf } = zone.client.firewall
  const packages = (await waf.packages.list(zone.of)).result as { id: string; detection_mode: string }[] // the SDK has no type for it
  const idOf = (mode: string): string => packages.find((one) => one.detection_mode === mode)?.id ?? ''
  const [anomaly, traditional] = [idOf('anomaly'), idOf('traditional')]
  await zone.client.patch(`/zones/${zone.id}/firewall/waf/packages/${anomaly}`, {
    body: { sensitivity: 'medium', action_mode: 'simulate' },
  })
  const groups = (await waf.packages.groups.list(traditional, zone.of)).result
  const drupal = groups.find((group) => group.name.includes('Drupal'))
  await waf.packages.groups.edit(drupal?.id ?? '', { ...zone.of, package_id: traditional, mode: 'off' })
  await waf.packages.rules.edit('100005', { ...zone.of, package_id: traditional, mode: 'simulate' })
  return {
    firewallRules: await addFirewallRules(zone, [
      bypass(zone, `ip.src eq ${OFFICE}`),
      { action: 'block', filter: { expression: 'http.request.uri.path eq "/never"' } },
    ]),
    pageRules: [
      (await addPageRule(zone, `${zone.name}/upload/checked*`, 2, { id: 'waf', value: 'on' })).id,
      (await addPageRule(zone, `${zone.name}/upload/*`, 1, { id: 'disable_security' })).id,
    ],
  }
}

/** Decisions on attacks and on ordinary requests, by address and path. */
export async function verdicts(zone: MigratingZone, planned = false): Promise<readonly Trace[]> {
  const asked = [
    { url: `https://${zone.name}/?${ATTACK}` },
    { url: `https://${zone.name}/?${ATTACK}`, ip: OFFICE },
    { url: `https://${zone.name}/upload/file?${ATTACK}` },
    { url: `https://${zone.name}/upload/checked?${ATTACK}` },
    { url: `https://${zone.name}/about?page=2` },
  ]
  const path = `/zonereeve/zones/${zone.id}/firewall/trace`
  return Promise.all(
    asked.map(async (request) => {
      const body = { ...request, planned, steps: 'matched' }
      return (await zone.client.post<Envelope<Trace>>(path, { body })).result
    }),
  )
}
