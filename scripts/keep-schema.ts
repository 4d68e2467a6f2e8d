// npm run keep-schema [-- LAUNCHER]: creates a small database with this program (or with the one at LAUNCHER, from an
// earlier commit) and keeps it in packages/storage/src/schemas, with the API's responses. Run it after adding a
// migration; main/kept-schemas.test.ts opens every kept file with the current program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openSqlite } from '@zonereeve/storage'

const root = fileURLToPath(new URL('..', import.meta.url))
const launcher = process.argv[2] ?? join(root, 'packages/server/bin/zonereeve.js')
const FOLDER = join(root, 'packages/storage/src/schemas')
const TOKEN = 'token-of-the-kept-schemas-0123456789-abcdef'
const SECRET = 'secret-of-the-kept-schemas-0123456789-abcdef'

type Names = ReadonlyMap<string, string>
/** Method, path, body, and the name by which later paths refer to the id of the created object. */
type Step = readonly [method: string, path: string, body?: unknown, name?: string]

const ZONE_STEPS: readonly Step[] = [
  [
    'POST',
    '/zones',
    { name: 'example.com', account: { id: '{account}' }, plan: { legacy_id: 'enterprise' } },
    'zone',
  ],
  ['POST', '/zones', { name: 'deleted.example', account: { id: '{account}' } }, 'deleted'],
  ['DELETE', '/zones/{deleted}'],
  [
    'PATCH',
    '/zones/{zone}/dns_settings',
    { soa: { refresh: 9_000, retry: 2_400, expire: 604_800, min_ttl: 1_800 }, ns_ttl: 3_600 },
  ],
  [
    'PATCH',
    '/zones/{zone}/dns_settings',
    { nameservers: { type: 'cloudflare.standard' }, flatten_all_cnames: true },
  ],
  ['PATCH', '/zones/{zone}/settings/http3', { value: 'off' }],
]

const RECORDS: readonly object[] = [
  { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300, comment: 'web server', tags: ['team:web'] },
  { type: 'A', name: 'proxied', content: '192.0.2.2', proxied: true },
  { type: 'AAAA', name: '@', content: '2001:db8::1' },
  { type: 'CNAME', name: 'blog', content: 'www.example.com', ttl: 3_600 },
  { type: 'MX', name: '@', content: 'mail.example.com', priority: 10 },
  { type: 'TXT', name: '@', content: '"v=spf1 -all" "more"', ttl: 600 },
  {
    type: 'SRV',
    name: '_imaps._tcp',
    data: { priority: 10, weight: 5, port: 993, target: 'mail.example.com' },
  },
  { type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'ca.example.net' } },
  { type: 'NS', name: 'lab', content: 'ns1.example.net', ttl: 86_400 },
]

const FIREWALL_STEPS: readonly Step[] = [
  [
    'POST',
    '/zones/{zone}/filters',
    [{ expression: 'ip.src eq 192.0.2.9', description: 'one address' }],
    'filter',
  ],
  [
    'POST',
    '/zones/{zone}/firewall/rules',
    [{ action: 'block', filter: { expression: 'http.request.uri.path eq "/private"' } }],
  ],
  [
    'POST',
    '/zones/{zone}/pagerules',
    {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: 'www.example.com/images/*' } }],
      actions: [{ id: 'disable_security' }],
      status: 'active',
    },
  ],
  [
    'POST',
    '/zones/{zone}/firewall/waf/overrides',
    { urls: ['www.example.com/shop*'], rules: { 100_000: 'disable' } },
  ],
  [
    'PUT',
    '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
    {
      rules: [
        {
          action: 'block',
          expression: 'http.request.uri.path contains "/wp-login"',
          description: 'no log-in',
        },
      ],
    },
  ],
  ['PUT', '/accounts/{account}/rulesets/phases/http_request_firewall_custom/entrypoint', { rules: [] }],
]

