// One row of each table with JSON or secrets is damaged, all in one database: the server starts, everything
// else works, credentials grant no access, each row is named in /readyz, and each can be deleted.
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { openSqlite } from '@zonereeve/storage'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { callProgram, mustOf } from '../testing/program-calls.ts'
import { startApp, type App } from './app.ts'

/** ID of all damaged rows: each is in a separate table, or of a separate kind. */
const ID = 'a'.repeat(32)
const [ACL_ID, PEER_ID] = ['b'.repeat(32), 'c'.repeat(32)]
const SPOILED_TOKEN = 'spoiled_token_0123456789_0123456789_0123'
const LISTED_WITHOUT = { status: 200, code: undefined }
const REFUSED = { status: 500, code: 19830 }
const ZONE = `(SELECT id FROM zones WHERE name = 'bad.example')`
const SIGNED = `(SELECT id FROM zones WHERE name = 'signed.example')`
const FOLLOWER = `(SELECT id FROM zones WHERE name = 'follower.example')`
const ACCOUNT = `(SELECT id FROM accounts ORDER BY created_on LIMIT 1)`
const TOKEN = `(SELECT id FROM tokens WHERE name = 'administrator')`
const USER = `(SELECT id FROM users LIMIT 1)`
const AT = `'2026-01-05T10:20:30.123456Z'`
/** Detections must be recent: a sweep deletes old ones. */
const NOW = `strftime('%Y-%m-%dT%H:%M:%SZ', 'now')`
const DAMAGED_SECRET = `'sealed:${Buffer.from([1, 2, 3]).toString('base64')}'`

interface Case {
  readonly row: string
  /** How /readyz names it; default: the table and the ID. */
  readonly named?: RegExp
  readonly spoil: (json: string) => string
  /** JSON that is not of the column's shape. */
  readonly wrong: string
  /** A response that involves the row: a list with other rows, or an error. */
  readonly reply?: { readonly path: string; readonly status: number; readonly code: number | undefined }
  /** The API path that deletes it. */
  readonly delete?: string
  /** SQL that deletes it while the server is stopped: the API cannot. */
  readonly sql?: string
}

const transferObject = (kind: string, id: string, wrong: string): Case => ({
  row: `transfer_objects (${kind})`,
  named: new RegExp(`transfer_objects ${id}$`, 'm'),
  spoil: (json) =>
    `INSERT INTO transfer_objects (id, account_id, kind, name, body) VALUES ('${id}', ${ACCOUNT}, '${kind}', 'spoiled', '${json}')`,
  wrong,
  reply: { path: `/accounts/{account}/secondary_dns/${kind}s`, ...LISTED_WITHOUT },
  delete: `/accounts/{account}/secondary_dns/${kind}s/${id}`,
})

