// The servers that ours is compared with: Debian's packages, started from a temporary folder on loopback.
import { spawn, type ChildProcess } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithin } from '../acceptance/child-end.ts'
import { ask } from '../acceptance/dns-client.ts'
import { isOnPath, run, searchPath } from '../scripts/process.ts'

/** Loopback servers only; a benchmark never leaves the machine. */
const HOST = '127.0.0.1'
const SERVER_CPU = '0'
/** Loading a million names takes long. */
const START_LIMIT_MS = 180_000
const REPLY_WITHIN_MS = 200
const BETWEEN_QUERIES_MS = 20

export interface Peer {
  readonly name: string
  readonly pid: number
  readonly dnsPort: number
  /** Time until it answered, including the preparation of its data. */
  readonly readySeconds: number
  readonly stop: () => Promise<void>
}

/** The zone for a peer. `file` is signed if the zone is signed; `unsignedFile` is for servers that sign themselves. */
export interface PeerZone {
  readonly name: string
  readonly file: string
  readonly unsignedFile: string
  readonly isSigned: boolean
}

export interface PowerDns extends Peer {
  readonly httpPort: number
  readonly apiKey: string
}

const debianPackages = {
  dnsperf: 'dnsperf',
  'dnssec-keygen': 'bind9-utils',
  'dnssec-signzone': 'bind9-utils',
  knotd: 'knot',
  nsd: 'nsd',
  named: 'bind9',
  pdns_server: 'pdns-server pdns-backend-sqlite3 pdns-backend-pgsql',
  psql: 'postgresql',
  pdnsutil: 'pdns-server',
  sqlite3: 'sqlite3',
  taskset: 'util-linux',
} as const

/** @throws an error that lists every missing program with its package. */
export function requirePrograms(...programs: readonly (keyof typeof debianPackages)[]): void {
  const missing = programs.filter((program) => !isOnPath(program))
  if (missing.length === 0) return
  const packages = missing.map((program) => debianPackages[program]).join(' ')
  throw new Error(`this benchmark needs ${missing.join(', ')}: apt-get install ${packages}`)
}

/** Command prefix that pins a program to the servers' core. dnsperf and other load run on the other core. */
export const onServerCpu = ['taskset', '--cpu-list', SERVER_CPU] as const
export const onLoadCpu = ['taskset', '--cpu-list', '1'] as const

export async function startKnot(folder: string, { name: zone, file: zoneFile }: PeerZone): Promise<Peer> {
  const dnsPort = await freePort()
  const home = makeHome(folder, 'knot')
  const configuration = join(home, 'knot.conf')
  writeFileSync(
    configuration,
    `server:
    rundir: ${home}
    listen: ${HOST}@${dnsPort}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: ${home}
log:
  - target: stderr
    any: error
zone:
  - domain: ${zone}
    file: ${zoneFile}
    zonefile-sync: -1
    journal-content: none
`,
  )
  return startPeer('Knot', dnsPort, zone, ['knotd', '--config', configuration])
}

export async function startNsd(folder: string, { name: zone, file: zoneFile }: PeerZone): Promise<Peer> {
  const dnsPort = await freePort()
  const home = makeHome(folder, 'nsd')
  const configuration = join(home, 'nsd.conf')
  writeFileSync(
    configuration,
    `server:
  ip-address: ${HOST}@${dnsPort}
  server-count: 1
  username: ""
  zonesdir: "${home}"
  database: ""
  pidfile: "${home}/nsd.pid"
  xfrdfile: "${home}/xfrd.state"
  zonelistfile: "${home}/zone.list"
  xfrdir: "${home}"
  rrl-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: ${zone}
  zonefile: ${zoneFile}
`,
  )
  return startPeer('NSD', dnsPort, zone, ['nsd', '-d', '-c', configuration])
}

export async function startBind(folder: string, { name: zone, file: zoneFile }: PeerZone): Promise<Peer> {
  const dnsPort = await freePort()
  const home = makeHome(folder, 'bind')
  const configuration = join(home, 'named.conf')
  writeFileSync(
    configuration,
    `options {
  directory "${home}";
  pid-file "${home}/named.pid";
  session-keyfile "${home}/session.key";
  listen-on port ${dnsPort} { ${HOST}; };
  listen-on-v6 { none; };
  recursion no;
  notify no;
};
controls { };
zone "${zone}" { type primary; file "${zoneFile}"; };
`,
  )
  return startPeer('BIND', dnsPort, zone, ['named', '-f', '-n', '1', '-c', configuration])
}