const MONITORING_STEPS: readonly Step[] = [
  ['PUT', '/zones/{zone}/page_shield', { enabled: true, use_connection_url_path: true }],
  [
    'POST',
    '/zones/{zone}/page_shield/policies',
    {
      action: 'allow',
      description: 'own scripts',
      enabled: true,
      expression: 'http.host eq "www.example.com"',
      value: "script-src 'self'",
    },
  ],
  [
    'POST',
    '/zonereeve/zones/{zone}/page_shield/observations',
    {
      observations: [
        {
          page_url: 'https://www.example.com/shop',
          scripts: ['https://cdn.example.net/library.js'],
          connections: ['https://api.example.net/collect'],
          set_cookie: ['session=1; Path=/; HttpOnly'],
        },
      ],
    },
  ],
  ['POST', '/zonereeve/zones/{zone}/page_shield/webhooks', { url: 'https://hooks.example.net/zonereeve' }],
  [
    'POST',
    '/zonereeve/threat_feeds',
    { name: 'own list', url: 'https://feeds.example.net/list.txt', format: 'plain', categories: ['Malware'] },
    'feed',
  ],
]

const ACCOUNT_STEPS: readonly Step[] = [
  [
    'POST',
    '/accounts/{account}/secondary_dns/tsigs',
    {
      name: 'transfer.example.com.',
      algo: 'hmac-sha256.',
      secret: 'c2VjcmV0LW9mLWEtdHNpZy1rZXktMDEyMzQ1Njc4OQ==',
    },
    'tsig',
  ],
  ['POST', '/accounts/{account}/secondary_dns/acls', { name: 'own network', ip_range: '192.0.2.0/24' }],
  [
    'POST',
    '/accounts/{account}/secondary_dns/peers',
    { name: 'other nameserver', ip: '192.0.2.53', port: 53, tsig_id: '{tsig}' },
    'peer',
  ],
  [
    'PUT',
    '/zonereeve/accounts/{account}/secondary_catalogs/catalog.example.net',
    { peers: ['{peer}'], groups: [{ name: 'internal', peers: ['{peer}'] }] },
  ],
  ['POST', '/zones/{zone}/secondary_dns/outgoing', { name: 'example.com.', peers: ['{peer}'] }],
  ['PATCH', '/zones/{zone}/dnssec', { status: 'active' }],
  [
    'POST',
    '/user/tokens',
    {
      name: 'reader',
      policies: [
        {
          effect: 'allow',
          resources: { 'com.cloudflare.api.account.zone.{zone}': '*' },
          permission_groups: [{ id: '{dnsRead}' }],
        },
      ],
    },
    'token',
  ],
  ['POST', '/zonereeve/update_keys', { name: 'updates.example.com', token_id: '{token}' }],
]

/** Paths whose responses are compared after an upgrade. */
const READS = [
  '/user',
  '/accounts',
  '/user/tokens',
  '/zones',
  '/zones/{zone}',
  '/zones/{zone}/dns_records?per_page=100&order=name',
  '/zones/{zone}/dns_records/export',
  '/zones/{zone}/dns_settings',
  '/zones/{zone}/settings/http3',
  '/zones/{zone}/dnssec',
  '/zones/{zone}/filters',
  '/zones/{zone}/firewall/rules',
  '/zones/{zone}/pagerules',
  '/zones/{zone}/firewall/waf/overrides',
  '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
  '/zones/{zone}/page_shield',
  '/zones/{zone}/page_shield/policies',
  '/zones/{zone}/page_shield/scripts',
  '/zones/{zone}/page_shield/connections',
  '/zones/{zone}/page_shield/cookies',
  '/zones/{zone}/secondary_dns/outgoing',
  '/accounts/{account}/secondary_dns/tsigs',
  '/accounts/{account}/secondary_dns/acls',
  '/accounts/{account}/secondary_dns/peers',
  '/zonereeve/update_keys',
  '/zonereeve/threat_feeds',
  '/zonereeve/zones/{zone}/page_shield/webhooks',
  '/zonereeve/zones/{zone}/changes?per_page=100',
]

