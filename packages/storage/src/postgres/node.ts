// One of several nodes with one database: it is the writer while it holds the lease; otherwise it follows, and takes
// the lease when the writer has ended.
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOutageNotes, type Log, type RequestCounts } from '@zonereeve/platform'
import type { Connection } from './connection.ts'
import { hasEnded, type Heartbeat, isUsed, type Lease } from './lease.ts'
import { createLiveNodes } from './live-nodes.ts'
import { isExpanding } from '../migrations/expanding.ts'
import { MIGRATIONS } from '../migrations/registry.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { createNotifications, type NotificationsDeps } from './notifications.ts'

/** Maximum wait of a new node for the writer to create or change the tables. */
const MIGRATION_MILLIS = 60_000
/** Other nodes use the tables while this one adds to them. */
const LOCK_MILLIS = 2_000

export interface NodeHandlers {
  /** This node has the lease; it becomes the writer when the returned promise resolves. Repeated after a failure. */
  catchUp(): Promise<void>
  /** This node is the writer. */
  lead(): Promise<void>
  /** Another node has taken the lease of this one: the state in memory may be wrong. */
  lose(): void
}

export interface NodeRole {
  /** Whether this node is the writer. */
  isWriter(): boolean
  /** Where the writer is reached; undefined if it is this node, there is none, or the database does not tell. */
  writerAddress(): string | undefined
  /** Addresses of the other nodes that live. @throws DomainError: the database does not answer */
  others(): Promise<readonly string[]>
  /** Where the other nodes reach this one. */
  setAddress(address: string): Promise<void>
  /** Takes the lease when it is free, from now on. */
  begin(handlers: NodeHandlers): void
  /** Takes no lease any more. Resolves when a handler that is running has ended. */
  end(): Promise<void>
  /** Reports to the other nodes what is counted here, every few seconds, and takes what they count. */
  shareCounts(name: string, counts: RequestCounts): void
  /** Calls `wake` when another node has committed, if the database can tell. */
  onWake(wake: () => void): void
}

export interface NodeDeps extends Pick<NotificationsDeps, 'listen'> {
  readonly lease: Lease
  readonly log: Log
  /** Never takes the lease. */
  readonly onlyFollows?: boolean
}

export type Node = ReturnType<typeof createNode>

/** Shows that nodes have the same secret without showing the secret. */
export const proofOf = (secret: string): string =>
  createHmac('sha256', secret).update('zonereeve: proof of the secret').digest('hex')

export interface Joining {
  readonly proof: string
  readonly onlyFollows: boolean
}

/**
 * Takes the lease and migrates the database, or finds a writer that has. A node that only follows needs no writer if the
 * tables are complete.
 *
 * @throws Error: the writer has another secret or an older version, or is not one of several nodes; no node has made the
 * tables
 */
export async function join(lease: Lease, writer: Connection, { proof, onlyFollows }: Joining): Promise<void> {
  const began = performance.now()
  let [seen, since] = [await lease.read(), began]
  for (;;) {
    const isSilent = performance.now() - since >= lease.times.silenceMillis
    const isFree = hasEnded(seen) || isSilent
    if (onlyFollows && isFree && (await pendingMigrations(writer)).length === 0) {
      if (seen.proof !== null && seen.proof !== proof) throw hasOtherSecret()
      return
    }
    if (!onlyFollows && isFree && (await lease.take(seen))) return migrate(writer)
    const now = await lease.read()
    // Only of a holder that lives: one that has ended cannot clear its row, and is waited for.
    if (now.holder !== null && !hasEnded(now) && !isSame(now, seen)) {
      if (now.proof === null) throw isUsed(now)
      if (now.proof !== proof) throw hasOtherSecret()
    }
    if (now.proof === proof && now.holder !== null && !hasEnded(now)) {
      const tables = await expand(writer)
      if (tables === 'complete') return
      if (tables === 'older' && !isSame(now, seen)) throw isOlder()
    }
    if (performance.now() - began > MIGRATION_MILLIS) throw onlyFollows && isFree ? hasNoTables() : isOlder()
    if (!isSame(now, seen)) [seen, since] = [now, performance.now()]
    await sleep(lease.times.beatMillis / 4)
  }
}

const hasOtherSecret = () =>
  new Error('the nodes have different secrets: set ZONEREEVE_KEY_ENCRYPTION_SECRET to the same on all')

const isOlder = () =>
  new Error('the node that writes has an older version: stop all nodes, then start the new version')

const hasNoTables = () =>
  new Error('no node that can write has made the tables of this version: start one without --zones-of')

