// Secondary DNS through the SDK: keys, ACLs, peers, and the transfers of a zone.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { BadRequestError, NotFoundError, type Cloudflare } from 'cloudflare'
import type { Report } from './report.ts'

const ZONE = 'transfers.example.org'
const SECRET = 'ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA='

interface Session {
  readonly client: Cloudflare
  readonly report: Report
}

export async function runTransfers({ client, report }: Session): Promise<void> {
  const account_id = await anyAccount(client)
  const { tsigs, acls, peers } = client.dns.zoneTransfers
  await report.check('sdk: keys, ACLs and peers are created, listed, changed and deleted', async () => {
    const tsig = { account_id, name: 'sdk.example.', secret: SECRET, algo: 'hmac-sha512.' }
    const key = await tsigs.create(tsig)
    deepEqual(await tsigs.get(key.id, { account_id }), key)
    const peer = await peers.create({ account_id, name: 'first' })
    const changed = { name: 'second', ip: '192.0.2.53', port: 5353, tsig_id: key.id }
    const updated = await peers.update(peer.id, { account_id, ixfr_enable: false, ...changed })
    deepEqual(updated, { id: peer.id, ixfr_enable: false, ...changed })
    const acl = await acls.create({ account_id, name: 'home', ip_range: '192.0.2.0/24' })
    ok((await listed(acls.list({ account_id }))).some(({ id }) => id === acl.id))
    ok((await listed(peers.list({ account_id }))).some(({ id }) => id === peer.id))
    ok((await listed(tsigs.list({ account_id }))).some(({ id }) => id === key.id))
    await rejects(async () => tsigs.delete(key.id, { account_id }), BadRequestError)
    deepEqual(await peers.delete(peer.id, { account_id }), { id: peer.id })
    deepEqual(await acls.delete(acl.id, { account_id }), { id: acl.id })
    deepEqual(await tsigs.delete(key.id, { account_id }), { id: key.id })
    await rejects(async () => tsigs.get(key.id, { account_id }), NotFoundError)
  })
  await report.check('sdk: transfers of a zone are set up, enabled, disabled and removed', () =>
    useTransfers(client, account_id),
  )
}

async function useTransfers(client: Cloudflare, account_id: string): Promise<void> {
  const { peers, outgoing } = client.dns.zoneTransfers
  const peer = await peers.create({ account_id, name: 'of a zone' })
  const { id: zone_id } = await client.zones.create({ name: ZONE, account: { id: account_id } })
  const made = await outgoing.create({ zone_id, name: `${ZONE}.`, peers: [peer.id] })
  equal(made.name, `${ZONE}.`)
  equal(await outgoing.status.get({ zone_id }), 'Disabled')
  equal(await outgoing.enable({ zone_id }), 'Enabled')
  equal(await outgoing.status.get({ zone_id }), 'Enabled')
  equal(await outgoing.forceNotify({ zone_id }), 'OK')
  deepEqual((await outgoing.update({ zone_id, name: `${ZONE}.`, peers: [peer.id] })).peers, [peer.id])
  ok(((await outgoing.get({ zone_id })).soa_serial ?? 0) > 0)
  equal(await outgoing.disable({ zone_id }), 'Disabled')
  await outgoing.delete({ zone_id })
  await rejects(async () => outgoing.get({ zone_id }), NotFoundError)
  await peers.delete(peer.id, { account_id })
  await client.zones.delete({ zone_id })
}

async function anyAccount(client: Cloudflare): Promise<string> {
  for await (const { id } of client.accounts.list()) return id
  throw new Error('there is no account')
}

async function listed<Item>(pages: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of pages) items.push(item)
  return items
}
