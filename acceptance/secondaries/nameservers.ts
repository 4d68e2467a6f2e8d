// Third-party nameservers as secondaries: configured as in docs/transfers.md, on loopback ports, with readable logs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endWithin } from '../child-end.ts'
import { run, searchPath } from '../../scripts/process.ts'
import { PDNS_SCHEMA } from '../../scripts/requirements.ts'
import { pageBlock, type Place } from './transfers-page.ts'

export interface Nameserver {
  readonly port: number
  readonly log: () => string
  /** Syncs its zones with the catalog zone, if it does not do so by itself. */
  readonly follow?: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface Start extends Place {
  readonly port: number
}

/** By the name of the test requirement. */
export const SECONDARIES = {
  knotd: startKnot,
  named: startNamed,
  pdns: startPdns,
  nsd: startNsd,
} as const

/** Starts Knot with its listener, log and storage settings, and the zones from the documentation page. */
export async function startKnotWith(start: Start, zones: string): Promise<StartedKnot> {
  const { folder, port } = start
  const socket = `${folder}/knot.sock`
  const file = put(
    folder,
    'knot.conf',
    `server:\n    rundir: "${folder}"\n    listen: 127.0.0.1@${port}\n` +
      `log:\n  - target: stderr\n    any: info\ndatabase:\n    storage: "${folder}"\n` +
      `control:\n    listen: "${socket}"\n${zones}`,
  )
  const server = await daemon('knotd', ['-c', file], start)
  return { ...server, file, knotc: (...args) => must('knotc', ['-s', socket, ...args]) }
}

export interface StartedKnot extends Nameserver {
  /** Its configuration. */
  readonly file: string
  readonly knotc: (...args: readonly string[]) => Promise<void>
}

function startKnot(start: Start): Promise<Nameserver> {
  const zones = pageBlock('knot', start)
    .replaceAll('acl: notify-in', 'acl: [notify-in, compare]')
    .replace('acl:\n', 'acl:\n  - id: compare\n    address: 127.0.0.1\n    action: transfer\n')
  return startKnotWith(start, zones)
}

/**
 * Starts BIND with its listener, log and files, and the options and zones of a block of the documentation page.
 *
 * @param more other options.
 */
export function startNamedWith(start: Start, block: string, more = ''): Promise<Nameserver> {
  const { folder, port } = start
  const options =
    `listen-on port ${port} { 127.0.0.1; };\n listen-on-v6 { none; };\n${more}` +
    ` pid-file "${folder}/named.pid";\n session-keyfile "${folder}/session.key";\n`
  const file = put(
    folder,
    'named.conf',
    `controls { };\nlogging { channel e { stderr; severity debug 3; }; category default { e; }; };\n` +
      block.replace('options {', `options {\n ${options}`),
  )
  return daemon('named', ['-g', '-d', '3', '-n', '1', '-c', file], start)
}

function startNamed(start: Start): Promise<Nameserver> {
  return startNamedWith(start, pageBlock('named', start))
}

async function startPdns(start: Start): Promise<Nameserver> {
  const { folder, port } = start
  put(
    folder,
    'pdns.conf',
    `local-address=127.0.0.1\nlocal-port=${port}\nsocket-dir=${folder}\nsetuid=\nsetgid=\nguardian=no\ndaemon=no\n` +
      `loglevel=5\nsecurity-poll-suffix=\n${pageBlock('pdns', start)}`,
  )
  const database = join(folder, 'pdns.sqlite3')
  const trigger = put(folder, 'trigger.sql', pageBlock('sql', start))
  for (const script of [PDNS_SCHEMA, trigger]) await must('sqlite3', [database, `.read ${script}`])
  for (const line of pageBlock('pdnsutil', start).trim().split('\n'))
    await must('pdnsutil', [`--config-dir=${folder}`, ...line.split(' ').slice(1)])
  return daemon('pdns_server', [`--config-dir=${folder}`], start)
}

/** NSD's listener and storage settings, without the zones from the documentation page. */
export function nsdConfiguration({ folder, port }: Start, zones: string): string {
  return (
    `server:\n    server-count: 1\n    ip-address: 127.0.0.1@${port}\n    username: ""\n    chroot: ""\n` +
    `    database: ""\n    zonesdir: "${folder}"\n    pidfile: "${folder}/nsd.pid"\n    xfrdfile: "${folder}/xfrd.state"\n` +
    `    zonelistfile: "${folder}/zone.list"\n    xfrdir: "${folder}"\n    verbosity: 2\n` +
    `remote-control:\n    control-enable: yes\n    control-interface: "${folder}/nsd.ctl"\n` +
    zones
  )
}

async function startNsd(start: Start): Promise<Nameserver> {
  const { folder } = start
  const file = put(folder, 'nsd.conf', nsdConfiguration(start, pageBlock('nsd', start)))
  const script = put(
    folder,
    'catalog.sh',
    pageBlock('nsd-script', start).replaceAll('nsd-control ', `nsd-control -c ${file} `),
  )
  chmodSync(script, 0o755)
  const started = await daemon('nsd', ['-d', '-c', file], start)
  return { ...started, follow: () => must('sh', [script]) }
}

/** Starts a program that stays in the foreground; its output goes to a file in its folder. */
export async function daemon(
  program: string,
  args: readonly string[],
  { folder, port }: Pick<Start, 'folder' | 'port'>,
  env: Readonly<Record<string, string>> = {},
): Promise<Nameserver> {
  const logFile = join(folder, 'log')
  const child = spawn(program, args, {
    env: { ...process.env, PATH: searchPath, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const sink = createWriteStream(logFile)
  child.stdout.pipe(sink, { end: false })
  child.stderr.pipe(sink, { end: false })
  await once(child, 'spawn')
  return { port, log: () => readFileSync(logFile, 'utf8'), stop: () => endWithin(child, 5_000) }
}

/** Runs a command to its end. @throws with its output if it fails */
export async function must(command: string, args: readonly string[]): Promise<void> {
  const finished = await run(command, args)
  if (!finished.ok) throw new Error(`${command} ${args.join(' ')} failed\n${finished.output}`)
}

/** Writes a file, and creates its folder if needed. @returns its path */
export function put(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
