// The rest of the API through the SDK: accounts, tokens, zones and their settings, usage, expressions.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { BadRequestError, NotFoundError, type Cloudflare } from 'cloudflare'
import { ask } from './dns-client.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

const ZONE = 'settings.example.org'

interface Session {
  readonly client: Cloudflare
  readonly target: Target
  readonly report: Report
  /** Creates a client with another token. */
  readonly connectAs: (token: string) => Cloudflare
}

export async function runAccount(session: Session): Promise<void> {
  await runAccounts(session)
  await runUserTokens(session)
  await runAccountTokens(session)
  await runZoneSettings(session)
}

async function runAccounts({ client, report }: Session): Promise<void> {
  await report.check('sdk: accounts are created, read, updated, listed and deleted', async () => {
    const { id } = await client.accounts.create({ name: 'Second account', type: 'standard' })
    equal((await client.accounts.get({ account_id: id })).name, 'Second account')
    const updated = await client.accounts.update({ account_id: id, id, name: 'Renamed', type: 'standard' })
    equal(updated.name, 'Renamed')
    const listed = []
    for await (const account of client.accounts.list({ name: 'Renamed' })) listed.push(account.id)
    deepEqual(listed, [id])
    await client.accounts.delete({ account_id: id })
    await rejects(async () => client.accounts.get({ account_id: id }))
  })
  await report.check('sdk: the audit log, with filters', async () => {
    const [account] = (await client.accounts.list()).result
    const account_id = account?.id ?? ''
    const { name } = await client.zones.create({ name: 'audited.example.org', account: { id: account_id } })
    const filters = {
      action: { type: 'zone.create' },
      zone: { name },
      direction: 'asc' as const,
      per_page: 1,
    }
    const listed = []
    for await (const entry of client.auditLogs.list({ account_id, ...filters })) listed.push(entry)
    equal(listed.length, 1)
    equal(listed[0]?.action?.result, true)
    ok(listed[0]?.actor?.ip)
    await rejects(
      async () => client.auditLogs.list({ account_id, export: true }),
      (error) => error instanceof BadRequestError && error.message.includes('20380'),
    )
  })
  await report.check('sdk: the user and its memberships', async () => {
    ok((await client.user.get())?.id)
    const memberships = []
    for await (const membership of client.memberships.list()) memberships.push(membership.id)
    ok(memberships.length > 0)
  })
}

async function runUserTokens({ client, report, connectAs }: Session): Promise<void> {
  const groups = []
  await report.check('sdk: permission groups', async () => {
    for await (const group of client.user.tokens.permissionGroups.list()) groups.push(group.id)
    ok(groups.length > 20)
  })
  const policies = [
    {
      effect: 'allow' as const,
      resources: { 'com.cloudflare.api.account.zone.*': '*' },
      permission_groups: [{ id: '82e64a83756745bbbb1c9c2701bf816b' }], // DNS Read
    },
  ]
  await report.check('sdk: a user token is created, used, changed, rolled and deleted', async () => {
    const made = await client.user.tokens.create({ name: 'reader', policies })
    const id = made.id ?? ''
    equal((await connectAs(made.value ?? '').user.tokens.verify())?.status, 'active')
    equal((await client.user.tokens.get(id)).name, 'reader')
    const changed = await client.user.tokens.update(id, {
      name: 'still a reader',
      policies,
      status: 'active',
    })
    equal(changed.name, 'still a reader')
    const rolled = await client.user.tokens.value.update(id, { body: {} })
    equal((await connectAs(rolled).user.tokens.verify())?.status, 'active')
    await rejects(async () => connectAs(made.value ?? '').user.tokens.verify())
    const listed = []
    for await (const token of client.user.tokens.list()) listed.push(token.id)
    ok(listed.includes(id))
    await client.user.tokens.delete(id)
    await rejects(async () => client.user.tokens.get(id), NotFoundError)
  })
}

async function runAccountTokens({ client, report, connectAs }: Session): Promise<void> {
  await report.check('sdk: an account token is created, verified and deleted', async () => {
    const account_id = await anyAccountId(client)
    const made = await client.accounts.tokens.create({
      account_id,
      name: 'of the account',
      policies: [
        {
          effect: 'allow',
          resources: { [`com.cloudflare.api.account.${account_id}`]: '*' },
          permission_groups: [{ id: 'c1fde68c7bcc44588cbb6ddbc16d6480' }], // Account Settings Read
        },
      ],
    })
    const id = made.id ?? ''
    equal((await connectAs(made.value ?? '').accounts.tokens.verify({ account_id })).status, 'active')
    equal((await client.accounts.tokens.get(id, { account_id })).id, id)
    const groups = []
    for await (const group of client.accounts.tokens.permissionGroups.list({ account_id }))
      groups.push(group.id)
    ok(groups.length > 5)
    await client.accounts.tokens.delete(id, { account_id })
    await rejects(async () => client.accounts.tokens.get(id, { account_id }), NotFoundError)
  })
}

