// IP access rules, user-agent rules and zone lockdown through the SDK: every operation.
import { equal, ok, rejects } from 'node:assert/strict'
import { BadRequestError, NotFoundError } from 'cloudflare'
import type Cloudflare from 'cloudflare'
import type { Report } from './report.ts'

/** @param zoneId a zone with the enterprise plan. */
export async function runAccess(client: Cloudflare, report: Report, zoneId: string): Promise<void> {
  const account = (await client.accounts.list()).result[0]
  ok(account, 'there is an account')
  for (const of of [{ zone_id: zoneId }, { account_id: account.id }])
    await report.check(`sdk: IP access rules of ${Object.keys(of).join('')}`, () => accessRules(client, of))
  await report.check('sdk: user-agent rules', () => userAgentRules(client, { zone_id: zoneId }))
  await report.check('sdk: zone lockdown', () => zoneLockdown(client, { zone_id: zoneId }))
}

const hasCode = (code: number) => (error: unknown) =>
  error instanceof BadRequestError && error.errors[0]?.code === code

async function accessRules(
  client: Cloudflare,
  of: { readonly zone_id: string } | { readonly account_id: string },
): Promise<void> {
  const { accessRules: rules } = client.firewall
  const configuration = { target: 'ip', value: '198.51.100.4' } as const
  const made = await rules.create({ ...of, configuration, mode: 'challenge', notes: 'sdk' })
  equal(made.configuration.value, '198.51.100.4')
  await rejects(rules.create({ ...of, configuration, mode: 'block' }), hasCode(10_009))
  equal((await rules.edit(made.id, { ...of, configuration, mode: 'block', notes: 'new' })).mode, 'block')
  equal((await rules.get(made.id, of)).notes, 'new')
  const found: string[] = []
  for await (const rule of rules.list({ ...of, configuration: { target: 'ip' }, notes: 'NEW' }))
    found.push(rule.id)
  equal(found.join(), made.id)
  equal((await rules.delete(made.id, of))?.id, made.id)
  await rejects(rules.get(made.id, of), NotFoundError)
}

async function userAgentRules(client: Cloudflare, of: { readonly zone_id: string }): Promise<void> {
  const { uaRules: rules } = client.firewall
  const configuration = { target: 'ua', value: 'SDK/1.0' } as const
  const { id = '' } = await rules.create({ ...of, configuration, mode: 'block', description: 'sdk' })
  equal((await rules.get(id, of)).configuration?.value, 'SDK/1.0')
  // The SDK's type of this parameter has the targets of access rules.
  const changed = { ...of, configuration: configuration as never, mode: 'challenge' } as const
  equal((await rules.update(id, changed)).mode, 'challenge')
  const found: (string | undefined)[] = []
  for await (const rule of rules.list({ ...of, user_agent: 'sdk' })) found.push(rule.id)
  equal(found.join(), id)
  equal((await rules.delete(id, of)).id, id)
  await rejects(rules.get(id, of), NotFoundError)
}

async function zoneLockdown(client: Cloudflare, of: { readonly zone_id: string }): Promise<void> {
  const { lockdowns } = client.firewall
  const urls = ['sdk.example.com/admin*']
  const configurations = [{ target: 'ip', value: '198.51.100.4' } as const]
  const { id } = await lockdowns.create({ ...of, urls, configurations, description: 'sdk', priority: 3 })
  equal((await lockdowns.get(id, of)).description, 'sdk')
  await rejects(lockdowns.create({ ...of, urls, configurations }), hasCode(10_009))
  const more = [...configurations, { target: 'ip_range', value: '203.0.113.0/24' } as const]
  equal((await lockdowns.update(id, { ...of, urls, configurations: more })).configurations.length, 2)
  const found: string[] = []
  for await (const rule of lockdowns.list({ ...of, uri_search: 'admin' })) found.push(rule.id)
  equal(found.join(), id)
  equal((await lockdowns.delete(id, of)).id, id)
  await rejects(lockdowns.get(id, of), NotFoundError)
}
