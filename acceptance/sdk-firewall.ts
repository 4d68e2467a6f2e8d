// The previous firewall through the SDK: managed rules in packages, overrides, filters, firewall rules, page rules.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { BadRequestError, NotFoundError } from 'cloudflare'
import type Cloudflare from 'cloudflare'
import type { RuleCreateParams } from 'cloudflare/resources/firewall/rules'
import type { Report } from './report.ts'

type Act = (zone: { readonly zone_id: string }) => Promise<void>

/** @param zoneId a zone of a paid plan. */
export async function runFirewall(client: Cloudflare, report: Report, zoneId: string): Promise<void> {
  const zone = { zone_id: zoneId }
  const acts: readonly (readonly [name: string, act: Act])[] = [
    ['packages, groups and rules are listed, got and set', (of) => managedRules(client, of)],
    ['overrides are created, replaced and deleted', (of) => overrides(client, of)],
    ['the setting waf is switched', (of) => wafSetting(client, of)],
    ['filters are created, found, replaced and deleted', (of) => filters(client, of)],
    ['firewall rules are created, found, replaced and deleted', (of) => firewallRules(client, of)],
    ['page rules are created, listed by priority, edited and deleted', (of) => pageRules(client, of)],
  ]
  for (const [name, act] of acts) await report.check(`sdk: ${name}`, () => act(zone))
}

interface Listed {
  readonly id: string
  readonly mode?: string
  readonly detection_mode?: string
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

async function managedRules(client: Cloudflare, zone: { readonly zone_id: string }): Promise<void> {
  const { packages } = client.firewall.waf
  const found = (await all(packages.list(zone))) as Listed[] // the SDK has no type for it
  const traditional = found.find((one) => one.detection_mode === 'traditional')?.id ?? ''
  const inPackage = { ...zone, package_id: traditional }
  const [group] = await all(packages.groups.list(traditional, zone))
  const off = await packages.groups.edit(group?.id ?? '', { ...inPackage, mode: 'off' })
  equal((off as Listed).mode, 'off')
  const again = packages.groups.edit(group?.id ?? '', { ...inPackage, mode: 'off' })
  await rejects(again, (error) => error instanceof BadRequestError && error.errors[0]?.code === 1020)
  const [rule] = (await all(packages.rules.list(traditional, { ...zone, mode: 'BLK' }))) as Listed[] // as above
  const simulated = await packages.rules.edit(rule?.id ?? '', { ...inPackage, mode: 'simulate' })
  equal((simulated as Listed).mode, 'simulate')
  equal(((await packages.rules.get(rule?.id ?? '', inPackage)) as Listed).mode, 'simulate')
}

async function overrides(client: Cloudflare, zone: { readonly zone_id: string }): Promise<void> {
  const { overrides: api } = client.firewall.waf
  const urls = ['shop.example.com/*']
  // The SDK types replies as nothing: the live API has retired the operations.
  const listed = async () => ((await api.list(zone)) as unknown as { result: Listed[] }).result
  await api.create({
    ...zone,
    urls,
    ...({ groups: { ea8687e59929c1fd05ba97574ad43f77: 'default' } } as object),
  })
  const [made] = await listed()
  const id = made?.id ?? ''
  await api.update(id, {
    ...zone,
    id,
    urls,
    rules: { '100015': 'disable' },
    rewrite_action: { block: 'simulate' },
  })
  await api.delete(id, zone)
  deepEqual(await listed(), [])
}

async function wafSetting(client: Cloudflare, zone: { readonly zone_id: string }): Promise<void> {
  const { value } = (await client.zones.settings.edit('waf', { ...zone, value: 'off' })) as { value: unknown } // one of many
  equal(value, 'off')
}

async function filters(client: Cloudflare, zone: { readonly zone_id: string }): Promise<void> {
  const expression = 'http.request.uri.path contains "/login"'
  const [made] = await all(client.filters.create({ ...zone, body: [{ expression, description: 'login' }] }))
  const id = made?.id ?? ''
  equal((await client.filters.get(id, zone)).expression, expression)
  deepEqual(
    (await all(client.filters.list({ ...zone, description: 'LOGIN' }))).map((one) => one.id),
    [id],
  )
  const twice = all(client.filters.create({ ...zone, body: [{ expression }] }))
  await rejects(twice, (error) => error instanceof BadRequestError && error.errors[0]?.code === 10102)
  equal((await client.filters.update(id, { ...zone, expression: 'ssl' })).expression, 'ssl')
  deepEqual(await client.filters.bulkDelete({ ...zone, id: [id] }), [{ id }])
  await rejects(client.filters.get(id, zone), NotFoundError)
}

async function firewallRules(client: Cloudflare, zone: { readonly zone_id: string }): Promise<void> {
  const { rules } = client.firewall
  // The SDK types the action as that of a rate limit, which is a mistake of the published schema.
  const block = 'block' as unknown as RuleCreateParams['action']
  const draft = { ...zone, action: block, filter: { expression: 'ip.src in {192.0.2.0/24}' }, priority: 2 }
  const [made] = await all(rules.create(draft))
  const id = made?.id ?? ''
  ok(made?.filter?.id)
  deepEqual(
    (await all(rules.list({ ...zone, action: 'block' }))).map((one) => one.id),
    [id],
  )
  const changed = await rules.update(id, { ...draft, ...({ priority: 7 } as object) })
  deepEqual([changed.priority, changed.filter], [7, made.filter])
  equal((await all(rules.edit(id, { ...zone, ...({ paused: true } as object) })))[0]?.paused, true)
  equal((await rules.delete(id, zone)).id, id)
  await rejects(rules.get(id, zone), NotFoundError)
}

async function pageRules(client: Cloudflare, zone: { readonly zone_id: string }): Promise<void> {
  const api = client.pageRules
  const target = (value: string) => [{ target: 'url', constraint: { operator: 'matches', value } }] as const
  const make = (value: string, priority: number) =>
    api.create({
      ...zone,
      targets: [...target(value)],
      actions: [{ id: 'disable_security' }],
      priority,
      status: 'active',
    })
  const low = await make('sdk.example.com/low*', 1)
  const high = await make('sdk.example.com/high*', 2)
  deepEqual(
    (await api.list({ ...zone, status: 'active' })).map((one) => one.id),
    [high.id, low.id],
  )
  const edited = await api.edit(low.id, { ...zone, actions: [{ id: 'waf', value: 'off' }] })
  deepEqual([edited.actions, edited.priority], [[{ id: 'waf', value: 'off' }], 1])
  for (const { id } of [low, high]) deepEqual(await api.delete(id, zone), { id })
  await rejects(api.get(low.id, zone), NotFoundError)
}