const CASES: readonly Case[] = [
  {
    row: 'tokens',
    spoil: (json) =>
      `INSERT INTO tokens (id, owner_kind, owner_id, name, status, value_hash, policies, issued_on, modified_on)
        VALUES ('${ID}', 'user', ${USER}, 'spoiled', 'active', '${hash('sha256', SPOILED_TOKEN, 'hex')}', '${json}', ${AT}, ${AT})`,
    wrong: '[{"effect":"allow","resources":{"*":"*"}}]',
    reply: { path: '/user/tokens', ...LISTED_WITHOUT },
    delete: `/user/tokens/${ID}`,
  },
  {
    row: 'update_keys',
    spoil: () =>
      `INSERT INTO update_keys (id, name, algorithm, secret, token_id, user_id, created_on)
        VALUES ('${ID}', 'spoiled.key', 'hmac-sha256', ${DAMAGED_SECRET}, ${TOKEN}, ${USER}, ${AT})`,
    wrong: '',
    reply: { path: '/zonereeve/update_keys', ...LISTED_WITHOUT },
    delete: `/zonereeve/update_keys/${ID}`,
  },
  transferObject('tsig', ID, '{"kind":"tsig","id":"x"}'),
  transferObject('acl', ACL_ID, '{"kind":"acl","id":"x","accountId":"x","name":"x","ipRange":1}'),
  transferObject('peer', PEER_ID, '[]'),
  {
    row: 'page_shield_webhooks',
    spoil: (json) =>
      `INSERT INTO page_shield_webhooks (id, zone_id, url, kinds, enabled, secret, created_on, last_event, failures, next_attempt_at)
        VALUES ('${ID}', ${ZONE}, 'https://hooks.example/', '${json}', 1, 'plain', ${AT}, 0, 0, ${AT})`,
    wrong: '{}',
    reply: { path: '/zonereeve/zones/{zone}/page_shield/webhooks', ...LISTED_WITHOUT },
    delete: `/zonereeve/zones/{zone}/page_shield/webhooks/${ID}`,
  },
  {
    row: 'account_webhooks',
    spoil: (json) =>
      `INSERT INTO account_webhooks (id, account_id, source, url, kinds, enabled, secret, created_on, last_event, failures, next_attempt_at)
        VALUES ('${ID}', ${ACCOUNT}, 'changes', 'https://hooks.example/', '${json}', 1, 'plain', ${AT}, 0, 0, ${AT})`,
    wrong: '{}',
    reply: { path: '/zonereeve/accounts/{account}/webhooks', ...LISTED_WITHOUT },
    delete: `/zonereeve/accounts/{account}/webhooks/${ID}`,
  },
  {
    row: 'page_shield_email_alerts',
    spoil: (json) =>
      `INSERT INTO page_shield_email_alerts (id, zone_id, recipients, kinds, enabled, digest_minutes, created_on, last_event, failures, next_attempt_at)
        VALUES ('${ID}', ${ZONE}, '${json}', 'null', 1, 15, ${AT}, 0, 0, ${AT})`,
    wrong: '{}',
    reply: { path: '/zonereeve/zones/{zone}/page_shield/email_alerts', ...LISTED_WITHOUT },
    delete: `/zonereeve/zones/{zone}/page_shield/email_alerts/${ID}`,
  },
  {
    row: 'page_shield_page_snapshots',
    named: /page_shield_page_snapshots \d+$/m,
    spoil: (json) =>
      `INSERT INTO page_shield_pages (id, zone_id, url, interval_minutes, created_on, next_check_at, failures)
        VALUES ('${ID}', ${ZONE}, 'https://example.com/', 60, ${AT}, ${AT}, 0);
      INSERT INTO page_shield_page_snapshots (zone_id, page_id, source, final_url, headers, scripts, omitted_scripts, missing_policies, first_seen_at, last_seen_at)
        VALUES (${ZONE}, '${ID}', 'fetch', 'https://example.com/', '${json}', 'null', 0, '[]', ${AT}, ${AT})`,
    wrong: '{}',
    reply: { path: `/zonereeve/zones/{zone}/page_shield/pages/${ID}/history`, ...LISTED_WITHOUT },
    delete: `/zonereeve/zones/{zone}/page_shield/pages/${ID}`,
  },
  {
    row: 'page_rules',
    spoil: (json) =>
      `INSERT INTO page_rules (id, zone_id, priority, status, targets, actions, created_on, modified_on)
        VALUES ('${ID}', ${ZONE}, 1, 'active', '${json}', '[]', ${AT}, ${AT})`,
    wrong: '{"0":1}',
    reply: { path: '/zones/{zone}/pagerules', ...REFUSED },
    delete: `/zones/{zone}/pagerules/${ID}`,
  },
  {
    row: 'waf_overrides',
    spoil: (json) =>
      `INSERT INTO waf_overrides (id, zone_id, priority, paused, urls, groups, rules, rewrite_action)
        VALUES ('${ID}', ${ZONE}, 1, 0, '${json}', '{}', '{}', '{}')`,
    wrong: '[1]',
    reply: { path: '/zones/{zone}/firewall/waf/overrides', ...REFUSED },
    delete: `/zones/{zone}/firewall/waf/overrides/${ID}`,
  },
  {
    row: 'firewall_rules',
    spoil: (json) =>
      `INSERT OR IGNORE INTO filters (id, zone_id, expression, paused) VALUES ('${ID}', ${ZONE}, 'true', 0);
      INSERT INTO firewall_rules (id, zone_id, filter_id, action, products, paused, created_on, modified_on)
        VALUES ('${ID}', ${ZONE}, '${ID}', 'bypass', '${json}', 0, ${AT}, ${AT})`,
    wrong: '"waf"',
    reply: { path: '/zones/{zone}/firewall/rules', ...REFUSED },
    sql: `DELETE FROM firewall_rules WHERE id = '${ID}'`,
  },
  {
    row: 'ruleset_rules',
    named: new RegExp(`ruleset_rules ${ID}/rule/1$`, 'm'),
    spoil: (json) =>
      `INSERT INTO rulesets (id, zone_id, kind, phase, version, rule_count)
        VALUES ('${ID}', ${ZONE}, 'zone', 'http_request_firewall_custom', 1, 1);
      INSERT INTO ruleset_versions VALUES ('${ID}', 1, 'spoiled', '', ${AT}, '[["rule",1]]');
      INSERT INTO ruleset_rules VALUES ('${ID}', 'rule', 1, 'rule', ${AT}, 0, '${json}')`,
    wrong: '{"action":"block"}',
    reply: { path: `/zones/{zone}/rulesets/${ID}`, ...REFUSED },
    sql: `DELETE FROM rulesets WHERE id = '${ID}'`,
  },
  {
    row: 'ruleset_versions',
    named: new RegExp(`ruleset_versions ${ACL_ID}/1$`, 'm'),
    spoil: (json) =>
      `INSERT INTO rulesets (id, zone_id, kind, phase, version, rule_count)
        VALUES ('${ACL_ID}', ${ZONE}, 'custom', 'http_request_firewall_custom', 1, 0);
      INSERT INTO ruleset_versions VALUES ('${ACL_ID}', 1, 'spoiled', '', ${AT}, '${json}')`,
    wrong: '{"rule":1}',
    reply: { path: `/zones/{zone}/rulesets/${ACL_ID}`, ...REFUSED },
    sql: `DELETE FROM rulesets WHERE id = '${ACL_ID}'`,
  },
  {
    row: 'page_shield_resources',
    spoil: (json) =>
      `INSERT INTO page_shield_resources (id, zone_id, kind, host, url, url_host, has_cdn_cgi, added_at, first_seen_at,
          last_seen_at, page_views, first_page_url, page_urls, is_malicious, feed_version, scores, fetch_failures)
        VALUES ('${ID}', ${ZONE}, 'script', 'bad.example', 'https://x.example/a.js', 'x.example', 0, ${NOW}, ${NOW}, ${NOW},
          9, 'https://bad.example/', '', 0, 0, '${json}', 0)`,
    wrong: '[1]',
    reply: { path: '/zones/{zone}/page_shield/scripts', ...LISTED_WITHOUT },
    sql: `DELETE FROM page_shield_resources WHERE id = '${ID}'`,
  },
  {
    row: 'page_shield_retention',
    named: /page_shield_retention [0-9a-f]{32}$/m,
    spoil: (json) => `INSERT INTO page_shield_retention VALUES (${SIGNED}, '${json}')`,
    wrong: '{"activePageViews":"many"}',
    reply: { path: '/zonereeve/zones/{signed}/page_shield/retention', ...REFUSED },
    sql: `DELETE FROM page_shield_retention WHERE zone_id = ${SIGNED}`,
  },
  {
    row: 'page_shield_sampling',
    named: /page_shield_sampling [0-9a-f]{32}$/m,
    spoil: (json) => `INSERT INTO page_shield_sampling VALUES (${SIGNED}, '${json}')`,
    wrong: '5',
    reply: { path: '/zonereeve/zones/{signed}/page_shield/sampling', ...REFUSED },
    sql: `DELETE FROM page_shield_sampling WHERE zone_id = ${SIGNED}`,
  },
  {
    row: 'page_shield_fetching',
    named: /page_shield_fetching [0-9a-f]{32}$/m,
    spoil: (json) => `INSERT INTO page_shield_fetching VALUES (${SIGNED}, '${json}')`,
    wrong: '5',
    reply: { path: '/zonereeve/zones/{signed}/page_shield/fetching', ...REFUSED },
    sql: `DELETE FROM page_shield_fetching WHERE zone_id = ${SIGNED}`,
  },
  {
    row: 'threat_feeds',
    spoil: (json) =>
      `INSERT INTO threat_feeds (id, name, format, categories, created_on, state, failures, is_enabled)
        VALUES ('${ID}', 'spoiled', 'plain', '${json}', ${AT}, 'waiting', 0, 1)`,
    wrong: '{}',
    reply: { path: '/zonereeve/threat_feeds', ...LISTED_WITHOUT },
    sql: `DELETE FROM threat_feeds WHERE id = '${ID}'`,
  },
  {
    row: 'accounts',
    spoil: (json) =>
      `INSERT INTO accounts VALUES ('${ID}', 'spoiled', 'spoiled', 'standard', '${json}', ${AT})`,
    wrong: '[]',
    reply: { path: '/accounts', ...LISTED_WITHOUT },
    sql: `DELETE FROM accounts WHERE id = '${ID}'`,
  },
  {
    row: 'outgoing_transfers',
    named: /outgoing_transfers [0-9a-f]{32}$/m,
    spoil: (json) =>
      `INSERT INTO outgoing_transfers (zone_id, peers, enabled, created_on) VALUES (${ZONE}, '${json}', 1, ${AT})`,
    wrong: '{}',
    reply: { path: '/zones/{zone}/secondary_dns/outgoing', ...REFUSED },
    sql: `DELETE FROM outgoing_transfers WHERE zone_id = ${ZONE}`,
  },
  {
    row: 'incoming_transfers',
    named: /incoming_transfers [0-9a-f]{32}$/m,
    spoil: (json) => `INSERT INTO incoming_transfers VALUES (${FOLLOWER}, '${json}', 0, ${AT}, ${AT})`,
    wrong: '{}',
    reply: { path: '/zones/{follower}/secondary_dns/incoming', ...REFUSED },
    sql: `DELETE FROM incoming_transfers`,
  },
  {
    row: 'catalog_zones',
    named: /catalog_zones [0-9a-f]{32}$/m,
    spoil: (json) =>
      `INSERT INTO catalog_zones VALUES ((SELECT account_id FROM zones WHERE id = ${ZONE}), 'catalog.example', 1, '${json}', ${AT}, ${AT})`,
    wrong: '[1]',
    reply: { path: '/zonereeve/accounts/{account}/catalog_zone', ...REFUSED },
    sql: `DELETE FROM catalog_zones`,
  },
  {
    row: 'secondary_catalogs',
    named: /secondary_catalogs spoiled\.example$/m,
    spoil: (json) =>
      `INSERT INTO secondary_catalogs (name, account_id, peers, groups, auto_refresh_seconds, is_ending, created_on, modified_on)
        VALUES ('spoiled.example', ${ACCOUNT}, '${json}', '[]', 300, 0, ${AT}, ${AT})`,
    wrong: '{}',
    reply: { path: '/zonereeve/accounts/{account}/secondary_catalogs/spoiled.example', ...REFUSED },
    sql: `DELETE FROM secondary_catalogs`,
  },
  {
    row: 'record_scans',
    named: /record_scans [0-9a-f]{32}$/m,
    spoil: (json) => `INSERT INTO record_scans VALUES (${SIGNED}, 'done', 1, 0, '${json}', ${AT})`,
    wrong: '{}',
    reply: { path: '/zones/{signed}/dns_records/scan/review', ...REFUSED },
    sql: `DELETE FROM record_scans`,
  },
  {
    row: 'found_records',
    spoil: (json) =>
      `INSERT INTO found_records VALUES ('${ID}', ${ZONE}, 'A', 'x.bad.example', 'x', ${NOW}, '${json}')`,
    wrong: '[]',
    reply: { path: '/zones/{zone}/dns_records/scan/review', ...REFUSED },
    sql: `DELETE FROM found_records`,
  },
  {
    row: 'page_shield_versions',
    named: /page_shield_versions \d+$/m,
    spoil: (json) =>
      `INSERT INTO page_shield_resources (id, zone_id, kind, host, url, url_host, has_cdn_cgi, added_at, first_seen_at,
          last_seen_at, page_views, first_page_url, page_urls, is_malicious, feed_version, fetch_failures)
        VALUES ('${ACL_ID}', ${ZONE}, 'script', 'bad.example', 'https://x.example/b.js', 'x.example', 0, ${NOW}, ${NOW}, ${NOW},
          9, 'https://bad.example/', '', 0, 0, 0);
      INSERT INTO page_shield_versions (script_id, fetched_at, reasons) VALUES ('${ACL_ID}', ${NOW}, '${json}')`,
    wrong: '{}',
    reply: {
      path: `/zonereeve/zones/{zone}/page_shield/scripts/${ACL_ID}/contents`,
      ...LISTED_WITHOUT,
    },
    sql: `DELETE FROM page_shield_resources WHERE id = '${ACL_ID}'`,
  },
  {
    row: 'waf_choices',
    named: /waf_choices [0-9a-f]{32}\/x\/package\/x$/m,
    spoil: () => `INSERT INTO waf_choices VALUES (${SIGNED}, 'x', 'package', 'x', '{')`,
    wrong: '',
    reply: { path: '/zones/{signed}/firewall/waf/packages', ...REFUSED },
    sql: `DELETE FROM waf_choices`,
  },
  {
    row: 'waf_migration_snapshots',
    named: /waf_migration_snapshots [0-9a-f]{32}$/m,
    spoil: (json) => `INSERT INTO waf_migration_snapshots VALUES (${ZONE}, ${AT}, '${json}')`,
    wrong: '[]',
    reply: { path: '/zonereeve/zones/{zone}/waf_migration/snapshot', ...REFUSED },
    sql: `DELETE FROM waf_migration_snapshots`,
  },
  {
    row: 'dnssec_keys',
    named: /dnssec_keys [0-9a-f]{32}$/m,
    spoil: () => `UPDATE dnssec_keys SET secret = x'0102' WHERE zone_id = ${SIGNED}`,
    wrong: '',
    sql: `DELETE FROM dnssec_keys WHERE zone_id = ${SIGNED}; DELETE FROM zone_dnssec WHERE zone_id = ${SIGNED}`,
  },
  {
    row: 'sessions',
    spoil: (json) =>
      `INSERT INTO sessions (id, user_id, value_hash, methods, address, created_on, authenticated_on, last_used_on, expires_on)
        VALUES ('${ID}', ${USER}, '${hash('sha256', SPOILED_TOKEN, 'hex')}', '${json}', '127.0.0.1', ${NOW}, ${NOW}, ${NOW}, '2999-01-01T00:00:00Z')`,
    wrong: '{}',
    sql: `DELETE FROM sessions WHERE id = '${ID}'`,
  },
  {
    row: 'passkeys',
    spoil: (json) =>
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, site, name, created_on)
        VALUES ('${ID}', ${USER}, 'spoiled', 'x', 0, '${json}', 'localhost', 'spoiled', ${AT})`,
    wrong: '[1]',
    sql: `DELETE FROM passkeys WHERE id = '${ID}'`,
  },
  {
    row: 'totp_keys',
    named: /totp_keys [0-9a-f]{32}$/m,
    spoil: () => `INSERT INTO totp_keys VALUES (${USER}, ${DAMAGED_SECRET}, 0, ${AT})`,
    wrong: '',
    sql: `DELETE FROM totp_keys`,
  },
  // The last one: the rows above belong to another user.
  {
    row: 'users',
    spoil: (json) =>
      `INSERT INTO users (id, email, zone_roles, created_on, modified_on)
        VALUES ('${ID}', 'spoiled@example.com', '${json}', '2999-01-01T00:00:00Z', ${AT})`,
    wrong: '[{"zoneId":1}]',
    reply: { path: '/zonereeve/users', ...LISTED_WITHOUT },
    sql: `DELETE FROM users WHERE id = '${ID}'`,
  },
]

async function start(data: string): Promise<App> {
  return startApp({
    config: loadConfig({
      flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0', resolver: 'off', data },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    }),
    clock: systemClock(),
    ids: randomIds(),
    log: silentLog,
  })
}

async function executeSql(folder: string, statements: readonly string[]): Promise<void> {
  const database = await openSqlite(join(folder, 'zonereeve.db'))
  database.exec('PRAGMA foreign_keys = ON')
  for (const statement of statements) database.exec(statement)
  database.close()
}

const ready = async ({ http }: App): Promise<string> =>
  (await fetch(`http://127.0.0.1:${http.port}/readyz`)).text()

const HANG_MILLIS = 240_000
/** Until the background check has read all rows; only to detect hangs. */
const CHECKED_MILLIS = 60_000

describe.each([
  { form: 'text that is no JSON', jsonOf: () => '{' },
  { form: 'JSON of another form', jsonOf: ({ wrong }: Case) => wrong },
])('$form', ({ jsonOf }) => {
  let folder = ''
  let app: App
  const ids = { zone: '', account: '', signed: '', follower: '' }
  const filled = (path: string): string =>
    path.replace(/\{(zone|account|signed|follower)\}/, (_, name) => ids[name as keyof typeof ids])

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))
    const first = await start(folder)
    ids.account = (await mustOf<readonly { readonly id: string }[]>(first, 'GET', '/accounts'))[0]?.id ?? ''
    for (const name of ['good.example', 'bad.example', 'signed.example']) {
      const { id } = await mustOf(first, 'POST', '/zones', { name, account: { id: ids.account } })
      if (name === 'bad.example') ids.zone = id
      if (name === 'signed.example') ids.signed = id
      await mustOf(first, 'POST', `/zones/${id}/dns_records`, {
        type: 'A',
        name: 'www',
        content: '192.0.2.1',
      })
    }
    const follower = { name: 'follower.example', type: 'secondary', account: { id: ids.account } }
    ids.follower = (await mustOf(first, 'POST', '/zones', follower)).id
    await mustOf(first, 'PATCH', `/zones/${ids.signed}/dnssec`, { status: 'active' })
    // If no secret can be decrypted, the key is wrong, and the start fails.
    await mustOf(first, 'POST', `/accounts/${ids.account}/secondary_dns/tsigs`, {
      name: 'good.key',
      algo: 'hmac-sha256.',
      secret: Buffer.from('a secret of thirty-two octets ok').toString('base64'),
    })
    await first.close()
    await executeSql(
      folder,
      CASES.map((each) => each.spoil(jsonOf(each))),
    )
    app = await start(folder)
  }, HANG_MILLIS)
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function rcodeOf(zone: string, name: string): Promise<string> {
    const path = `/zonereeve/zones/${zone}/query?name=${name}&type=A`
    return (await mustOf<{ readonly rcode: string }>(app, 'GET', path)).rcode
  }

  test('the zones are answered; one with unreadable keys is not answered unsigned', async () => {
    const good = await mustOf<readonly { readonly id: string }[]>(app, 'GET', '/zones?name=good.example')
    expect(await rcodeOf(good[0]?.id ?? '', 'www.good.example')).toBe('NOERROR')
    expect(await rcodeOf(ids.zone, 'www.bad.example')).toBe('NOERROR')
    expect(await rcodeOf(ids.signed, 'www.signed.example')).toBe('SERVFAIL')
  })

  test('other writes are stored and answered', async () => {
    const [good] = await mustOf<readonly { readonly id: string }[]>(app, 'GET', '/zones?name=good.example')
    const goodId = good?.id ?? ''
    const record = { type: 'A', name: 'new', content: '192.0.2.1' }
    await mustOf(app, 'POST', `/zones/${goodId}/dns_records`, record)
    expect(await rcodeOf(goodId, 'new.good.example')).toBe('NOERROR')
    await mustOf(app, 'POST', `/zones/${ids.zone}/dns_records`, record)
    expect(await rcodeOf(ids.zone, 'new.bad.example')).toBe('NOERROR')
    const made = await mustOf(app, 'POST', '/zones', { name: 'made.example', account: { id: ids.account } })
    await mustOf(app, 'DELETE', `/zones/${made.id}`)
  })

  test('an unreadable token grants no access', async () => {
    const answer = await fetch(`http://127.0.0.1:${app.http.port}/client/v4/zones`, {
      headers: { authorization: `Bearer ${SPOILED_TOKEN}` },
    })
    expect([answer.status, ((await answer.json()) as { success: boolean }).success]).toEqual([403, false])
  })

  test('an unreadable session grants no access', async () => {
    const answer = await fetch(`http://127.0.0.1:${app.http.port}/client/v4/zonereeve/session`, {
      headers: { cookie: `zonereeve=${SPOILED_TOKEN}`, 'sec-fetch-site': 'same-origin' },
    })
    expect([answer.status, ((await answer.json()) as { success: boolean }).success]).toEqual([401, false])
  })

  test.each(CASES)('$row', async ({ row, named, reply, delete: path }) => {
    const name = named ?? new RegExp(`${row} ${ID}$`, 'm')
    await expect.poll(() => ready(app), { timeout: CHECKED_MILLIS }).toMatch(name)
    if (reply !== undefined) {
      const { status, envelope } = await callProgram<readonly { id: string }[]>(
        app,
        'GET',
        filled(reply.path),
      )
      expect([status, envelope.errors[0]?.code]).toEqual([reply.status, reply.code])
      if (status === 200 && Array.isArray(envelope.result))
        expect(envelope.result.map(({ id }) => id)).not.toContain(ID)
      if (status !== 200) expect(envelope.errors[0]?.message).toMatch(new RegExp(`cannot be read: ${row} `))
    }
    if (path === undefined) return
    const unreadable = await callProgram(app, 'GET', filled(path))
    expect([unreadable.status, unreadable.envelope.errors[0]?.code]).toEqual([500, 19830])
    await mustOf(app, 'DELETE', filled(path))
    expect(await ready(app)).not.toMatch(name)
    expect((await callProgram(app, 'GET', filled(path))).status).toBe(404)
  })

  test(
    'the other rows are deleted while the server is stopped',
    async () => {
      await app.close()
      await executeSql(
        folder,
        CASES.flatMap(({ sql }) => sql ?? []),
      )
      app = await start(folder)
      for (const { reply } of CASES)
        if (reply?.status === 500) await callProgram(app, 'GET', filled(reply.path))
      expect(await ready(app)).toBe('ok\n')
      expect(await rcodeOf(ids.signed, 'www.signed.example')).toBe('NOERROR')
    },
    HANG_MILLIS,
  )

  test(
    'a zone with unreadable rows can be deleted',
    async () => {
      await app.close()
      await executeSql(
        folder,
        CASES.map((each) => each.spoil(jsonOf(each))).filter(
          (sql) => sql.includes(ZONE) || sql.includes(SIGNED) || sql.includes(FOLLOWER),
        ),
      )
      app = await start(folder)
      await expect.poll(() => ready(app), { timeout: CHECKED_MILLIS }).toMatch(/waf_migration_snapshots/)
      for (const id of [ids.zone, ids.signed, ids.follower]) await mustOf(app, 'DELETE', `/zones/${id}`)
    },
    HANG_MILLIS,
  )

  test('the administrator has access although the row of the token is unreadable', async () => {
    await app.close()
    await executeSql(folder, [`UPDATE tokens SET policies = '${jsonOf({ wrong: '{}' } as Case)}'`])
    app = await start(folder)
    expect((await callProgram(app, 'GET', '/zones')).status).toBe(200)
  })
})
