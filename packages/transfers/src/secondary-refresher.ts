// Keeps secondary zones in step with their primaries (RFC 1034 §4.3.5, RFC 1996): queries them at the SOA's intervals
// and on NOTIFY, takes newer contents, and keeps the current contents if anything about them is wrong.
import { backoffMillis, type Release, Semaphore } from '@zonereeve/cooperate'
import { setMaxListeners } from 'node:events'
import { serialAfter, WireError, type Name, type Soa, type TsigKey } from '@zonereeve/dns'
import { isSameKey, TransferFault, type ReceivedTransfer, type TransferPeer } from '@zonereeve/nameserver'
import type { Clock, Log } from '@zonereeve/platform'
import { createKeyedQueue } from './keyed-queue.ts'
import { converse, PRIMARY_LIMITS, type Conversation, type PrimaryLimits } from './primary.ts'
import type { PrimaryTls } from './primary-connection.ts'
import { changesDigest, verifyDigest } from './zone-digest.ts'

export interface Primary extends TransferPeer {
  readonly ixfrEnabled: boolean
  /** Undefined: its zones are transferred over TCP. */
  readonly tls?: PrimaryTls | undefined
}

/** A secondary zone and its state. */
export interface SecondaryZone {
  readonly zoneId: string
  readonly name: Name
  readonly peers: readonly Primary[]
  readonly autoRefreshSeconds: number
  /**
   * Whether it was followed before the process started: such zones are added all at once, and their queries are
   * spread out.
   */
  readonly isKnown: boolean
  /** What transfers it whatever its serial, for messages to users. */
  readonly forcedBy: string
  /** Undefined before the first transfer. */
  readonly authority: { readonly soa: Soa; readonly expiresAtMillis: number } | undefined
}

type ReceivedZone = Extract<ReceivedTransfer, { readonly kind: 'zone' }>

export interface SecondaryRefresherDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly limits?: PrimaryLimits
  /** From 0 to 1. */
  readonly random?: () => number
  /** How often a zone with this SOA is queried, and when it expires without its primary. */
  readonly timesOf: (soa: Soa) => SecondaryTimes
  /**
   * Stores a transfer. @returns false if it does not fit the stored zone. Throws {@link SecondaryRefresherDeps.isUnusable}
   * errors.
   */
  readonly take: (zoneId: string, received: ReceivedZone, isForced: boolean) => Promise<boolean>
  /** Records that the primary has the same serial. */
  readonly confirm: (zoneId: string) => Promise<void>
  /** Stores why an attempt failed. */
  readonly fail: (zoneId: string, problem: string, serial: number | undefined) => Promise<void>
  /** Called when the zone has expired and must not be answered. */
  readonly expire: (zoneId: string) => Promise<void>
  /** Whether an error means that the transfer cannot become a zone. Its message is shown to users. */
  readonly isUnusable: (error: unknown) => error is Error
}

export interface SecondaryTimes {
  readonly refreshSeconds: number
  readonly retrySeconds: number
  readonly expireSeconds: number
}

export interface SecondaryRefresher {
  /** Starts to follow a zone, or changes how; undefined stops it. */
  set(zoneId: string, zone: SecondaryZone | undefined): void
  /** Transfers the whole zone, whatever its serial. */
  force(zoneId: string): void
  /** Handles a notification. @returns whether it came from a primary of the zone. */
  heard(name: Name, address: string, key: TsigKey | undefined): boolean
  /** Milliseconds since 1970 at which a zone expires; undefined if it is not followed or was never transferred. */
  expiresAtMillis(zoneId: string): number | undefined
  close(): Promise<void>
}

/** Zones that are queried at the same time, in all and of one primary, which may be slow. */
export const MAX_RUNS = { all: 64, each: 4 }
/**
 * Transfers at the same time, each of which may hold a whole zone. After `countedMillis` a transfer no longer counts,
 * because it is slow.
 */
const MAX_TRANSFERS = { count: 8, countedMillis: 20_000 }
/**
 * After the start, zones are queried in random order within this time for each of them, and at most within `most`.
 */
