// The servers that ours is measured against: Debian's packages, started from a temporary folder on loopback.
import { spawn, type ChildProcess } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../acceptance/dns-client.ts'
import { isOnPath, run, searchPath } from '../scripts/process.ts'

/** Loopback servers only; a benchmark never leaves the machine. */
const HOST = '127.0.0.1'
const SERVER_CPU = '0'
const START_LIMIT_MS = 10_000

export interface Peer {
  readonly name: string
  readonly pid: number
  readonly dnsPort: number
  readonly stop: () => Promise<void>
}

export interface PowerDns extends Peer {
  readonly httpPort: number
  readonly apiKey: string
}

const debianPackages = {
  dnsperf: 'dnsperf',
  knotd: 'knot',
  nsd: 'nsd',
  named: 'bind9',
  pdns_server: 'pdns-server pdns-backend-sqlite3',
  pdnsutil: 'pdns-server',
  sqlite3: 'sqlite3',
  taskset: 'util-linux',
} as const

/** @throws naming every program that is not there, with the package that brings it. */
export function requirePrograms(...programs: readonly (keyof typeof debianPackages)[]): void {
  const missing = programs.filter((program) => !isOnPath(program))
  if (missing.length === 0) return
  const packages = missing.map((program) => debianPackages[program]).join(' ')
  throw new Error(`this benchmark needs ${missing.join(', ')}: apt-get install ${packages}`)
}

/** Options that hold a program to the servers' core. dnsperf and other load run on the other one. */
export const onServerCpu = ['taskset', '--cpu-list', SERVER_CPU] as const
export const onLoadCpu = ['taskset', '--cpu-list', '1'] as const

export async function startKnot(folder: string, zone: string, zoneFile: string): Promise<Peer> {
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

export async function startNsd(folder: string, zone: string, zoneFile: string): Promise<Peer> {
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

export async function startBind(folder: string, zone: string, zoneFile: string): Promise<Peer> {
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

/** PowerDNS on SQLite at its best: write-ahead log, no rectification of the whole zone at each write, packet cache on. */
export async function startPowerDns(folder: string, zone: string, zoneFile?: string): Promise<PowerDns> {
  const dnsPort = await freePort()
  const httpPort = await freePort()
  const apiKey = 'benchmark-key'
  const home = makeHome(folder, 'pdns')
  const database = join(home, 'pdns.sqlite3')
  const schema = readFileSync('/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql', 'utf8')
  writeFileSync(join(home, 'schema.sql'), `PRAGMA journal_mode=WAL;\n${schema}`)
  await succeed('sqlite3', database, `.read ${join(home, 'schema.sql')}`)
  writeFileSync(
    join(home, 'pdns.conf'),
    `launch=gsqlite3
gsqlite3-database=${database}
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
  if (zoneFile === undefined)
    await succeed('pdnsutil', '--config-dir', home, 'create-zone', zone, `ns1.${zone}`)
  else await succeed('pdnsutil', '--config-dir', home, 'load-zone', zone, zoneFile)
  const command = ['pdns_server', `--config-dir=${home}`, '--daemon=no', '--guardian=no', '--disable-syslog']
  return { ...(await startPeer('PowerDNS', dnsPort, zone, command)), httpPort, apiKey }
}

async function startPeer(
  name: string,
  dnsPort: number,
  zone: string,
  command: readonly string[],
): Promise<Peer> {
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
  return { name, pid: child.pid ?? 0, dnsPort, stop: () => end(child) }
}

async function answers(child: ChildProcess, port: number, zone: string): Promise<void> {
  const limit = performance.now() + START_LIMIT_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`)
    const reply = await ask({ host: HOST, port }, zone, 'SOA').catch(() => undefined)
    if (reply?.answers.length === 1) return
    if (performance.now() > limit) throw new Error(`no SOA of ${zone} within ${START_LIMIT_MS} ms`)
    await sleep(50)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await once(child, 'exit')
  clearTimeout(timer)
}

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
