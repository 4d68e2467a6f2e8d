// Named lists of an account through the SDK: every operation.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { BadRequestError, NotFoundError } from 'cloudflare'
import type Cloudflare from 'cloudflare'
import type { Report } from './report.ts'

/** @param zoneId a zone with the enterprise plan. */
export async function runNamedLists(client: Cloudflare, report: Report, zoneId: string): Promise<void> {
  const account = (await client.accounts.list()).result[0]
  ok(account, 'there is an account')
  await report.check('sdk: lists and their items are created, listed, changed, used and deleted', () =>
    wholeList(client, { account_id: account.id }, zoneId),
  )
}

async function wholeList(
  client: Cloudflare,
  of: { readonly account_id: string },
  zoneId: string,
): Promise<void> {
  const { lists } = client.rules
  const { id } = await lists.create({ ...of, kind: 'ip', name: 'sdk_office', description: 'ours' })
  equal((await lists.update(id, { ...of, description: 'new' })).description, 'new')
  const sent = Array.from({ length: 250 }, (_, index) => ({ ip: `10.1.0.${index}`, comment: `no. ${index}` }))
  const { operation_id: operation } = await lists.items.create(id, { ...of, body: sent })
  equal((await lists.bulkOperations.get(operation, of)).status, 'completed')
  const listed: string[] = []
  const ids: string[] = []
  for await (const item of lists.items.list(id, { ...of, per_page: 100 })) {
    if (!('ip' in item)) throw new Error('an item of another kind')
    listed.push(item.ip)
    ids.push(item.id)
  }
  deepEqual(
    listed,
    sent.map(({ ip }) => ip),
  )
  const found = await lists.items.list(id, { ...of, search: '10.1.0.24' })
  equal(found.result.length, 11) // 24 and 240 to 249
  const inList = { ...of, list_id: id }
  ok('ip' in (await lists.items.get(ids[0] ?? '', inList)))
  await lists.items.delete(id, { ...of, items: [{ id: ids[0] ?? '' }] })
  await rejects(lists.items.get(ids[0] ?? '', inList), NotFoundError)
  await lists.items.update(id, { ...of, body: [{ ip: '192.0.2.0/24' }] })
  const shown = await lists.get(id, of)
  deepEqual([shown.num_items, shown.num_referencing_filters], [1, 0])
  const rules = (await client.rulesets.phases.update('http_request_firewall_custom', {
    zone_id: zoneId,
    rules: [{ action: 'block', expression: 'ip.src in $sdk_office' }],
  })) as { readonly id: string } // the SDK has no type for it
  const refused = lists.delete(id, of)
  await rejects(refused, (error) => error instanceof BadRequestError && error.errors[0]?.code === 10031)
  await client.rulesets.delete(rules.id, { zone_id: zoneId })
  equal((await lists.delete(id, of)).id, id)
  ok(!(await lists.list(of)).result.some((list) => list.id === id))
}