/** PowerDNS on SQLite, tuned: write-ahead log, no rectification of the whole zone at each write, packet cache on. */
export async function startPowerDns(
  folder: string,
  zone: string,
  served?: Pick<PeerZone, 'unsignedFile' | 'isSigned'>,
  backend = pdnsSqlite,
): Promise<PowerDns> {
  const began = performance.now()
  const dnsPort = await freePort()
  const httpPort = await freePort()
  const apiKey = 'benchmark-key'
  const home = makeHome(folder, 'pdns')
  const launching = await backend(home)
  writeFileSync(
    join(home, 'pdns.conf'),
    `${launching}
local-address=${HOST}
local-port=${dnsPort}
socket-dir=${home}
receiver-threads=1
api=yes
api-key=${apiKey}
webserver=yes
webserver-address=${HOST}
webserver-port=${httpPort}
webserver-allow-from=127.0.0.0/8
webserver-loglevel=none
default-api-rectify=no
default-soa-content=ns1.@ hostmaster.@ 0 10800 3600 604800 3600
security-poll-suffix=
loglevel=3
`,
  )
  const pdnsutil = (...words: readonly string[]): Promise<void> =>
    succeed('pdnsutil', '--config-dir', home, ...words)
  if (served === undefined) await pdnsutil('create-zone', zone, `ns1.${zone}`)
  else await pdnsutil('load-zone', zone, served.unsignedFile)
  if (served?.isSigned === true) {
    await pdnsutil('secure-zone', zone) // with ECDSA P-256, its default
    await pdnsutil('rectify-zone', zone)
  }
  const command = ['pdns_server', `--config-dir=${home}`, '--daemon=no', '--guardian=no', '--disable-syslog']
  const peer = await startPeer('PowerDNS', dnsPort, zone, command)
  return { ...peer, readySeconds: (performance.now() - began) / 1000, httpPort, apiKey }
}

/** Settings of PowerDNS for a database in SQLite, which is created. */
async function pdnsSqlite(home: string): Promise<string> {
  const database = join(home, 'pdns.sqlite3')
  const schema = readFileSync('/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql', 'utf8')
  writeFileSync(join(home, 'schema.sql'), `PRAGMA journal_mode=WAL;\n${schema}`)
  await succeed('sqlite3', database, `.read ${join(home, 'schema.sql')}`)
  return `launch=gsqlite3\ngsqlite3-database=${database}\ngsqlite3-dnssec=yes`
}

/** The same for an empty database in PostgreSQL. */
export const pdnsPostgres = (database: string) => async (): Promise<string> => {
  const { pathname, username, searchParams } = new URL(database)
  const [name, host] = [pathname.slice(1), searchParams.get('host') ?? ''] // the folder of a socket
  const schema = '/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql'
  await succeed('psql', '-q', '-h', host, '-U', username, '-d', name, '-v', 'ON_ERROR_STOP=1', '-f', schema)
  return `launch=gpgsql\ngpgsql-host=${host}\ngpgsql-user=${username}\ngpgsql-dbname=${name}\ngpgsql-dnssec=yes`
}

/** Signs a whole zone file with one ECDSA P-256 key. Returns the signed file and the time in seconds. */
export async function signZoneFile(
  folder: string,
  zone: string,
  file: string,
): Promise<{ readonly file: string; readonly seconds: number }> {
  const home = makeHome(folder, 'keys')
  const began = performance.now()
  await succeed('dnssec-keygen', '-q', '-K', home, '-a', '13', '-f', 'KSK', zone)
  const signed = `${file}.signed`
  const how = ['-S', '-z', '-P', '-K', home, '-d', home]
  await succeed('dnssec-signzone', ...how, '-o', zone, '-f', signed, file)
  return { file: signed, seconds: (performance.now() - began) / 1000 }
}

async function startPeer(
  name: string,
  dnsPort: number,
  zone: string,
  command: readonly string[],
): Promise<Peer> {
  const began = performance.now()
  const [program = '', ...args] = [...onServerCpu, ...command]
  const child = spawn(program, args, {
    env: { ...process.env, PATH: searchPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: string): void => {
    output = (output + chunk).slice(-2000)
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  try {
    await answers(child, dnsPort, zone)
  } catch (error) {
    await end(child)
    throw new Error(`${name} does not answer: ${String(error)}\n${output}`, { cause: error })
  }
  const readySeconds = (performance.now() - began) / 1000
  return { name, pid: child.pid ?? 0, dnsPort, readySeconds, stop: () => end(child) }
}

async function answers(child: ChildProcess, port: number, zone: string): Promise<void> {
  const limit = performance.now() + START_LIMIT_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`)
    // A query is lost if the port is not open: the next one follows soon.
    const asked = ask({ host: HOST, port }, zone, 'SOA').catch(() => undefined)
    const reply = await Promise.race([asked, sleep(REPLY_WITHIN_MS)])
    if (reply?.answers.length === 1) return
    if (performance.now() > limit) throw new Error(`no SOA of ${zone} within ${START_LIMIT_MS} ms`)
    await sleep(BETWEEN_QUERIES_MS)
  }
}

const end = (child: ChildProcess): Promise<void> => endWithin(child, 5_000)

/** A port that is free for UDP and TCP on loopback. */
async function freePort(): Promise<number> {
  for (;;) {
    const tcp = createServer().listen(0, HOST)
    await once(tcp, 'listening')
    const address = tcp.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const udp = createSocket('udp4')
    const isFree = await new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false))
      udp.bind(port, HOST, () => resolve(true))
    })
    udp.close()
    tcp.close()
    await once(tcp, 'close')
    if (isFree) return port
  }
}

function makeHome(folder: string, name: string): string {
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  return home
}

async function succeed(program: string, ...args: readonly string[]): Promise<void> {
  const finished = await run(program, args)
  if (!finished.ok) throw new Error(`${program} ${args.join(' ')}\n${finished.output}`)
}
