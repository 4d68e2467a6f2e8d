// Which server uses a database: its name in a row that each of its transactions locks, and a heartbeat beside it
// that shows whether it still lives. No clocks are compared.
import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@zonereeve/platform'
import { createConnection, type Connection } from './connection.ts'

const BEAT_MILLIS = 2_000
/** A server whose heartbeat stands still for so long has ended. */
const SILENCE_MILLIS = 10_000

export interface LeaseDeps {
  readonly url: string
  readonly log: Log
}

export interface Lease {
  readonly holder: string
  /** Lets another server start at once. */
  release(): Promise<void>
}

interface Heartbeat {
  readonly holder: string | null
  readonly place: string | null
  readonly beat: number
}

/** @throws Error: another server uses the database */
export async function takeLease({ url, log }: LeaseDeps): Promise<Lease> {
  const connection = createConnection({ url, keepsStatements: false })
  const holder = randomBytes(16).toString('hex')
  try {
    const seen = await waitUntilSilent(connection)
    await connection.exec(`BEGIN; SELECT 1 AS one FROM server_lock WHERE id = 1 FOR UPDATE`)
    const now = await heartbeatOf(connection)
    if (now.holder !== seen.holder || now.beat !== seen.beat) throw isUsed(now)
    const place = JSON.stringify(placeOfProcess()).replaceAll("'", "''")
    await connection.exec(`
      UPDATE server_lock SET holder = '${holder}' WHERE id = 1;
      UPDATE server_heartbeat SET holder = '${holder}', place = '${place}', beat = beat + 1 WHERE id = 1;
      COMMIT`)
  } catch (failure) {
    await connection.close()
    throw failure
  }
  const timer = setInterval(() => void beat(), BEAT_MILLIS)
  timer.unref()
  let beating: Promise<void> | undefined
  return {
    holder,
    async release() {
      clearInterval(timer)
      await beating
      const own = `WHERE id = 1 AND holder = '${holder}'`
      await connection
        .exec(`UPDATE server_heartbeat SET holder = NULL ${own}; UPDATE server_lock SET holder = NULL ${own}`)
        .catch((failure: unknown) => log.warn({ err: failure }, 'lease of the database not released'))
      await connection.close()
    },
  }

  /** A failure shows in writes, too; the next beat tries again. */
  function beat(): Promise<void> {
    return (beating ??= connection
      .exec(`UPDATE server_heartbeat SET beat = beat + 1 WHERE id = 1 AND holder = '${holder}'`)
      .then(
        () => {},
        (failure: unknown) => log.warn({ err: failure }, 'heartbeat not stored'),
      )
      .finally(() => {
        beating = undefined
      }))
  }
}

/** @returns the last heartbeat of a server that has ended. */
async function waitUntilSilent(connection: Connection): Promise<Heartbeat> {
  const first = await heartbeatOf(connection)
  if (first.holder === null || hasEnded(first.place)) return first
  for (let waited = 0; waited < SILENCE_MILLIS; waited += BEAT_MILLIS / 2) {
    await sleep(BEAT_MILLIS / 2)
    const next = await heartbeatOf(connection)
    if (next.holder === null) return next
    if (next.holder !== first.holder || next.beat !== first.beat) throw isUsed(next)
  }
  return first
}

async function heartbeatOf(connection: Connection): Promise<Heartbeat> {
  const [row] = await connection.exec('SELECT holder, place, beat FROM server_heartbeat WHERE id = 1')
  if (row === undefined) throw new Error('server_heartbeat has no row')
  return row as Heartbeat // as selected
}

function isUsed({ place }: Heartbeat): Error {
  const { host, pid } = parsePlace(place)
  return new Error(
    `another server uses this database: process ${pid} on ${host}. Several servers with one database are not supported yet`,
  )
}

interface Place {
  readonly host: string
  readonly pid: number
  /** The running system and its namespace of processes: only within both, a process ID means the same. */
  readonly system: string
}

const placeOfProcess = (): Place => ({ host: hostname(), pid: process.pid, system: systemOf() })

function systemOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return '' // another system than Linux: the heartbeat decides
  }
}

function parsePlace(text: string | null): Place {
  return JSON.parse(text ?? '{"host":"?","pid":0,"system":""}') as Place // as written by placeOfProcess
}

/** Whether the process is known to have ended: then its heartbeat need not be waited for. */
function hasEnded(text: string | null): boolean {
  const { pid, system } = parsePlace(text)
  if (system === '' || system !== systemOf()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (failure) {
    return failure instanceof Error && 'code' in failure && failure.code === 'ESRCH'
  }
}
