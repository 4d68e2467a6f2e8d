// A PostgreSQL server for tests, in a temporary folder, on a socket in it.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const USER = 'zonereeve'
const DEFAULT_PORT = 5432
const START_ATTEMPTS = 600
const PAUSE_MILLIS = 50
/** For hooks of tests: a new database takes some seconds on a busy machine. */
export const START_MILLIS = 120_000
/** The user `postgres` of the package: the server refuses to run as root. */
const isRoot = process.getuid?.() === 0

export interface PostgresServer {
  /** A new, empty database. */
  createDatabase(): Promise<string>
  /** Ends it like a power failure; {@link start} continues with its data. */
  kill(): Promise<void>
  /** SIGKILL of its main process: the others end by themselves. */
  killHard(): Promise<void>
  /** Runs a statement as the administrator. @returns its rows. */
  execute(statement: string): Promise<readonly object[]>
  executeIn(database: string, statement: string): Promise<readonly object[]>
  /** Of its socket. */
  readonly folder: string
  readonly port: number
  start(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresSettings {
  /** Waits for the disk, as in production; tests need not. */
  readonly isDurable?: boolean
  /** Listens on this port of loopback, too, without encryption. */
  readonly port?: number
  /** Begins as a copy of this server, and follows it as `standby`. */
  readonly standbyOf?: Pick<PostgresServer, 'folder' | 'port'>
  /** Certificate and key in PEM: the server listens on a port of loopback, and accepts only TLS there. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly port: number }
}

/** @param bin folder of its programs. */
export async function startPostgres(
  bin: string,
  { tls, isDurable = false, port: plainPort, standbyOf }: PostgresSettings = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-pg-'))
  const owner = isRoot ? ownerIds() : undefined
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  const [maker, ...given] =
    standbyOf === undefined
      ? ['initdb', '-A', 'trust', '-U', USER, '-E', 'UTF8', '--no-sync']
      : ['pg_basebackup', '-c', 'fast', '-R', '-d', conninfoOf(standbyOf)]
  execFileSync(join(bin, maker), [...given, '-D', data], { ...owner, cwd: folder, stdio: 'ignore' })
  if (tls !== undefined) useCertificate(data, tls, owner)
  let server: ReturnType<typeof run> | undefined
  const port = tls?.port ?? plainPort ?? DEFAULT_PORT
  const urlOf = (database: string) =>
    `postgres://${USER}@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`
  await start()

  return {
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`
      await execute(urlOf('postgres'), `CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    folder,
    port,
    execute: (statement) => execute(urlOf('postgres'), statement),
    executeIn: (database, statement) => execute(urlOf(database), statement),
    kill: () => end('SIGQUIT'),
    killHard: () => end('SIGKILL'),
    start,
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function start(): Promise<void> {
    server = run()
    for (let attempt = 1; ; attempt += 1)
      try {
        return void (await execute(urlOf('postgres'), 'SELECT 1'))
      } catch (failure) {
        if (attempt === START_ATTEMPTS || server.child.exitCode !== null) throw failure
        await sleep(PAUSE_MILLIS)
      }
  }

  function run() {
    const settings = [
      `port=${port}`,
      ...(tls === undefined ? [] : ['ssl=on']),
      `listen_addresses=${tls === undefined && plainPort === undefined ? '' : '127.0.0.1'}`,
      `unix_socket_directories=${folder}`,
      `fsync=${isDurable ? 'on' : 'off'}`,
      'max_connections=300',
    ]
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    })
    return { child, exited: new Promise<void>((resolve) => child.once('exit', () => resolve())) }
  }

  async function end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    server?.child.kill(signal)
    await server?.exited
    server = undefined
  }
}

const conninfoOf = ({ folder, port }: Pick<PostgresServer, 'folder' | 'port'>): string =>
  `host=${folder} port=${port} user=${USER} application_name=standby`

function useCertificate(
  data: string,
  { certificate, key }: Required<PostgresSettings>['tls'],
  owner: { readonly uid: number; readonly gid: number } | undefined,
): void {
  const files = { 'server.crt': certificate, 'server.key': key, 'pg_hba.conf': HOSTS }
  for (const [name, content] of Object.entries(files)) {
    const path = join(data, name)
    writeFileSync(path, content, { mode: 0o600 })
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid)
  }
}

const HOSTS = 'local all all trust\nhostssl all all 127.0.0.1/32 trust\n'

async function execute(url: string, statement: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the query fails
  await client.connect()
  try {
    return (await client.query<object>(statement)).rows
  } finally {
    await client.end()
  }
}

function ownerIds(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
