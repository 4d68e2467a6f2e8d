// Which server uses a database: its name in a row that each of its transactions locks, and a heartbeat beside it
// that shows whether it still lives. No clocks are compared.
import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOutageNotes, type Log } from '@zonereeve/platform'
import { createConnection } from './connection.ts'
import { LIVE_NODES_TABLE } from './live-nodes.ts'
import { literal } from './values.ts'

/** How fast a server that has ended is noticed. */
export interface LeaseTimes {
  readonly beatMillis: number
  /** A server whose heartbeat stands still for so long has ended. */
  readonly silenceMillis: number
}

export const LEASE_TIMES: LeaseTimes = { beatMillis: 2_000, silenceMillis: 10_000 }
/** The writer of a process that is stopped, or cut off, ends a transaction only when its connection is ended. */
const LOCK_MILLIS = 3_000
/** The statements of the lease are short: without an answer, the database is cut off. */
const ANSWER_MILLIS = 5_000

/** Created by each server before anything else. */
export const LEASE_TABLES = `
  CREATE TABLE IF NOT EXISTS server_lock (id int8 PRIMARY KEY CHECK (id = 1), holder text);
  CREATE TABLE IF NOT EXISTS server_heartbeat (
    id int8 PRIMARY KEY CHECK (id = 1), holder text, place text, beat int8 NOT NULL);
  ALTER TABLE server_heartbeat ADD COLUMN IF NOT EXISTS address text, ADD COLUMN IF NOT EXISTS proof text;
  DO $$ BEGIN
    -- Otherwise, each start would wait for the transaction that has its row, and keep the heartbeat waiting.
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'server_lock'::regclass AND attname = 'move') THEN
      ALTER TABLE server_lock ADD COLUMN move text;
    END IF; END $$;
  ${LIVE_NODES_TABLE}
  INSERT INTO server_lock (id) VALUES (1) ON CONFLICT DO NOTHING;
  INSERT INTO server_heartbeat (id, beat) VALUES (1, 0) ON CONFLICT DO NOTHING;`

export interface LeaseDeps {
  readonly url: string
  readonly log: Log
  readonly times?: LeaseTimes
  /** Shows whether another node has the same secret; undefined: this server is not one of several nodes. */
  readonly proof?: string | undefined
  /** Another server has taken the lease. */
  readonly lost?: () => void
  /** The database has not answered for longer than the time of silence. */
  readonly cutOff?: () => void
}

export interface Heartbeat {
  readonly holder: string | null
  readonly place: string | null
  readonly beat: number
  /** Where the other nodes reach the API of the holder; null until it listens. */
  readonly address: string | null
  readonly proof: string | null
}

export type Lease = ReturnType<typeof createLease>