/**
 * Brings the tables to this version beside nodes with an older one, if these can go on.
 *
 * @returns `older` if they cannot, `busy` if the tables are in use, or another node creates them.
 */
async function expand(writer: Connection): Promise<'complete' | 'older' | 'busy'> {
  const pending = await pendingMigrations(writer)
  if (pending.length === 0) return 'complete'
  if (pending.length === MIGRATIONS.length) return 'busy'
  if (!pending.every(isExpanding)) return 'older'
  return migrate(writer, LOCK_MILLIS).then(
    () => 'complete',
    () => 'busy', // tried again
  )
}

export function createNode({ lease, log, listen, onlyFollows = false }: NodeDeps) {
  let role: 'writer' | 'taking' | 'follower' = lease.isHeld() ? 'writer' : 'follower'
  let handlers: NodeHandlers | undefined
  let seen: Heartbeat | undefined
  let seenAt = performance.now()
  /** What it would be sent could reach another process, once it has ended. */
  let writerLives = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let beats: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let hasStopped = false
  let isLost = false
  const isWriter = (): boolean => role === 'writer' && lease.isHeld()
  const { beatMillis, silenceMillis } = lease.times
  const live = createLiveNodes({ exec: lease.exec, id: lease.holder, silenceMillis })
  const notifications = createNotifications({ lease, log, listen })
  const notes = createNotes(log)

  return {
    role: {
      isWriter,
      writerAddress: () =>
        lease.isHeld() || lease.isCutOff() || !writerLives ? undefined : (seen?.address ?? undefined), // it does not listen yet
      others: live.others,
      shareCounts: live.shareCounts,
      async setAddress(to) {
        await lease.setAddress(to)
        await live.join(to)
      },
      begin(given) {
        handlers = given
        // The lease may be lost while the rest of the server starts.
        if (isLost) given.lose()
        timer = setInterval(lookOnce, beatMillis / 2)
        timer.unref()
        beats = setInterval(beat, beatMillis)
        beats.unref()
        lookOnce()
      },
      end,
      onWake: notifications.onWake,
    } satisfies NodeRole as NodeRole,
    /** The lease is another node's. */
    noteLoss(): void {
      log.error({}, 'another node writes now')
      role = 'follower'
      isLost = true
      handlers?.lose()
    },
    /** Wakes the other nodes, soon. */
    noteCommit(): void {
      if (isWriter()) notifications.send()
    },
    async close(): Promise<void> {
      await end()
      await notifications.close()
    },
  }

  async function end(): Promise<void> {
    hasStopped = true
    clearInterval(timer)
    clearInterval(beats)
    await looking
    await live.leave().catch(() => {}) // the others see that its heartbeat stands still
  }

  /** One at a time: a database that hangs must not find many of them when it goes on. */
  function beat(): void {
    beating ??= live
      .beat()
      .then(notes.beat.worked, notes.beat.failed)
      .finally(() => {
        beating = undefined
      })
  }

  function lookOnce(): void {
    looking ??= look().finally(() => {
      looking = undefined
    })
  }

  async function look(): Promise<void> {
    if (role === 'writer' || hasStopped) return // nothing is read: that says nothing about the database
    try {
      if (role === 'follower') await lookForWriter()
      if (role === 'taking' && !hasStopped) await begin()
      notes.look.worked()
    } catch (failure) {
      notes.look.failed(failure)
    }
  }

  async function lookForWriter(): Promise<void> {
    const now = await lease.read().catch((failure: unknown) => {
      // While the database is away, the writer cannot show that it lives.
      seenAt = performance.now()
      throw failure
    })
    if (seen === undefined || !isSame(now, seen)) seenAt = performance.now()
    seen = now
    writerLives = !hasEnded(now) && performance.now() - seenAt < silenceMillis
    if (onlyFollows || hasStopped || writerLives) return
    if (!(await lease.take(now))) return
    log.info({ before: now.address }, 'lease of the database taken')
    role = 'taking'
  }

  async function begin(): Promise<void> {
    await handlers?.catchUp()
    if (!lease.isHeld() || hasStopped) return
    role = 'writer'
    log.info({}, 'this node writes now')
    await handlers?.lead()
  }
}

/** Each task has its own: what works for one says nothing about the other. */
const createNotes = (log: Log) => ({
  look: createOutageNotes(log, 'lease of the database not read', 'lease of the database read again'),
  beat: createOutageNotes(
    log,
    'heartbeat for the other nodes not stored',
    'heartbeat for the other nodes stored again',
  ),
})

const isSame = (a: Heartbeat, b: Heartbeat): boolean => a.holder === b.holder && a.beat === b.beat