const SPREAD_MILLIS = { each: 50, most: 300_000 }
/** The share by which an interval may be shortened at random, so that zones that started together drift apart. */
const JITTER = 0.1
/** Retry interval before the first SOA is known: doubled each time. */
const FIRST_RETRY_SECONDS = { least: 5, most: 3_600 }
/** Shortest time between stored confirmations, because anybody can send notifications. */
const CONFIRM_MILLIS = 10_000
/** Shown if the failure is not the primary's. */
const OUR_FAULT = 'storing the zone failed on this server, not on the primary: see the log of this server'
/** The longest delay that a timer accepts. */
const MAX_TIMER_MILLIS = 0x7fff_ffff

interface Following {
  zone: SecondaryZone
  soa: Soa | undefined
  expiresAtMillis: number
  timer: NodeJS.Timeout | undefined
  expiry: NodeJS.Timeout | undefined
  /** Whether the expiry has been announced. */
  isExpired: boolean
  isRunning: boolean
  /** What was requested while it was running or waiting for its turn. */
  pendingCheck: 'nothing' | 'check' | 'force'
  failures: number
  /** When the last confirmation by the primary was stored. */
  confirmedAtMillis: number
}

export function createSecondaryRefresher(deps: SecondaryRefresherDeps): SecondaryRefresher {
  const { clock, log, limits = PRIMARY_LIMITS, take, confirm, fail, expire, isUnusable, timesOf } = deps
  const { random = Math.random } = deps
  const zones = new Map<string, Following>()
  /** The same by name, because strangers may send any number of notifications. */
  const byName = new Map<Name, Following>()
  const queues = createKeyedQueue(MAX_RUNS, runOne)
  const transfers = new Semaphore(MAX_TRANSFERS.count, MAX_TRANSFERS.countedMillis)
  const running = new Set<Promise<void>>()
  const end = new AbortController()
  // One listener per conversation, one if its predecessor has not ended yet, and one while it waits to transfer.
  setMaxListeners(3 * MAX_RUNS.all, end.signal)

  return { set, force, heard, expiresAtMillis, close }

  function set(zoneId: string, zone: SecondaryZone | undefined): void {
    const known = zones.get(zoneId)
    if (zone === undefined) {
      if (known !== undefined) drop(known)
      return
    }
    const { authority } = zone
    const following: Following = known ?? {
      zone,
      soa: authority?.soa,
      expiresAtMillis: authority?.expiresAtMillis ?? 0, // not read without an SOA
      timer: undefined,
      expiry: undefined,
      isExpired: false,
      isRunning: false,
      pendingCheck: 'nothing',
      failures: 0,
      confirmedAtMillis: -Infinity,
    }
    following.zone = zone
    if (known === undefined) {
      zones.set(zoneId, following)
      byName.set(zone.name, following)
      if (authority !== undefined) watchExpiry(following)
      if (zone.isKnown) {
        const span = Math.min(zones.size * SPREAD_MILLIS.each, SPREAD_MILLIS.most)
        return wake(following, span * random())
      }
    }
    want(following, 'check')
  }

  function wake(following: Following, millis: number): void {
    clearTimeout(following.timer)
    following.timer = setTimeout(() => want(following, 'check'), Math.min(millis, MAX_TIMER_MILLIS)).unref()
  }

  function drop(following: Following): void {
    clearTimeout(following.timer)
    clearTimeout(following.expiry)
    queues.remove(following)
    zones.delete(following.zone.zoneId)
    if (byName.get(following.zone.name) === following) byName.delete(following.zone.name)
  }

  function force(zoneId: string): void {
    const following = zones.get(zoneId)
    if (following !== undefined) want(following, 'force')
  }

  function heard(name: Name, address: string, key: TsigKey | undefined): boolean {
    const following = byName.get(name)
    const isKnown =
      following?.zone.peers.some(
        (peer) =>
          peer.address === address && (key === undefined ? peer.key === undefined : isSameKey(peer.key, key)),
      ) ?? false
    if (following !== undefined && isKnown) want(following, 'check')
    return isKnown
  }

  function expiresAtMillis(zoneId: string): number | undefined {
    const following = zones.get(zoneId)
    return following?.soa && following.expiresAtMillis
  }

  async function close(): Promise<void> {
    end.abort(new TransferFault('the transfer was aborted'))
    for (const following of zones.values()) drop(following)
    await Promise.all(running)
  }

  function want(following: Following, what: 'check' | 'force'): void {
    if (following.pendingCheck !== 'force') following.pendingCheck = what
    clearTimeout(following.timer)
    if (!following.isRunning) wait(following)
  }

  function wait(following: Following): void {
    const [peer] = following.zone.peers
    queues.add(following, peer?.address ?? '') // without a peer, no connection is opened
  }

  async function runOne(following: Following): Promise<void> {
    if (end.signal.aborted) return
    const isForced = following.pendingCheck === 'force'
    following.pendingCheck = 'nothing'
    following.isRunning = true
    const run = follow(following, isForced)
    running.add(run)
    await run
    running.delete(run)
    following.isRunning = false
    if (zones.get(following.zone.zoneId) !== following) return
    if (following.pendingCheck === 'nothing') sleep(following)
    else wait(following)
  }

  function sleep(following: Following): void {
    const { soa, zone, failures } = following
    const times = soa && timesOf(soa)
    const seconds =
      times === undefined
        ? backoffMillis(failures + 1, FIRST_RETRY_SECONDS.least, FIRST_RETRY_SECONDS.most)
        : failures > 0
          ? times.retrySeconds
          : Math.min(times.refreshSeconds, zone.autoRefreshSeconds)
    wake(following, seconds * 1_000 * (1 - JITTER * random()))
  }

  function watchExpiry(following: Following): void {
    clearTimeout(following.expiry)
    const left = following.expiresAtMillis - clock.now()
    if (left <= 0) return
    following.expiry = setTimeout(
      () => {
        if (!expireIfOver(following)) watchExpiry(following)
      },
      Math.min(Math.max(left, 100), MAX_TIMER_MILLIS),
    ).unref()
  }

  /** Also called after a failure, because timers stop while a machine sleeps. @returns whether it has expired. */
  function expireIfOver(following: Following): boolean {
    const { zoneId } = following.zone
    if (following.soa === undefined || clock.now() < following.expiresAtMillis) return false
    if (following.isExpired) return true
    following.isExpired = true
    clearTimeout(following.expiry)
    log.warn({ zoneId }, 'zone expired')
    expire(zoneId).catch((error: unknown) => log.error({ err: error, zoneId }, 'expiry not announced'))
    return true
  }

  /** Tries one primary after the other until one succeeds. Never rejects: the failure is stored. */
  async function follow(following: Following, isForced: boolean): Promise<void> {
    const { zoneId, peers } = following.zone
    const problems: string[] = []
    const seen: { serial?: number } = {}
    try {
      for (const peer of peers) {
        const problem = await followOne(following, { peer, isForced, seen })
        if (problem === undefined) {
          following.failures = 0
          return
        }
        log.warn({ zoneId, peer: peer.id, address: peer.address, problem }, 'zone not transferred')
        problems.push(peers.length === 1 ? problem : `${peer.address}: ${problem}`)
      }
      following.failures += 1
      if (end.signal.aborted) return
      await fail(zoneId, problems.join('; '), seen.serial)
      expireIfOver(following)
    } catch (error) {
      following.failures += 1
      log.error({ err: error, zoneId }, 'zone transfer failed')
      if (end.signal.aborted) return
      // If storing is what failed, this may fail too; then the problem is reported from memory.
      await fail(zoneId, OUR_FAULT, seen.serial).catch((again: unknown) =>
        log.error({ err: again, zoneId }, 'problem of a zone not stored'),
      )
      expireIfOver(following)
    }
  }

  interface Attempt {
    readonly peer: Primary
    readonly isForced: boolean
    readonly seen: { serial?: number }
  }

  interface Talking {
    readonly conversation: Conversation
    /** Opens another conversation with the same primary. */
    readonly open: () => Conversation
  }

  /** @returns the problem; undefined if the zone now equals the primary's. */
  async function followOne(following: Following, attempt: Attempt): Promise<string | undefined> {
    const { peer } = attempt
    const open = (): Conversation =>
      converse({ peer, apex: following.zone.name, clock, limits, signal: end.signal })
    try {
      return await inConversation(open(), (conversation) => talk(following, attempt, { conversation, open }))
    } catch (error) {
      const problem = reportedProblem(error)
      if (problem === undefined) throw error
      return problem
    }
  }

  function reportedProblem(error: unknown): string | undefined {
    if (error instanceof TransferFault || isUnusable(error)) return error.message
    if (error instanceof WireError) return `the answer is malformed: ${error.message}`
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return typeof code === 'string' && /^E[A-Z]+$/.test(code)
      ? `no connection to the primary: ${code}`
      : undefined
  }

  async function talk(
    following: Following,
    attempt: Attempt,
    { conversation, open }: Talking,
  ): Promise<string | undefined> {
    const { isForced, seen } = attempt
    const { zoneId } = following.zone
    const ours = following.soa?.serial
    const theirs = await conversation.serial()
    seen.serial = theirs
    if (!isForced && ours !== undefined) {
      if (theirs === ours) {
        if (isConfirmDue(following)) {
          await confirm(zoneId)
          following.confirmedAtMillis = clock.now()
        }
        heardOf(following, following.soa)
        return undefined
      }
      if (!serialAfter(theirs, ours))
        return `the serial of the primary, ${theirs}, is behind ours, ${ours}: it is not transferred unless ${following.zone.forcedBy} requests it`
    }
    const slot = transfers.tryAcquire()
    if (slot !== undefined) return transferIn(slot, conversation)
    // Not kept open while waiting: the primary may close an idle connection.
    conversation.close()
    const later = await transfers.acquire(end.signal)
    return inConversation(open(), (fresh) => transferIn(later, fresh))

    async function transferIn(release: Release, from: Conversation): Promise<string | undefined> {
      try {
        return await transfer(following, attempt, { conversation: from, open })
      } finally {
        release()
      }
    }
  }

  /** A confirmation that ends a failure is stored at once. */
  function isConfirmDue({ confirmedAtMillis, failures, isExpired }: Following): boolean {
    const sinceMillis = clock.now() - confirmedAtMillis
    return failures > 0 || isExpired || sinceMillis < 0 || sinceMillis >= CONFIRM_MILLIS
  }

  async function transfer(
    following: Following,
    { peer, isForced }: Attempt,
    { conversation, open }: Talking,
  ): Promise<string | undefined> {
    const ours = following.soa?.serial
    if (peer.ixfrEnabled && !isForced && ours !== undefined) {
      const done = await tryDifference(following, ours, conversation)
      if (done) return undefined
      return inConversation(open(), (fresh) => takeWhole(following, fresh, isForced))
    }
    return takeWhole(following, conversation, isForced)
  }

  /** If a difference fails for any reason, the whole zone may still be valid. */
  async function tryDifference(following: Following, ours: number, from: Conversation): Promise<boolean> {
    const { zoneId } = following.zone
    try {
      const received = await from.transfer(ours)
      if (received.kind !== 'zone') return false
      // The primary may answer with the whole zone.
      await verifyDigest(following.zone.name, received)
      if (changesDigest(following.zone.name, received.contents))
        log.info({ zoneId }, 'difference not taken: the digest needs the whole zone')
      else if (await store(following, received, false)) return true
    } catch (error) {
      const problem = reportedProblem(error)
      if (problem === undefined) throw error
      log.info({ zoneId, problem }, 'difference not taken')
    }
    return false
  }

  async function takeWhole(
    following: Following,
    from: Conversation,
    isForced: boolean,
  ): Promise<string | undefined> {
    const received = await from.transfer(undefined)
    if (received.kind !== 'zone') return 'the primary sent no zone'
    await verifyDigest(following.zone.name, received)
    return (await store(following, received, isForced))
      ? undefined
      : 'the transferred zone is not newer than the stored one'
  }

  async function store(following: Following, received: ReceivedZone, isForced: boolean): Promise<boolean> {
    const { zoneId } = following.zone
    if (!(await take(zoneId, received, isForced))) return false
    heardOf(following, received.soa)
    const form = received.contents.kind
    log.info({ zoneId, serial: received.soa.serial, form }, 'zone transferred')
    return true
  }

  function heardOf(following: Following, soa: Soa | undefined): void {
    if (soa === undefined || zones.get(following.zone.zoneId) !== following) return
    following.soa = soa
    following.expiresAtMillis = clock.now() + timesOf(soa).expireSeconds * 1_000
    following.isExpired = false
    watchExpiry(following)
  }
}

async function inConversation<Result>(
  conversation: Conversation,
  work: (conversation: Conversation) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(conversation)
  } finally {
    conversation.close()
  }
}
