// Configuration: which source wins, what each setting takes, and how problems are reported.
import { availableParallelism } from 'node:os'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { octetsFromHex } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import {
  ConfigError,
  databaseAt,
  databasePath,
  loadConfig,
  postgresOf,
  type ConfigSources,
} from './config.ts'
import { environmentName, SETTINGS, type SettingKey } from './settings.ts'

const TOKEN = 'a'.repeat(40)
const KEY = '0123456789abcdef0123456789abcdef01234'

/** Without the process's own environment and folder. */
const load = (sources: Partial<ConfigSources> = {}) => loadConfig({ flags: {}, environment: {}, ...sources })

function problemsOf(sources: Partial<ConfigSources>): readonly string[] {
  try {
    load(sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

function fileOf(content: unknown): string {
  const path = join(scratchFolder(), 'settings.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function addresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `192.0.2.${i}`)
}

/** For each setting: texts that it takes, with their values, and texts that it refuses. */
const CASES: Readonly<
  Record<
    SettingKey,
    { readonly good: readonly (readonly [string, unknown])[]; readonly bad: readonly string[] }
  >
> = {
  acmeDirectory: { good: [['https://ca.example/dir', 'https://ca.example/dir']], bad: [] },
  acmeEmail: { good: [['hostmaster@example.com', 'hostmaster@example.com']], bad: [] },
  acmeTerms: { good: [['agreed', 'agreed']], bad: [] },
  acmeNames: {
    good: [
      ['dns.example.com', ['dns.example.com']],
      ['Example.com, *.example.com,example.com', ['example.com', '*.example.com']],
    ],
    bad: [
      'localhost',
      '192.0.2.1',
      'a.*.example.com',
      '**.example.com',
      'example.com.',
      'example.com,',
      `${'a'.repeat(64)}.com`,
      'https://example.com',
      Array.from({ length: 101 }, (_, i) => `n${i}.example.com`).join(),
    ],
  },
  acmeCa: { good: [['/etc/ca.pem', '/etc/ca.pem']], bad: [] },
  http: {
    good: [
      ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
      ['localhost:80', { host: '127.0.0.1', port: 80 }],
      ['[::1]:8080', { host: '::1', port: 8080 }],
      ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
      ['8080', { host: '127.0.0.1', port: 8080 }],
      ['example.com:65535', { host: 'example.com', port: 65_535 }],
    ],
    bad: [
      '',
      'localhost',
      '127.0.0.1',
      '127.0.0.1:',
      ':8080',
      '127.0.0.1:65536',
      '127.0.0.1:-1',
      '127.0.0.1:x',
      '::1:8080',
      'http://127.0.0.1:8080',
      'a b:80',
    ],
  },
  https: {
    good: [
      ['off', undefined],
      ['0.0.0.0:443', { host: '0.0.0.0', port: 443 }],
    ],
    bad: ['', 'on', '127.0.0.1:65536'],
  },
  hstsDays: {
    good: [
      ['0', 0],
      ['365', 365],
      ['2w', 14],
    ],
    bad: ['', '-1', '3651', '1h'],
  },
  allowedHosts: {
    good: [
      ['', []],
      ['any', 'any'],
      ['API.example.com., zonereeve', ['api.example.com', 'zonereeve']],
    ],
    bad: [
      'api.example.com:8080',
      'https://api.example.com',
      '*.example.com',
      'a b',
      '-a',
      'a..b',
      'x'.repeat(254),
    ],
  },
  publicUrl: {
    good: [
      ['https://dns.example.com', 'https://dns.example.com'],
      ['http://dns.internal:8080', 'http://dns.internal:8080'],
      ['', undefined],
    ],
    bad: ['dns.example.com', 'https://dns.example.com/zones', 'ftp://dns.example.com'],
  },
  oidcIssuer: {
    good: [
      ['', undefined],
      ['https://login.example.com/realms/dns', 'https://login.example.com/realms/dns'],
      ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ],
    bad: [
      'login.example.com',
      'http://login.example.com',
      'https://login.example.com/?a=b',
      'ftp://localhost',
    ],
  },
  oidcClientId: { good: [['zonereeve', 'zonereeve']], bad: ['a b', 'x'.repeat(201)] },
  oidcClientSecret: { good: [['s3cret!', 's3cret!']], bad: ['a b', 'x'.repeat(201)] },
  smtpUrl: {
    good: [
      ['', undefined],
      [
        'smtps://alerts@mail.example.com',
        { host: 'mail.example.com', port: 465, hasImplicitTls: true, isLocal: false, user: 'alerts' },
      ],
    ],
    bad: ['mail.example.com', 'smtps://alerts:secret@mail.example.com', 'https://mail.example.com'],
  },
  smtpFrom: {
    good: [
      ['', undefined],
      ['alerts@example.com', 'alerts@example.com'],
    ],
    bad: ['alerts', 'Alerts <alerts@example.com>', 'a@b\nc', '@example.com'],
  },
  smtpPassword: { good: [['correct horse', 'correct horse']], bad: ['', 'a\nb', 'x'.repeat(501)] },
  oidcName: { good: [['Company login', 'Company login']], bad: ['x'.repeat(61), 'a\nb'] },
  oidcScopes: {
    good: [['openid groups', 'openid groups']],
    bad: ['', 'email', 'openid  email', 'openidemail'],
  },
  oidcRoles: {
    good: [
      ['', ''],
      ['groups:dns admins=admin,staff=viewer', 'groups:dns admins=admin,staff=viewer'],
    ],
    bad: ['groups', 'groups:staff', 'groups:staff=root', ':staff=viewer', 'groups:staff=viewer,'],
  },
  oidcDomains: {
    good: [
      ['', []],
      ['Example.com, example.org', ['example.com', 'example.org']],
    ],
    bad: ['@example.com', 'example.com,*'],
  },
  oidcNewUsers: { good: [['create', 'create']], bad: ['', 'yes'] },
  metrics: {
    good: [
      ['', undefined],
      ['10.0.0.1:9153', { host: '10.0.0.1', port: 9153 }],
    ],
    bad: ['on', '10.0.0.1'],
  },
  dns: { good: [['[::]:53', { host: '::', port: 53 }]], bad: ['53x', '127.0.0.1:70000'] },
  httpConnections: {
    good: [
      ['10', 10],
      ['100000', 100_000],
    ],
    bad: ['', '9', '100001', 'off', '-1'],
  },
  tlsCertificate: {
    good: [
      ['', undefined],
      ['/etc/tls/fullchain.pem', '/etc/tls/fullchain.pem'],
    ],
    bad: [],
  },
  tlsKey: { good: [['key.pem', 'key.pem']], bad: [] },
  dnsTls: {
    good: [
      ['off', undefined],
      ['[::]:853', { host: '::', port: 853 }],
    ],
    bad: ['on', '853x', ''],
  },
  dnsHttps: {
    good: [
      ['off', undefined],
      ['443', { host: '127.0.0.1', port: 443 }],
    ],
    bad: ['https://127.0.0.1', ''],
  },
  dnsRateLimit: {
    good: [
      ['off', undefined],
      ['1', 1],
      ['1000000', 1_000_000],
    ],
    bad: ['', '0', '-1', '1.5', '1000001', 'on', '5/1'],
  },
  dnsThreads: {
    good: [
      ['0', 0],
      ['1', 1],
      ['64', 64],
      ['auto', Math.max(1, availableParallelism() - 1)],
    ],
    bad: ['', '-1', '65', '1.5', 'off'],
  },
  dnsBatching: {
    good: [
      ['auto', true],
      ['off', false],
    ],
    bad: ['', 'on', 'true', 'Auto'],
  },
  dnsRateSlip: {
    good: [
      ['0', 0],
      ['100', 100],
    ],
    bad: ['', '101', 'off', '-1'],
  },
  dnsRateExempt: {
    good: [
      ['', []],
      ['192.0.2.0/24,2001:db8::/32', ['192.0.2.0/24', '2001:db8::/32']],
    ],
    bad: ['example.com', '192.0.2.0/33'],
  },
  dnsProxies: {
    good: [
      ['', []],
      ['192.0.2.0/24,2001:db8::1', ['192.0.2.0/24', '2001:db8::1']],
    ],
    bad: ['lb.example.com', '192.0.2.0/33'],
  },
  dnsTcpConnections: {
    good: [
      ['1', 1],
      ['100000', 100_000],
    ],
    bad: ['', '0', '100001', 'off', '-1'],
  },
  dnsTcpConnectionsPerAddress: {
    good: [
      ['1', 1],
      ['100000', 100_000],
    ],
    bad: ['', '0', '100001', '1.5'],
  },
  dnsTcpIdleSeconds: {
    good: [
      ['1', 1],
      ['120', 120],
      ['10s', 10],
      ['1m30s', 90],
    ],
    bad: ['', '0', '121', '121s', '3m', '1.5', '1e1', '+10', '10 s', 'ten', '5ms'],
  },
  queryLog: {
    good: [
      ['off', undefined],
      ['all', 1],
      ['100', 100],
    ],
    bad: ['', '0', '-1', 'on', '1e3'],
  },
  queryLogNames: {
    good: [
      ['', []],
      ['Example.com, a.example.net.', ['example.com', 'a.example.net']],
    ],
    bad: ['a b', 'a..b', 'x'.repeat(64)],
  },
  queryLogCodes: {
    good: [
      ['', []],
      ['nxdomain,SERVFAIL', ['NXDOMAIN', 'SERVFAIL']],
    ],
    bad: ['NX', 'BADVERS', '3'],
  },
  dnsNsid: {
    good: [
      ['', ''],
      ['ams-1 (a)', 'ams-1 (a)'],
      ['x'.repeat(64), 'x'.repeat(64)],
    ],
    bad: ['x'.repeat(65), 'é', 'a\tb'],
  },
  dnsMetricZones: {
    good: [
      ['0', 0],
      ['10000', 10_000],
    ],
    bad: ['', '10001', '-1', 'all'],
  },
  dnsCookieSecrets: {
    good: [
      ['00112233445566778899aabbccddeeff', [octetsFromHex('00112233445566778899aabbccddeeff')]],
      [`${'0'.repeat(32)},${'f'.repeat(32)}`, [new Uint8Array(16), new Uint8Array(16).fill(0xff)]],
    ],
    bad: ['', '0'.repeat(31), 'F'.repeat(32), `${'0'.repeat(32)},`, Array(3).fill('0'.repeat(32)).join()],
  },
  data: { good: [['./elsewhere', './elsewhere']], bad: [] },
  database: {
    good: [
      ['', undefined],
      ['sqlite:/tmp/a.db', '/tmp/a.db'],
      ['sqlite://a.db', 'a.db'],
      ['sqlite:./a b.db', './a b.db'],
      ['postgres://me@localhost/a', 'postgres://me@localhost/a'],
      ['postgresql://me@db:1/a?sslmode=verify-full', 'postgresql://me@db:1/a?sslmode=verify-full'],
      ['postgres://me@one:1,two,[::1]:3/a', 'postgres://me@one:1/a?other_hosts=two%2C%5B%3A%3A1%5D%3A3'],
      ['postgres://me@one,two/a?target_session_attrs=read-write', 'postgres://me@one/a?other_hosts=two'],
    ],
    bad: [
      'postgres://localhost/a',
      'postgres://me@localhost',
      'postgres://me:secret@localhost/a',
      'postgres://me@localhost/a?connect_timeout=1',
      'postgres://me@localhost/a?other_hosts=b',
      'postgres://me@one,/a',
      'postgres://me@one,two:x/a',
      'postgres://me@one,you@two/a',
      'postgres://me@one,two/a?host=/tmp',
      'postgres://me@one,two/a?target_session_attrs=any',
      'sqlite:',
      'mysql://x',
      '/tmp/a.db',
    ],
  },
  databasePassword: { good: [['a b%c', 'a b%c']], bad: [] },
  reportLog: {
    good: [
      ['', undefined],
      ['redis://db', 'redis://db'],
      ['rediss://me@db:6380/2', 'rediss://me@db:6380/2'],
    ],
    bad: ['db:6379', 'redis://', 'http://db', 'redis://me:secret@db', 'redis://db/a', 'redis://db?x=1'],
  },
  reportLogPassword: { good: [['a b%c', 'a b%c']], bad: ['', 'a\nb', 'x'.repeat(501)] },
  nodeUrl: {
    good: [
      ['', undefined],
      ['http://10.0.0.1:8080', 'http://10.0.0.1:8080'],
    ],
    bad: ['10.0.0.1:8080', 'ftp://10.0.0.1', 'http://10.0.0.1/path', 'http://user@10.0.0.1'],
  },
  profile: {
    good: [
      ['documented', 'documented'],
      ['vendor', 'vendor'],
    ],
    bad: ['', 'Vendor', 'strict'],
  },
  rateLimit: {
    good: [
      ['off', undefined],
      ['vendor', { requests: 1200, windowSeconds: 300 }],
      ['100/60', { requests: 100, windowSeconds: 60 }],
      ['1/1', { requests: 1, windowSeconds: 1 }],
      ['100/5m', { requests: 100, windowSeconds: 300 }],
    ],
    bad: [
      '',
      'on',
      '100',
      '0/60',
      '100/0',
      '-1/60',
      '100/60/5',
      '1e3/60',
      '100 / 60',
      '5m/60',
      '100/1h1',
      '100/0s',
      '100/-1m',
      '/60',
    ],
  },
  nameServers: {
    good: [
      ['ns1.example.net', [{ names: ['ns1.example.net'], isFull: false }]],
      [
        'NS1.example.net., ns2.example.net:full / ns3.example.net',
        [
          { names: ['ns1.example.net', 'ns2.example.net'], isFull: true },
          { names: ['ns3.example.net'], isFull: false },
        ],
      ],
    ],
    bad: [
      '',
      'ns1.example.net/',
      '/ns1.example.net',
      'ns1.example.net/NS1.example.net.',
      'ns1.example.net,ns2.example.net/ns2.example.net,ns1.example.net',
      'ns1.example.net:full',
      'ns1.example.net:FULL/ns2.example.net',
      'ns1.example.net:full,ns2.example.net/ns3.example.net',
      'ns1.example.net;ns2.example.net',
      'ns1',
      'ns1.example.net,',
      'ns1.example.net,,ns2.example.net',
      '192.0.2.1:53',
      '-a.example.net',
      'a b.example.net',
      `${'a'.repeat(64)}.net`,
    ],
  },
  zonesOf: {
    good: [
      ['', undefined],
      ['NS1.example.net., ns2.example.net', ['ns1.example.net', 'ns2.example.net']],
    ],
    bad: ['ns1', 'ns1.example.net,', 'ns1.example.net/ns2.example.net', 'ns1.example.net:full'],
  },
  edgeAddresses: {
    good: [
      ['', []],
      ['192.0.2.1', ['192.0.2.1']],
      [' 192.0.2.1 , 2001:DB8:0::1,192.0.2.1', ['192.0.2.1', '2001:db8::1']],
      [addresses(32).join(','), addresses(32)],
    ],
    bad: ['192.0.2.256', 'edge.example.com', '192.0.2.0/24', '192.0.2.1;192.0.2.2', addresses(33).join(',')],
  },
  scanServers: {
    good: [
      ['', []],
      ['192.0.2.53:53', [{ host: '192.0.2.53', port: 53 }]],
    ],
    bad: ['system', 'off', 'dns.example.com:53', '192.0.2.53', '192.0.2.53:0'],
  },
  resolver: {
    good: [
      ['system', 'system'],
      ['off', 'off'],
      ['192.0.2.53:53', [{ host: '192.0.2.53', port: 53 }]],
      [
        '127.0.0.1:5300, [2001:db8::53]:53',
        [
          { host: '127.0.0.1', port: 5300 },
          { host: '2001:db8::53', port: 53 },
        ],
      ],
    ],
    bad: [
      '',
      'on',
      'dns.example.com:53',
      '192.0.2.53',
      '192.0.2.53:0',
      '192.0.2.53:65536',
      addresses(9)
        .map((address) => `${address}:53`)
        .join(','),
    ],
  },
  geoip: {
    good: [
      ['', []],
      ['/srv/city.mmdb, /srv/asn.mmdb', ['/srv/city.mmdb', '/srv/asn.mmdb']],
    ],
    bad: [],
  },
  verifiedBots: {
    good: [
      ['', []],
      ['/srv/googlebot.json, /srv/own.txt', ['/srv/googlebot.json', '/srv/own.txt']],
    ],
    bad: [],
  },
  leakedPasswords: {
    good: [
      ['', undefined],
      ['/srv/hashes.txt', '/srv/hashes.txt'],
    ],
    bad: [],
  },
  collectorUrl: {
    good: [
      ['', undefined],
      ['https://Reports.example.com/', 'https://reports.example.com'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ],
    bad: [
      'reports.example.com',
      'https://a.example/path',
      'https://a.example/?x',
      'ftp://a.example',
      'https://u@a.example',
    ],
  },
  reportRate: {
    good: [
      ['off', undefined],
      ['5/1', { requests: 5, windowSeconds: 1 }],
    ],
    bad: ['0/1', '1/0', '10', '', '-1/1'],
  },
  reportBudget: {
    good: [
      ['off', undefined],
      ['500', { entries: 500, fetches: 50 }],
      ['50', { entries: 50, fetches: 50 }],
      ['100000', { entries: 100_000, fetches: 50 }],
    ],
    bad: ['', '0', '49', '100001', '-1', 'on'],
  },
  chromium: {
    good: [
      ['', undefined],
      ['/usr/bin/chromium', '/usr/bin/chromium'],
    ],
    bad: [],
  },
  maxPolicies: {
    good: [
      ['0', 0],
      ['100', 100],
    ],
    bad: ['', '-1', '101', '5.5', 'many'],
  },
  dnssecAlgorithm: {
    good: [
      ['ECDSAP256SHA256', 'ECDSAP256SHA256'],
      ['ed25519', 'ED25519'],
    ],
    bad: ['', '13', 'RSASHA256'],
  },
  zskDays: {
    good: [
      ['0', 0],
      ['7', 7],
      ['30d', 30],
      ['3650', 3650],
    ],
    bad: ['', '-1', '6', '3651', '7.5', 'never', '36h'],
  },
  kskDays: {
    good: [
      ['0', 0],
      ['30', 30],
      ['52w', 364],
      ['3650', 3650],
    ],
    bad: ['', '-1', '29', '3651', '30.5', 'never', '36h'],
  },
  keyEncryptionSecret: {
    good: [
      ['k'.repeat(32), 'k'.repeat(32)],
      ['!'.repeat(200), '!'.repeat(200)],
    ],
    bad: ['', 'k'.repeat(31), 'k'.repeat(201), `${'k'.repeat(31)} k`, 'ä'.repeat(32)],
  },
  acceptLoss: {
    good: [
      ['', undefined],
      ['0123abcd', '0123abcd'],
    ],
    bad: ['0123abc', '0123abcde', 'yes', '0123ABCD'],
  },
  historyDays: {
    good: [
      ['0', 0],
      ['90', 90],
      ['52w', 364],
      ['36500', 36_500],
    ],
    bad: ['', '-1', '36501', '1.5', 'all', '36h'],
  },
  auditDays: {
    good: [
      ['0', 0],
      ['400', 400],
      ['36500', 36_500],
    ],
    bad: ['', '-1', '36501', '1.5', 'all', '36h'],
  },
  securityEventDays: {
    good: [
      ['1', 1],
      ['3650', 3650],
      ['4w', 28],
      ['48h', 2],
    ],
    bad: ['', '0', '-1', '3651', '1.5', 'ever', '36h', '1e2', '3651d', '30 d'],
  },
  maxSecurityEvents: {
    good: [
      ['0', 0],
      ['10000000', 10_000_000],
    ],
    bad: ['', '-1', '10000001', '1e3', 'all'],
  },
  scriptFetches: {
    good: [
      ['0', 0],
      ['4', 4],
      ['64', 64],
    ],
    bad: ['', '65', '-1', '1.5', 'off', '100'],
  },
  fetchNetworks: {
    good: [
      ['', []],
      ['127.0.0.1, fd00::/8', ['127.0.0.1', 'fd00::/8']],
    ],
    bad: ['localhost', '10.0.0.0/33', '::/129', 'any'],
  },
  fetchPorts: {
    good: [
      ['any', 'any'],
      ['80', [80]],
      ['80, 65535', [80, 65_535]],
    ],
    bad: ['', '0', '65536', '80,', 'http', '80-90', '-1'],
  },
  trustProxy: {
    good: [
      ['', []],
      ['127.0.0.1', ['127.0.0.1']],
      ['10.0.0.0/8, ::1/128', ['10.0.0.0/8', '::1/128']],
    ],
    bad: ['localhost', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0/8', 'true'],
  },
  maxZoneFile: {
    good: [
      ['1', 1],
      ['512K', 524_288],
      ['16M', 16_777_216],
      ['256M', 268_435_456],
    ],
    bad: ['', '0', '0M', '-1', '1.5M', '1k', '1G', '257M', 'M', '16 M'],
  },
  logLevel: {
    good: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    bad: ['', 'trace', 'INFO'],
  },
  logFormat: {
    good: [
      ['auto', 'auto'],
      ['json', 'json'],
    ],
    bad: ['', 'JSON', 'pretty'],
  },
  backupPassphrase: {
    good: [
      ['twelve chars', 'twelve chars'],
      ['ü'.repeat(200), 'ü'.repeat(200)],
    ],
    bad: ['', 'eleven char', 'x'.repeat(201), 'twelve\tchars'],
  },
  testControl: {
    good: [
      ['off', undefined],
      ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ],
    bad: ['on', '127.0.0.1'],
  },
  testToken: { good: [[TOKEN, TOKEN]], bad: ['', 'a'.repeat(39)] },
  adminToken: {
    good: [
      [TOKEN, TOKEN],
      [`${'A-z_0'.repeat(20)}`, 'A-z_0'.repeat(20)],
    ],
    bad: ['', 'a'.repeat(39), 'a'.repeat(101), `${'a'.repeat(39)}.`, `${'a'.repeat(40)} `],
  },
  adminEmail: {
    good: [['me@example.com', 'me@example.com']],
    bad: ['', 'me', '@example.com', 'me@', 'a b@example.com'],
  },
  adminKey: { good: [[KEY, KEY]], bad: ['', KEY.slice(1), `${KEY}0`, KEY.toUpperCase(), `g${KEY.slice(1)}`] },
}
const settings = Object.entries(CASES).map(([key, cases]) => [key as SettingKey, cases] as const)
const isSecret = (key: SettingKey) => 'secret' in SETTINGS[key]

describe('settings', () => {
  test('each has cases', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(Object.keys(SETTINGS).toSorted())
    expect(settings.every(([, { good }]) => good.length > 0)).toBe(true)
  })

  test('have defaults', () => {
    const config = load()
    expect(config).toMatchObject({
      http: { host: '127.0.0.1', port: 8080 },
      dns: { host: '127.0.0.1', port: 5353 },
      data: './data',
      profile: 'documented',
      adminEmail: 'admin@example.com',
      trustProxy: [],
    })
    expect([config.rateLimit, config.adminToken, config.adminKey, config.database]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(new Set(Object.values(config.origins))).toEqual(new Set(['default']))
    expect(databasePath(config)).toBe(join('./data', 'zonereeve.db'))
    expect(databasePath(load({ flags: { database: 'sqlite:/tmp/a.db' } }))).toBe('/tmp/a.db')
    expect([postgresOf(config), postgresOf(load({ flags: { database: 'sqlite:/tmp/a.db' } }))]).toEqual([
      undefined,
      undefined,
    ])
  })

  test('a database in PostgreSQL gets its password from a setting of its own, and has no path', () => {
    const config = load({
      flags: { database: 'postgres://me@db/a', data: '/srv' },
      environment: { ZONEREEVE_DATABASE_PASSWORD: 'p@ss/%' },
    })
    const { url, keyFile } = postgresOf(config) ?? { url: 'http://none', keyFile: '' }
    expect([decodeURIComponent(new URL(url).password), keyFile]).toEqual(['p@ss/%', '/srv/zonereeve.db.key'])
    expect(() => databasePath(config)).toThrow('this command is for SQLite only; use the tools of PostgreSQL')
  })

  test('another database is named like the configured one, and gets the same password', () => {
    const config = load({ environment: { ZONEREEVE_DATABASE_PASSWORD: 'p@ss/%' } })
    expect(databaseAt('sqlite:/tmp/a.db', config)).toEqual({ sqlite: '/tmp/a.db' })
    expect(databaseAt('postgres://me@db/a', config)).toEqual({ postgres: 'postgres://me:p%40ss%2F%25@db/a' })
    for (const text of ['', 'a.db', 'mysql://me@db/a', 'postgres://me:secret@db/a'])
      expect(() => databaseAt(text, config)).toThrow('must')
  })

  test.each(settings.flatMap(([key, { good }]) => good.map(([text, value]) => [key, text, value] as const)))(
    '%s takes "%s"',
    (key, text, value) => {
      const { name } = SETTINGS[key]
      const variable = environmentName(SETTINGS[key])
      const fromFile = fileOf({ [name]: text })
      expect([
        load({ flags: { [name]: text } })[key],
        load({ environment: { [variable]: text } })[key],
        load({ file: fromFile })[key],
      ]).toEqual([value, value, value])
    },
  )

  test.each(settings.flatMap(([key, { bad }]) => bad.map((text) => [key, text] as const)))(
    '%s refuses "%s", and says where it comes from',
    (key, text) => {
      const { name } = SETTINGS[key]
      const variable = environmentName(SETTINGS[key])
      const file = fileOf({ [name]: text })
      const problems = [
        ...problemsOf({ flags: { [name]: text } }),
        ...problemsOf({ environment: { [variable]: text } }),
        ...problemsOf({ file }),
      ]
      const shown = isSecret(key) ? name : `${name} "${text}"`
      const origins = [`flag --${name}`, `environment ${variable}`, `file ${file}`]
      expect(problems.map((problem) => problem.split('): ')[0])).toEqual(
        origins.map((origin) => `${shown} (${origin}`),
      )
      if (isSecret(key) && text !== '') for (const problem of problems) expect(problem).not.toContain(text)
    },
  )

  test('are named alike as flag, variable and member of the file', () => {
    expect(Object.values(SETTINGS).map(({ name }) => name)).toEqual(
      Object.keys(SETTINGS).map((key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
    )
    expect(environmentName(SETTINGS.rateLimit)).toBe('ZONEREEVE_RATE_LIMIT')
  })
})

describe('sources', () => {
  test('a flag wins over the environment, the environment over the file, the file over the default value', () => {
    const flags = { http: 'localhost:1' }
    const environment = { ZONEREEVE_HTTP: 'localhost:2', ZONEREEVE_DNS: 'localhost:2' }
    const file = fileOf({ http: 'localhost:3', dns: 'localhost:3', profile: 'vendor' })
    const config = load({ flags, environment, file })
    expect([config.http.port, config.dns.port, config.profile, config.logLevel]).toEqual([
      1,
      2,
      'vendor',
      'info',
    ])
    const { http, dns, profile, logLevel } = config.origins
    expect([http, dns, profile, logLevel]).toEqual([
      'flag --http',
      'environment ZONEREEVE_DNS',
      `file ${file}`,
      'default',
    ])
  })

  test.each([
    ['names the file', () => ({ ZONEREEVE_CONFIG: fileOf({ http: 'localhost:3' }) }), undefined, 3],
    [
      'loses to the flag',
      () => ({ ZONEREEVE_CONFIG: '/nowhere/zonereeve.json' }),
      { http: 'localhost:4' },
      4,
    ],
    ['is empty: no file', () => ({ ZONEREEVE_CONFIG: '' }), undefined, 8080],
  ])('ZONEREEVE_CONFIG %s', (_, environment, content, port) => {
    const file = content === undefined ? undefined : fileOf(content)
    const config = load({ environment: environment(), file })
    expect([config.http.port, config.warnings]).toEqual([port, []])
  })

  test('a wrong value of a source that loses does not matter', () => {
    expect(load({ flags: { http: '1' }, environment: { ZONEREEVE_HTTP: 'x' } }).http.port).toBe(1)
  })

  test('a secret comes from a file that the environment names, its line end left out', () => {
    const path = fileOf(`${TOKEN}\n`)
    const config = load({ environment: { ZONEREEVE_ADMIN_TOKEN_FILE: path } })
    expect([config.adminToken, config.origins.adminToken]).toEqual([
      TOKEN,
      'environment ZONEREEVE_ADMIN_TOKEN_FILE',
    ])
  })

  test('the variable itself wins over the file that it names', () => {
    const environment = { ZONEREEVE_ADMIN_TOKEN: 'b'.repeat(40), ZONEREEVE_ADMIN_TOKEN_FILE: fileOf(TOKEN) }
    expect(load({ environment }).adminToken).toBe('b'.repeat(40))
  })

  test('a secret file that is not there, or is wrong, is reported by its variable, without its content', () => {
    const missing = problemsOf({ environment: { ZONEREEVE_ADMIN_KEY_FILE: '/nowhere/key' } })
    expect(missing).toEqual(['environment ZONEREEVE_ADMIN_KEY_FILE: /nowhere/key: no such file or folder'])
    const wrong = problemsOf({ environment: { ZONEREEVE_ADMIN_KEY_FILE: fileOf('not-a-key') } })
    expect(wrong).toEqual(['admin-key (environment ZONEREEVE_ADMIN_KEY_FILE): must be 37 hexadecimal digits'])
  })

  const badFiles: [name: string, content: unknown, problem: RegExp][] = [
    ['an unknown setting', { htpp: '1' }, /^htpp \(file .*\): unknown setting$/],
    ['a setting named as in the code', { rateLimit: 'off' }, /^rateLimit \(file .*\): unknown setting$/],
    ['a number', { http: 8080 }, /^http \(file .*\): must be a string, like "127\.0\.0\.1:8080"$/],
    ['a list', ['http'], /^file .*: must be an object$/],
    ['null', 'null', /^file .*: must be an object$/],
    ['no JSON', '{http: 1}', /^file .*: .*JSON/],
    ['nothing', '', /^file .*: .*JSON/],
  ]
  test.each(badFiles)('a file with %s is refused', (_, content, problem) => {
    expect(problemsOf({ file: fileOf(content) })).toEqual([expect.stringMatching(problem)])
  })

  test('a file that is asked for and is not there is refused', () => {
    expect(problemsOf({ file: '/nowhere/zonereeve.json' })).toEqual([
      'file /nowhere/zonereeve.json: no such file or folder',
    ])
  })

  test('a folder in the place of a file is refused', () => {
    const folder = join(scratchFolder(), 'folder')
    mkdirSync(folder)
    expect(problemsOf({ file: folder })).toEqual([expect.stringMatching(/^file .*: EISDIR/)])
  })

  test('every problem is reported in one start', () => {
    const problems = problemsOf({
      flags: { http: 'x', profile: 'x' },
      environment: { ZONEREEVE_DNS: 'x', ZONEREEVE_ADMIN_TOKEN: 'x' },
      file: fileOf({ 'log-level': 'x', unknown: 'x' }),
    })
    expect(problems.map((problem) => problem.split(/[ "]/)[0])).toEqual([
      'unknown',
      'http',
      'dns',
      'profile',
      'log-level',
      'admin-token',
    ])
  })

  test('an unknown variable is reported, not refused; variables of tests are ignored', () => {
    const environment = {
      ZONEREEVE_HTPP: 'x',
      ZONEREEVE_TEST_REQUIRE: 'all',
      ZONEREEVE_ADMIN_KEY_FILE: fileOf(KEY),
      HTTP: 'x',
    }
    expect(load({ environment }).warnings).toEqual(['ZONEREEVE_HTPP is not a setting and has no effect'])
  })

  test('what was loaded cannot be changed', () => {
    const config = load()
    expect(Object.isFrozen(config)).toBe(true)
    expect(() => Object.assign(config, { data: 'x' })).toThrow(TypeError)
  })
})