async function runZoneSettings({ client, target, report }: Session): Promise<void> {
  const account_id = await anyAccountId(client)
  const { id: zone_id } = await client.zones.create({ account: { id: account_id }, name: ZONE })
  await report.check('sdk: a zone is edited and checked for activation', async () => {
    equal((await client.zones.edit({ zone_id, paused: true })).paused, true)
    equal((await client.zones.edit({ zone_id, paused: false })).paused, false)
    equal((await client.zones.activationCheck.trigger({ zone_id })).id, zone_id)
  })
  await report.check('sdk: DNS settings of a zone are read and changed, and DNS follows', async () => {
    equal((await client.dns.settings.zone.get({ zone_id })).ns_ttl, 86_400)
    const edited = await client.dns.settings.zone.edit({ zone_id, ns_ttl: 7200, multi_provider: true })
    deepEqual([edited.ns_ttl, edited.multi_provider], [7200, true])
    const { answers } = await ask(target.dns, ZONE, 'NS')
    ok(answers.length > 0 && answers.every((line) => line.startsWith('NS 7200 ')))
    await rejects(async () => client.dns.settings.zone.edit({ zone_id, ns_ttl: 1 }), BadRequestError)
    equal((await client.dns.settings.zone.get({ zone_id })).ns_ttl, 7200)
  })
  await report.check('sdk: DNS settings of an account are read and changed', async () => {
    const before = await client.dns.settings.account.get({ account_id })
    const edited = await client.dns.settings.account.edit({ account_id, zone_defaults: { ns_ttl: 3600 } })
    equal(edited.zone_defaults.ns_ttl, 3600)
    const { ns_ttl } = before.zone_defaults
    await client.dns.settings.account.edit({ account_id, zone_defaults: { ns_ttl } })
    deepEqual(await client.dns.settings.account.get({ account_id }), before)
  })
  await report.check('sdk: settings of a zone', async () => {
    const set = await client.zones.settings.edit('http3', { zone_id, value: 'off' } as never) // the SDK types each setting separately
    equal(set?.id, 'http3')
    deepEqual(await client.zones.settings.get('http3', { zone_id }), set)
  })
  await report.check(
    'sdk: a zone file is imported, exported, and imported again without a change',
    async () => {
      const file = [
        `file.${ZONE}. 600 IN A 192.0.2.7 ; of the file cf_tags=kept`,
        `file.${ZONE}. 600 IN TXT "one" "two"`,
        `bad.${ZONE}. 600 IN A 192.0.2.256`,
        '',
      ].join('\n')
      const imported = await client.dns.records.import({ zone_id, file, proxied: 'false' })
      deepEqual([imported.recs_added, imported.total_records_parsed], [2, 2])
      deepEqual((await ask(target.dns, `file.${ZONE}`, 'A')).answers, ['A 600 192.0.2.7'])
      const exported = await client.dns.records.export({ zone_id })
      for (const part of ['192.0.2.7', 'of the file', 'cf_tags=kept', '"one" "two"'])
        ok(exported.includes(part), part)
      equal((await client.dns.records.import({ zone_id, file: exported })).recs_added, 0)
      for await (const { id } of client.dns.records.list({ zone_id }))
        await client.dns.records.delete(id, { zone_id })
    },
  )
  await report.check('sdk: records are counted for a zone and for an account', async () => {
    const content = '192.0.2.1'
    await client.dns.records.create({ zone_id, type: 'A', name: 'counted', ttl: 1, content })
    deepEqual(await client.dns.usage.zone.get({ zone_id }), { record_quota: null, record_usage: 1 })
    const all = await client.dns.usage.account.get({ account_id })
    ok((all.record_usage ?? 0) >= 1)
  })
  await report.check('sdk: a deleted zone is not found', async () => {
    await client.zones.delete({ zone_id })
    await rejects(async () => client.zones.get({ zone_id }), NotFoundError)
  })
}

async function anyAccountId(client: Cloudflare): Promise<string> {
  const [account] = (await client.accounts.list()).result
  ok(account, 'there is an account')
  return account.id
}