/** The lease of the database, which this server may hold. */
export function createLease({
  url,
  log,
  times = LEASE_TIMES,
  proof,
  lost = () => {},
  cutOff = () => {},
}: LeaseDeps) {
  const connection = createConnection({ url, keepsStatements: false, limitMillis: ANSWER_MILLIS })
  const holder = randomBytes(16).toString('hex')
  const own = `WHERE id = 1 AND holder = '${holder}'`
  const notes = createOutageNotes(log, 'heartbeat not stored', 'heartbeat stored again')
  let address: string | undefined
  let isHeld = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let answeredAt = performance.now()
  return {
    holder,
    isHeld: () => isHeld,
    times,
    read,
    take,
    exec,
    /** Whether the database has not answered for longer than the time of silence. */
    isCutOff,
    watch,
    /** Where other nodes reach this server. */
    async setAddress(to: string): Promise<void> {
      address = to
      if (isHeld) await connection.exec(`UPDATE server_heartbeat SET address = ${literal(to)} ${own}`)
    },
    /** Wakes nodes that listen. */
    notify: (): Promise<unknown> => connection.exec(`NOTIFY ${CHANNEL}`),
    /** Lets another server start at once. */
    async release(): Promise<void> {
      clearInterval(timer)
      await beating
      if (isHeld)
        await connection
          .exec(
            `UPDATE server_heartbeat SET holder = NULL ${own}; UPDATE server_lock SET holder = NULL ${own}`,
          )
          .catch((failure: unknown) => log.warn({ err: failure }, 'lease of the database not released'))
      isHeld = false
      await connection.close()
    },
    /** Another server has it: noticed by a transaction or by the heartbeat. */
    noteLoss,
  }

  async function exec(statements: string): Promise<readonly object[]> {
    try {
      const rows = await connection.exec(statements)
      answeredAt = performance.now()
      return rows
    } catch (failure) {
      if (isCutOff()) cutOff()
      throw failure
    }
  }

  function isCutOff(): boolean {
    return performance.now() - answeredAt > times.silenceMillis
  }

  async function read(): Promise<Heartbeat> {
    const [row] = await exec('SELECT holder, place, beat, address, proof FROM server_heartbeat WHERE id = 1')
    if (row === undefined) throw new Error('server_heartbeat has no row')
    return row as Heartbeat // as selected
  }

  /**
   * Takes the lease of a server that has ended.
   *
   * @param seen its last heartbeat.
   * @returns false if another server was faster, or that server lives.
   */
  async function take(seen: Heartbeat): Promise<boolean> {
    try {
      await connection.exec(
        `BEGIN; SET LOCAL lock_timeout = ${LOCK_MILLIS}; SELECT 1 AS one FROM server_lock WHERE id = 1 FOR UPDATE`,
      )
      const now = await read()
      if (now.holder !== seen.holder || now.beat !== seen.beat) {
        await connection.exec('ROLLBACK')
        return false
      }
      await connection.exec(`
        UPDATE server_lock SET holder = '${holder}' WHERE id = 1;
        UPDATE server_heartbeat SET holder = '${holder}', place = ${literal(JSON.stringify(placeOfProcess()))},
          beat = beat + 1, address = ${literal(address)}, proof = ${literal(proof)} WHERE id = 1;
        COMMIT`)
    } catch (failure) {
      connection.reset()
      throw failure
    }
    isHeld = true
    timer = setInterval(() => void beat(), times.beatMillis)
    timer.unref()
    return true
  }

  /** A failure shows in writes, too; the next beat tries again. */
  function beat(): Promise<void> {
    return (beating ??= exec(`UPDATE server_heartbeat SET beat = beat + 1 ${own} RETURNING beat`)
      .then((rows) => {
        notes.worked()
        if (rows.length === 0) noteLoss()
      }, notes.failed)
      .finally(() => {
        beating = undefined
      }))
  }

  function noteLoss(): void {
    if (!isHeld) return
    isHeld = false
    clearInterval(timer)
    lost()
  }

  /** Waits until the server that holds the lease shows that it lives, or has ended. */
  async function watch(): Promise<{ readonly last: Heartbeat; readonly lives: boolean }> {
    const first = await read()
    if (hasEnded(first)) return { last: first, lives: false }
    for (let waited = 0; waited < times.silenceMillis; waited += times.beatMillis / 2) {
      await sleep(times.beatMillis / 2)
      const next = await read()
      if (next.holder === null) return { last: next, lives: false }
      if (next.holder !== first.holder || next.beat !== first.beat) return { last: next, lives: true }
    }
    return { last: first, lives: false }
  }
}

/** Of notifications after commits. */
export const CHANNEL = 'zonereeve_changes'

/** @throws Error: another server uses the database */
export async function takeLease(lease: Lease): Promise<void> {
  const { last, lives } = await lease.watch()
  if (lives) throw isUsed(last)
  if (!(await lease.take(last))) throw isUsed(await lease.read())
}

export function isUsed({ place }: Pick<Heartbeat, 'place'>): Error {
  const { host, pid } = parsePlace(place)
  return new Error(
    `another server uses this database: process ${pid} on ${host}. Several nodes with one database each need --node-url`,
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

/** Whether no server holds the lease, or its process is known to have ended: its heartbeat need not be waited for. */
export function hasEnded({ holder, place }: Pick<Heartbeat, 'holder' | 'place'>): boolean {
  if (holder === null) return true
  const { pid, system } = parsePlace(place)
  if (system === '' || system !== systemOf()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (failure) {
    return failure instanceof Error && 'code' in failure && failure.code === 'ESRCH'
  }
}
