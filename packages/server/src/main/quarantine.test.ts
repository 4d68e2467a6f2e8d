// An unreadable stored row: its zone answers SERVFAIL and is reported, all other zones are served, and a repair
// by the API restores it.
import { statSync, chmodSync, cpSync, readFileSync, readdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { readReportingQuery } from '../features/monitoring/page-shield/index.ts'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { openSqlite } from '@zonereeve/storage'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { callProgram, mustOf } from '../testing/program-calls.ts'
import { endOfSuite, scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { startApp, type App } from './app.ts'

async function start(folder: string): Promise<App> {
  const app = await startApp({
    config: loadConfig({
      flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0', resolver: 'off', data: folder },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    }),
    clock: systemClock(),
    ids: randomIds(),
    log: silentLog,
  })
  onTestFinished(() => app.close().catch(() => {})) // most tests have closed it already
  return app
}

interface Data {
  readonly folder: string
  readonly zone: string
}

/** Two zones with a record each: the same for all tests, which copy them. */
let undamaged: Promise<Data> | undefined
const atEnd = endOfSuite()

async function makeUndamaged(): Promise<Data> {
  const folder = scratchFolder(atEnd)
  const app = await start(folder)
  const [bad, good] = await Promise.all(
    ['bad.example', 'good.example'].map((name) => mustOf(app, 'POST', '/zones', { name })),
  )
  for (const zone of [bad, good])
    await mustOf(app, 'POST', `/zones/${zone?.id}/dns_records`, {
      type: 'A',
      name: 'www',
      content: '192.0.2.1',
    })
  await app.close()
  return { folder, zone: bad?.id ?? '' }
}

/** Data of a stopped program with two zones, with a change of the database. */
async function damaged(sql: string): Promise<Data> {
  undamaged ??= makeUndamaged()
  const { folder: source, zone } = await undamaged
  const folder = scratchFolder()
  cpSync(source, folder, { recursive: true })
  const database = await openSqlite(join(folder, 'zonereeve.db'))
  database.exec(sql)
  database.close()
  return { folder, zone }
}

/** Changed by hand, so the checksums are removed. */
const ofBadZone = (change: string) => flipped(`${change}, served_checksum = NULL, body_checksum = NULL`)
/** A change that the checksums do not match. */
const flipped = (change: string) =>
  `UPDATE dns_records SET ${change} WHERE zone_id = (SELECT id FROM zones WHERE name = 'bad.example')`

async function rcodeOf(app: App, name: string): Promise<string> {
  const zone = name.split('.').slice(1).join('.')
  const zones = await mustOf<readonly { readonly id: string }[]>(app, 'GET', `/zones?name=${zone}`)
  const asked = await mustOf<{ readonly rcode: string }>(
    app,
    'GET',
    `/zonereeve/zones/${zones[0]?.id}/query?name=${name}&type=A`,
  )
  return asked.rcode
}

async function readiness(app: App): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`http://127.0.0.1:${app.http.port}/readyz`)
  return { status: answer.status, text: await answer.text() }
}

describe('a record that cannot be published', () => {
  test.each([
    ['an invalid name', ofBadZone(`name = '..bad..'`)],
    ['a name outside the zone', ofBadZone(`name = 'www.good.example'`)],
    ['settings that are not JSON', ofBadZone(`settings = '{'`)],
    ['an unknown type', ofBadZone(`type = 'NONE'`)],
  ])('%s: its zone is quarantined, and deleting it restores the zone', async (_, sql) => {
    const { folder, zone } = await damaged(sql)
    const app = await start(folder)
    expect(await rcodeOf(app, 'www.good.example')).toBe('NOERROR')
    expect(await rcodeOf(app, 'www.bad.example')).toBe('SERVFAIL')
    const ready = await readiness(app)
    expect([ready.status, ready.text]).toEqual([
      200,
      expect.stringMatching(
        /^ok\nzone [0-9a-f]{32} is answered with SERVFAIL: .*\n(row cannot be read: dns_records .*\n)?$/,
      ),
    ])
    expect(
      (await callProgram(app, 'GET', `/zones/${zone}`)).envelope.messages.map(({ code }) => code),
    ).toEqual([19831])
    const [record] = await mustOf<readonly { readonly id: string }[]>(
      app,
      'GET',
      `/zones/${zone}/dns_records`,
    )
    await mustOf(app, 'DELETE', `/zones/${zone}/dns_records/${record?.id}`)
    expect(await rcodeOf(app, 'www.bad.example')).toBe('NXDOMAIN')
    expect(await readiness(app)).toEqual({ status: 200, text: 'ok\n' })
    await app.close()
  })

  test('overwriting it with its former content repairs it', async () => {
    const { folder, zone } = await damaged(ofBadZone(`name = '..bad..'`))
    const app = await start(folder)
    const path = `/zones/${zone}/dns_records`
    const [record] = await mustOf<readonly { readonly id: string }[]>(app, 'GET', path)
    await mustOf(app, 'PUT', `${path}/${record?.id}`, {
      type: 'A',
      name: 'www',
      content: '192.0.2.1',
      ttl: 1,
    })
    expect(await rcodeOf(app, 'www.bad.example')).toBe('NOERROR')
    await app.close()
  })
})

describe('a damaged record', () => {
  // The JSON is made of it; what is published is not.
  const BODY = `content = '192.0.2.9'`
  const RDATA = `rdata = x'c0000209'`
  const RECORD = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 1 }
  const IN_LIST = [503, 19829]
  const LISTED = [200, undefined]
  const cases = [
    {
      damage: 'a body that its checksum does not match',
      sql: flipped(BODY),
      inList: IN_LIST,
      patch: IN_LIST,
    },
    {
      damage: 'a body that is no JSON',
      sql: ofBadZone(`stored_body = '{'`),
      inList: IN_LIST,
      patch: IN_LIST,
    },
    {
      damage: 'a value that its checksum does not match',
      sql: flipped(RDATA),
      inList: LISTED,
      patch: LISTED,
    },
    {
      damage: 'a name that its checksum does not match',
      sql: flipped(`name = 'ww.bad.example'`),
      inList: IN_LIST,
      patch: IN_LIST,
    },
    {
      damage: 'a type that its checksum does not match',
      sql: flipped(`type = 'MX'`),
      inList: LISTED,
      patch: LISTED,
    },
    { damage: 'nothing whole', sql: flipped(`${BODY}, ${RDATA}`), inList: IN_LIST, patch: IN_LIST },
  ]
  const repairs = [
    { method: 'DELETE', body: undefined, rcode: 'NXDOMAIN', count: 0 },
    { method: 'PUT', body: RECORD, rcode: 'NOERROR', count: 1 },
  ] as const

  describe.each([{ when: 'before the start' }, { when: 'while it runs' }])('$when', ({ when }) => {
    test.each(cases.flatMap((each) => repairs.map((repair) => ({ ...each, ...repair }))))(
      '$damage: $method repairs it',
      async ({ sql, inList, patch, method, body, rcode, count }) => {
        const isBefore = when === 'before the start'
        const { folder, zone } = await damaged(isBefore ? sql : '')
        const path = `/zones/${zone}/dns_records`
        const app = await start(folder)
        const database = await openSqlite(join(folder, 'zonereeve.db'))
        if (!isBefore) database.exec(sql)
        const { id } = database.prepare(`SELECT id FROM dns_records WHERE zone_id = '${zone}'`).get() as {
          id: string
        } // as selected
        database.close()
        const outcome = async (verb: string, at: string, sent?: object) => {
          const { status, envelope } = await callProgram(app, verb, at, sent)
          const [error] = envelope.errors
          if (error !== undefined) expect(error.message).toContain(`record ${id}`)
          return [status, error?.code]
        }
        expect(await outcome('GET', path)).toEqual(inList)
        expect(await outcome('GET', `${path}/${id}`)).toEqual(inList)
        // A patch keeps a part of the row: it is rejected if that part might be damaged.
        if (patch !== LISTED) expect(await outcome('PATCH', `${path}/${id}`, { ttl: 300 })).toEqual(patch)
        expect(await outcome(method, `${path}/${id}`, body)).toEqual(LISTED)
        expect(await rcodeOf(app, 'www.bad.example')).toBe(rcode)
        expect(await rcodeOf(app, 'ww.bad.example')).toBe('NXDOMAIN')
        const left = await mustOf<readonly object[]>(app, 'GET', path)
        expect(left).toEqual(
          Array.from({ length: count }, () => expect.objectContaining({ id, content: '192.0.2.1' })),
        )
        expect(
          (await mustOf<{ readonly record_usage: number }>(app, 'GET', `${path}/usage`)).record_usage,
        ).toBe(count)
        expect(await readiness(app)).toEqual({ status: 200, text: 'ok\n' })
        await app.close()
        const again = await start(folder)
        expect(await rcodeOf(again, 'www.bad.example')).toBe(rcode)
        expect(await readiness(again)).toEqual({ status: 200, text: 'ok\n' })
        await again.close()
      },
    )
  })

  const before = { record: { content: '192.0.2.1' } }
  const returns = [
    { path: 'restore', sent: { number: 2 }, ...before },
    { path: 'restore', sent: { number: 3 }, record: { content: '192.0.2.2' } },
    { path: 'restore', sent: { number: 1 }, record: undefined },
    { path: 'changes/3/revert', sent: {}, ...before },
  ] as const
  // What is stored after the change: 192.0.2.2.
  const AFTER = 'c0000202'
  const damages = [
    { damage: 'a body that its checksum does not match', sql: flipped(BODY) },
    { damage: 'a body that is no JSON', sql: ofBadZone(`stored_body = '{'`) },
    { damage: 'a value that its checksum does not match', sql: flipped(`rdata = x'c0000209'`) },
    { damage: 'a name that is none', sql: ofBadZone(`name = '..bad..'`) },
    { damage: 'settings that are no JSON', sql: ofBadZone(`settings = '{'`) },
    {
      damage: 'nothing whole',
      sql: flipped(`stored_body = '{x', rdata = x'c0000209', name = 'ww.bad.example'`),
    },
  ]

  // Every damage with the first way back, and one damage with all of them.
  const pairs = damages.flatMap((each, index) =>
    (index === 0 ? returns : returns.slice(0, 1)).map((move) => ({ ...each, ...move })),
  )

  test.each(pairs)('$damage: $path $sent replaces it', async ({ sql, path, sent, record }) => {
    const { folder, zone } = await damaged('')
    const records = `/zones/${zone}/dns_records`
    const first = await start(folder)
    const [{ id } = { id: '' }] = await mustOf<readonly { readonly id: string }[]>(first, 'GET', records)
    await mustOf(first, 'PATCH', `${records}/${id}`, { content: '192.0.2.2' })
    await first.close()
    const database = await openSqlite(join(folder, 'zonereeve.db'))
    expect(database.prepare(`SELECT hex(rdata) AS rdata FROM dns_records WHERE id = '${id}'`).get()).toEqual({
      rdata: AFTER.toUpperCase(),
    })
    database.exec(sql)
    database.close()
    const app = await start(folder)
    // The background check has found it.
    await expect.poll(() => readiness(app), { timeout: 20_000 }).not.toEqual({ status: 200, text: 'ok\n' })
    expect((await callProgram(app, 'POST', `/zonereeve/zones/${zone}/${path}`, sent)).envelope).toMatchObject(
      {
        errors: [],
        result: record === undefined ? { changed: 0, removed: 1 } : { changed: 1, removed: 0 },
      },
    )
    const left =
      record === undefined ? [] : [expect.objectContaining({ id, name: 'www.bad.example', ...record })]
    expect(await mustOf(app, 'GET', records)).toEqual(left)
    expect(await rcodeOf(app, 'www.bad.example')).toBe(record === undefined ? 'NXDOMAIN' : 'NOERROR')
    expect(await rcodeOf(app, 'ww.bad.example')).toBe('NXDOMAIN')
    expect(await mustOf(app, 'GET', `${records}/usage`)).toMatchObject({ record_usage: left.length })
    expect(await readiness(app)).toEqual({ status: 200, text: 'ok\n' })
    await app.close()
  })
})

describe('one unreadable row', () => {
  test.each([
    ['of the zone itself', `UPDATE zones SET name_servers = '{' WHERE name = 'bad.example'`],
    [
      'of its settings',
      `INSERT INTO zone_settings (zone_id, name, value, modified_on) SELECT id, 'http3', '{', '' FROM zones WHERE name = 'bad.example'`,
    ],
    [
      'of its DNS settings',
      `INSERT INTO zone_dns_settings (zone_id, settings) SELECT id, '{' FROM zones WHERE name = 'bad.example'`,
    ],
    [
      'of transfer objects',
      `INSERT INTO transfer_objects (id, account_id, kind, name, body) SELECT 'x', id, 'acl', 'x', '{' FROM accounts`,
    ],
  ])('%s is reported, and other zones are served', async (_, sql) => {
    const { folder } = await damaged(sql)
    const app = await start(folder)
    expect(await rcodeOf(app, 'www.good.example')).toBe('NOERROR')
    const { status, text } = await readiness(app)
    expect([status, text]).toEqual([200, expect.stringContaining('row cannot be read: ')])
    await app.close()
  })
})

describe('the data folder', () => {
  const FILES = ['', '-wal', '-shm', '.key', '.lock', '.marker'].map((suffix) => `zonereeve.db${suffix}`)
  const modes = (folder: string) => FILES.map((file) => statSync(join(folder, file)).mode & 0o777)

  test('that others may read contains files that only their owner may read, also earlier ones', async () => {
    const folder = scratchFolder()
    chmodSync(folder, 0o755)
    const first = await start(folder)
    expect(modes(folder)).toEqual(FILES.map(() => 0o600))
    await first.close()
    for (const file of readdirSync(folder)) chmodSync(join(folder, file), 0o644)
    const second = await start(folder)
    expect(modes(folder)).toEqual(FILES.map(() => 0o600))
    await second.close()
  })

  const secretOf = (name: string): string =>
    Buffer.from(`${name} secret of older version`.padStart(32, '-')).toString('base64')
  const secrets = ['update', 'webhook', 'account webhook', 'transfer', 'report'].map(secretOf)
  const plainSecretsIn = (folder: string) =>
    readdirSync(folder).flatMap((file) => {
      const bytes = readFileSync(join(folder, file))
      return secrets.filter((secret) => bytes.includes(secret))
    })

  /** All secrets are stored in plain, and there is no key file. */
  async function ofEarlierVersion() {
    const folder = scratchFolder()
    const app = await start(folder)
    const [account] = await mustOf<readonly { readonly id: string }[]>(app, 'GET', '/accounts')
    const [token] = await mustOf<readonly { readonly id: string }[]>(app, 'GET', '/user/tokens')
    const zone = await mustOf(app, 'POST', '/zones', { name: 'good.example' })
    const key = await mustOf(app, 'POST', '/zonereeve/update_keys', {
      name: 'key.example',
      token_id: token?.id,
    })
    const tsigs = `/accounts/${account?.id}/secondary_dns/tsigs`
    const body = { name: 'tsig.example', algo: 'hmac-sha256.', secret: secretOf('first') }
    const tsig = await mustOf(app, 'POST', tsigs, body)
    await app.close()
    const database = await openSqlite(join(folder, 'zonereeve.db'))
    database.exec(`
      UPDATE update_keys SET secret = '${secretOf('update')}';
      INSERT INTO page_shield_webhooks (id, zone_id, url, kinds, enabled, secret, created_on, last_event, failures, next_attempt_at)
        VALUES ('hook', '${zone.id}', 'https://hooks.example/', 'null', 1, '${secretOf('webhook')}', '', 0, 0, '');
      INSERT INTO account_webhooks (id, account_id, source, url, kinds, enabled, secret, created_on, last_event, failures, next_attempt_at)
        VALUES ('hook', '${account?.id}', 'changes', 'https://hooks.example/', 'null', 1, '${secretOf('account webhook')}', '', 0, 0, '');
      UPDATE transfer_objects SET body = json_set(body, '$.secret', '${secretOf('transfer')}');
      UPDATE settings SET value = '${secretOf('report')}' WHERE name = 'page_shield.reporting_key'`)
    database.close()
    unlinkSync(join(folder, 'zonereeve.db.key'))
    expect(plainSecretsIn(folder).toSorted()).toEqual(secrets.toSorted())
    const path = { tsig: `${tsigs}/${tsig.id}`, key: `/zonereeve/update_keys/${key.id}` }
    return { folder, zone: zone.id, path }
  }

  const signerOf = async (app: App, zone: string, name = 'good.example') => {
    await mustOf(app, 'PUT', `/zones/${zone}/page_shield`, { enabled: true })
    const headers = `/zonereeve/zones/${zone}/page_shield/headers?url=https://${name}/`
    const text = JSON.stringify(await mustOf(app, 'GET', headers))
    const query = /script_monitor\/report\?([^;" ]+)/.exec(text)?.[1] ?? ''
    return (key: string): boolean =>
      'ticket' in readReportingQuery(Buffer.from(key, 'base64'), query, Date.now())
  }

  test('of an earlier version contains plain secrets: they are encrypted, and no plain copy is left', async () => {
    const { folder, zone, path } = await ofEarlierVersion()
    const again = await start(folder)
    expect(plainSecretsIn(folder)).toEqual([])
    expect((await mustOf<{ readonly secret: string }>(again, 'GET', path.tsig)).secret).toBe(
      secretOf('transfer'),
    )
    await mustOf(again, 'GET', path.key)
    expect((await signerOf(again, zone))(secretOf('report'))).toBe(true)
    expect(await readiness(again)).toEqual({ status: 200, text: 'ok\n' })
    await again.close()
    expect(plainSecretsIn(folder)).toEqual([])
  })

  test('keeps plain copies that cannot be erased until the next start', async () => {
    const { folder, path } = await ofEarlierVersion()
    const database = await openSqlite(join(folder, 'zonereeve.db'))
    database.exec('BEGIN')
    database.prepare('SELECT count(*) FROM settings').get()
    const first = await start(folder)
    expect(plainSecretsIn(folder).length).toBeGreaterThan(0)
    await mustOf(first, 'GET', path.key)
    database.exec('COMMIT')
    database.close()
    await first.close()
    const second = await start(folder)
    expect(plainSecretsIn(folder)).toEqual([])
    expect((await mustOf<{ readonly secret: string }>(second, 'GET', path.tsig)).secret).toBe(
      secretOf('transfer'),
    )
    await second.close()
    const connection = await openSqlite(join(folder, 'zonereeve.db'))
    const left = connection.prepare(`SELECT name FROM settings WHERE name = 'storage.plain_copies'`)
    expect(left.get()).toBe(undefined)
    connection.close()
  })

  test.each([
    ['is damaged', `UPDATE settings SET value = 'sealed:AQID' WHERE name = 'page_shield.reporting_key'`],
    ['is not a key', `UPDATE settings SET value = 'AQID' WHERE name = 'page_shield.reporting_key'`],
    ['needs a key file that is gone', ''],
  ])('whose reporting key %s gets a new one, and nothing else changes', async (why, sql) => {
    const { folder, zone } = await damaged(sql)
    if (why.includes('gone')) unlinkSync(join(folder, 'zonereeve.db.key'))
    const app = await start(folder)
    expect(await rcodeOf(app, 'www.good.example')).toBe('NOERROR')
    const isSignedBy = await signerOf(app, zone, 'bad.example')
    expect(isSignedBy('AQID')).toBe(false)
    expect(await readiness(app)).toEqual({ status: 200, text: 'ok\n' })
    await app.close()
    const again = await start(folder)
    expect(await readiness(again)).toEqual({ status: 200, text: 'ok\n' })
    await again.close()
  })

  test('whose key file cannot be written is rejected', async () => {
    const folder = scratchFolder()
    symlinkSync(join(folder, 'gone', 'key'), join(folder, 'zonereeve.db.key'))
    await expect(start(folder)).rejects.toThrow(/key file .*zonereeve\.db\.key cannot be written: /)
  })

  test('shows no secret of a TSIG key, and needs its key file', async () => {
    const folder = scratchFolder()
    const secret = Buffer.from('a secret of thirty-two octets ok').toString('base64')
    const app = await start(folder)
    const [account] = await mustOf<readonly { readonly id: string }[]>(app, 'GET', '/accounts')
    const path = `/accounts/${account?.id}/secondary_dns/tsigs`
    const body = { name: 'key.example', algo: 'hmac-sha256.', secret }
    const made = await mustOf<{ readonly id: string; readonly secret: string }>(app, 'POST', path, body)
    expect(made.secret).toBe(secret)
    await app.close()
    expect(readdirSync(folder).filter((file) => readFileSync(join(folder, file)).includes(secret))).toEqual(
      [],
    )
    const again = await start(folder)
    expect((await mustOf<{ readonly secret: string }>(again, 'GET', `${path}/${made.id}`)).secret).toBe(
      secret,
    )
    await again.close()
    unlinkSync(join(folder, 'zonereeve.db.key'))
    await expect(start(folder)).rejects.toThrow(/encrypted secrets, and their key .* is missing/)
  })
})
