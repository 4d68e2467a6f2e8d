// A PgBouncer for tests, from Debian's package `pgbouncer`: on a socket in a temporary folder, in front of a server on another.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PROGRAM = '/usr/sbin/pgbouncer'
const PORT = 6_432
/** In session mode, each client keeps a connection. */
export const POOL_SIZE = { transaction: 10, session: 40 }
const START_ATTEMPTS = 600
const PAUSE_MILLIS = 50
/** It refuses to run as root. */
const isRoot = process.getuid?.() === 0

export interface Pooler {
  /** Of the same database through the pooler, without parameters for poolers. */
  readonly url: string
  stop(): Promise<void>
}

/** @param database its URL, on a socket in a folder. */
export async function startPgBouncer(database: string, mode: 'transaction' | 'session'): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-pooler-'))
  const url = new URL(database)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${url.searchParams.get('host')} user=${url.username}
[pgbouncer]
listen_port = ${PORT}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = ${mode}
default_pool_size = ${POOL_SIZE[mode]}
max_client_conn = 200
`,
  )
  const owner = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  if (owner !== undefined) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid)
  chmodSync(folder, 0o755)
  const child = spawn(PROGRAM, [file], { ...owner, cwd: folder, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const socket = join(folder, `.s.PGSQL.${PORT}`)
  for (let attempt = 0; !(await accepts(socket)); attempt++) {
    if (attempt === START_ATTEMPTS || child.exitCode !== null) throw new Error('PgBouncer did not start')
    await sleep(PAUSE_MILLIS)
  }
  url.searchParams.set('host', folder)
  url.port = String(PORT)
  return {
    url: url.href,
    async stop() {
      child.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The socket is there before the program listens. */
const accepts = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy()
      resolve(true)
    })
    connection.once('error', () => resolve(false))
  })

const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