const data = mkdtempSync(join(tmpdir(), 'zonereeve-schema-'))
try {
  const served = await serveAndRead()
  const path = join(data, 'zonereeve.db')
  const database = await openSqlite(path)
  const [newest] = database.prepare('SELECT max(version) AS version FROM schema_migrations').all() as {
    version: number
  }[]
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.exec('PRAGMA journal_mode = DELETE')
  database.exec('VACUUM')
  database.close()
  const name = String(newest?.version).padStart(4, '0')
  writeFileSync(join(FOLDER, `${name}.db.gz`), gzipSync(readFileSync(path), { level: 9 }))
  writeFileSync(join(FOLDER, `${name}.json.gz`), gzipSync(JSON.stringify(served), { level: 9 }))
  console.log(`${name}: ${Object.keys(served).length} of ${READS.length} read`)
} finally {
  rmSync(data, { recursive: true, force: true })
}

/** The program's responses, by path; paths unknown to it are left out. */
async function serveAndRead(): Promise<Record<string, unknown>> {
  const flags = ['--data', data, '--http', '127.0.0.1:0', '--dns', '127.0.0.1:0']
  const child = spawn(process.execPath, [launcher, 'serve', ...flags], {
    env: {
      PATH: process.env['PATH'],
      ZONEREEVE_ADMIN_TOKEN: TOKEN,
      ZONEREEVE_KEY_ENCRYPTION_SECRET: SECRET,
      ZONEREEVE_RESOLVER: 'off',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(child, 'close')
  try {
    const api = createApi(await addressOf(child.stdout))
    const names = await write(api)
    return await read(api, names)
  } finally {
    child.kill('SIGTERM')
    await closed
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /http=(http:\/\/[\d.:]+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('the program ended before it was ready')
}

type Api = ReturnType<typeof createApi>

function createApi(address: string) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${address}/client/v4${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      ok: response.ok,
      text,
      json: text.startsWith('{') ? (JSON.parse(text) as { result: unknown }) : undefined,
    }
  }
}

/** @returns the ids that later paths refer to. */
async function write(api: Api): Promise<Names> {
  const names = new Map<string, string>()
  names.set('account', firstId((await api('GET', '/accounts')).json?.result) ?? '')
  const groups = (await api('GET', '/user/tokens/permission_groups')).json?.result as
    | { id: string; name: string }[]
    | undefined
  names.set('dnsRead', groups?.find(({ name }) => name === 'DNS Read')?.id ?? '')
  const records = RECORDS.map((record): Step => ['POST', '/zones/{zone}/dns_records', record])
  for (const [method, path, body, name] of [
    ...ZONE_STEPS,
    ...records,
    ...FIREWALL_STEPS,
    ...MONITORING_STEPS,
    ...ACCOUNT_STEPS,
  ]) {
    const { ok, json, text } = await api(
      method,
      fill(path, names),
      JSON.parse(fill(JSON.stringify(body ?? null), names)) ?? undefined,
    )
    if (!ok) console.log(`${method} ${path}: ${text.slice(0, 300)}`)
    const id = firstId(json?.result)
    if (ok && name !== undefined && id !== undefined) names.set(name, id)
  }
  return names
}

async function read(api: Api, names: Names): Promise<Record<string, unknown>> {
  const served: Record<string, unknown> = {}
  for (const template of READS) {
    const path = fill(template, names)
    const { ok, json, text } = await api('GET', path)
    if (ok) served[path] = json?.result ?? text
  }
  return served
}

function fill(text: string, names: Names): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names.get(name) ?? whole)
}

function firstId(result: unknown): string | undefined {
  const first: unknown = Array.isArray(result) ? result[0] : result
  return typeof first === 'object' && first !== null && 'id' in first ? String(first.id) : undefined
}
