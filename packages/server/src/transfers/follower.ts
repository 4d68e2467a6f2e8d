// Keeps zones in step with their primaries (RFC 1034 §4.3.5, RFC 1996): asks at the times that the SOA says and when one of
// them notifies us, takes what is newer, and stays with what there is when anything about that is wrong.
import { setMaxListeners } from 'node:events'
import { serialAfter, WireError, type Name, type Soa, type TsigKey } from '@zonereeve/dns'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { TransferFault, type ReceivedTransfer } from './incoming-answer.ts'
import { createLanes } from './lanes.ts'
import { isSameKey, type TransferPeer } from './policy.ts'
import { converse, PRIMARY_LIMITS, type Conversation, type PrimaryLimits } from './primary.ts'
import { createSlots, type Release } from './slots.ts'

export interface Primary extends TransferPeer {
  readonly ixfrEnabled: boolean
}

/** A zone that follows others, and how it stands with it. */
export interface FollowedZone {
  readonly zoneId: string
  readonly name: Name
  readonly peers: readonly Primary[]
  readonly autoRefreshSeconds: number
  /** Whether it was followed before the program started: such zones come all at once, and need not be asked about so. */
  readonly isKnown: boolean
  /** Undefined before the first transfer. */
  readonly authority: { readonly soa: Soa; readonly expiresAtMillis: number } | undefined
}

type ReceivedZone = Extract<ReceivedTransfer, { readonly kind: 'zone' }>

export interface FollowerDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly limits?: PrimaryLimits
  /** From 0 to 1. */
  readonly random?: () => number
  /** How often a zone with this SOA is asked for, and how long it lives without its primary. */
  readonly timesOf: (soa: Soa) => FollowedTimes
  /** Stores a transfer. @returns false where it does not fit what there is. Throws {@link FollowerDeps.isUnusable} errors. */
  readonly take: (zoneId: string, received: ReceivedZone, isForced: boolean) => Promise<boolean>
  /** The primary has what we have. */
  readonly confirm: (zoneId: string) => Promise<void>
  /** Keeps why an attempt came to nothing. */
  readonly fail: (zoneId: string, problem: string, serial: number | undefined) => Promise<void>
  /** The zone is too old to be answered. */
  readonly expire: (zoneId: string) => Promise<void>
  /** Whether an error says that what was sent cannot become a zone: its message is told. */
  readonly isUnusable: (error: unknown) => error is Error
}

export interface FollowedTimes {
  readonly refreshSeconds: number
  readonly retrySeconds: number
  readonly expireSeconds: number
}

export interface Follower {
  /** Begins to follow, or follows otherwise; undefined: nobody any more. */
  set(zoneId: string, zone: FollowedZone | undefined): void
  /** Takes the whole zone, whatever its serial. */
  force(zoneId: string): void
  /** A notification. @returns whether it came from a primary of the zone. */
  heard(name: Name, address: string, key: TsigKey | undefined): boolean
  /** Milliseconds since 1970 at which a zone is too old; undefined of one that nobody follows, or that never came. */
  expiresAtMillis(zoneId: string): number | undefined
  close(): Promise<void>
}

/** Zones that are asked about at the same time, and of them those of one primary, which may keep us waiting. */
export const MAX_RUNS = { all: 64, each: 4 }
/** Transfers at the same time, each of which may hold a whole zone; one that takes longer counts no more, for it is slow. */
const MAX_TRANSFERS = { count: 8, countedMillis: 20_000 }
/** After the start, zones are asked for within so much time for each of them, in any order, and at the latest after this. */
const SPREAD_MILLIS = { each: 50, most: 300_000 }
/** The part of a time by which it may be shorter, so that what began together does not stay together. */
const JITTER = 0.1
/** As long as there is no SOA that says more: doubled each time. */
const FIRST_RETRY_SECONDS = { least: 5, most: 3_600 }
/** That a primary has nothing new is stored at most so often: notifications cost strangers nothing. */
const CONFIRM_MILLIS = 10_000
/** What is told where the primary is not to blame. */
const OUR_FAULT = 'taking it failed here, not at the primary: the log of this server says why'
/** The longest time that a timer takes. */
const MAX_TIMER_MILLIS = 0x7fff_ffff

interface Following {
  zone: FollowedZone
  soa: Soa | undefined
  expiresAtMillis: number
  timer: NodeJS.Timeout | undefined
  expiry: NodeJS.Timeout | undefined
  /** Whether that has been announced. */
  isExpired: boolean
  isRunning: boolean
  /** What has been asked for while it ran or waited for its turn. */
  wanted: 'nothing' | 'check' | 'force'
  failures: number
  /** When the primary was last stored to have what we have. */
  confirmedAtMillis: number
}

export function createFollower(deps: FollowerDeps): Follower {
  const { clock, log, limits = PRIMARY_LIMITS, take, confirm, fail, expire, isUnusable, timesOf } = deps
  const { random = Math.random } = deps
  const zones = new Map<string, Following>()
  /** The same by name: strangers may send as many notifications as they like. */
  const byName = new Map<Name, Following>()
  const lanes = createLanes(MAX_RUNS, runOne)
  const transfers = createSlots(MAX_TRANSFERS.count, MAX_TRANSFERS.countedMillis)
  const running = new Set<Promise<void>>()
  const end = new AbortController()
  // One listener for each conversation, a second one where the first is not over yet, and one while it waits to transfer.
  setMaxListeners(3 * MAX_RUNS.all, end.signal)

  return { set, force, heard, expiresAtMillis, close }

  function set(zoneId: string, zone: FollowedZone | undefined): void {
    const known = zones.get(zoneId)
    if (zone === undefined) {
      if (known !== undefined) drop(known)
      return
    }
    const { authority } = zone
    const following: Following = known ?? {
      zone,
      soa: authority?.soa,
      expiresAtMillis: authority?.expiresAtMillis ?? 0,
      timer: undefined,
      expiry: undefined,
      isExpired: false,
      isRunning: false,
      wanted: 'nothing',
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
    lanes.remove(following)
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
    end.abort(new TransferFault('it was given up'))
    for (const following of zones.values()) drop(following)
    await Promise.all(running)
  }

  function want(following: Following, what: 'check' | 'force'): void {
    if (following.wanted !== 'force') following.wanted = what
    clearTimeout(following.timer)
    if (!following.isRunning) wait(following)
  }

  function wait(following: Following): void {
    lanes.add(following, following.zone.peers[0]?.address ?? '')
  }

  async function runOne(following: Following): Promise<void> {
    if (end.signal.aborted) return
    const isForced = following.wanted === 'force'
    following.wanted = 'nothing'
    following.isRunning = true
    const run = follow(following, isForced)
    running.add(run)
    await run
    running.delete(run)
    following.isRunning = false
    if (zones.get(following.zone.zoneId) !== following) return
    if (following.wanted === 'nothing') sleep(following)
    else wait(following)
  }

  function sleep(following: Following): void {
    const { soa, zone, failures } = following
    const times = soa && timesOf(soa)
    const seconds =
      times === undefined
        ? within(FIRST_RETRY_SECONDS, FIRST_RETRY_SECONDS.least * 2 ** Math.min(failures, 20))
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

  /** Timers do not run while a machine sleeps: it is looked at after a failure, too. @returns whether its time is up. */
  function expireIfOver(following: Following): boolean {
    const { zoneId } = following.zone
    if (following.soa === undefined || clock.now() < following.expiresAtMillis) return false
    if (following.isExpired) return true
    following.isExpired = true
    clearTimeout(following.expiry)
    log.warn({ zoneId }, 'zone expired')
    expire(zoneId).catch((error: unknown) => log.error({ error, zoneId }, 'expiry not announced'))
    return true
  }

  /** Asks one primary after the other until one has been heard. Never fails: what went wrong is kept. */
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
      log.error({ error, zoneId }, 'zone transfer failed')
      if (end.signal.aborted) return
      // Where storing is what failed, this may fail as well; then it is told from memory.
      await fail(zoneId, OUR_FAULT, seen.serial).catch((again: unknown) =>
        log.error({ error: again, zoneId }, 'problem of a zone not stored'),
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
    /** Another with the same primary. */
    readonly open: () => Conversation
  }

  /** @returns what is wrong; undefined when the zone is now as the primary has it. */
  async function followOne(following: Following, attempt: Attempt): Promise<string | undefined> {
    const { peer } = attempt
    const open = (): Conversation =>
      converse({ peer, apex: following.zone.name, clock, limits, signal: end.signal })
    try {
      return await inConversation(open(), (conversation) => talk(following, attempt, { conversation, open }))
    } catch (error) {
      const told = toldProblem(error)
      if (told === undefined) throw error
      return told
    }
  }

  function toldProblem(error: unknown): string | undefined {
    if (error instanceof TransferFault || isUnusable(error)) return error.message
    if (error instanceof WireError) return `what was sent is malformed: ${error.message}`
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
        return `the serial of the primary, ${theirs}, is behind ours, ${ours}: it is not followed unless force_axfr asks for it`
    }
    const slot = transfers.tryTake()
    if (slot !== undefined) return transferIn(slot, conversation)
    // Not kept open until it is our turn: the primary may end a connection over which nothing is asked.
    conversation.close()
    const later = await transfers.take(end.signal)
    return inConversation(open(), (fresh) => transferIn(later, fresh))

    async function transferIn(release: Release, from: Conversation): Promise<string | undefined> {
      try {
        return await transfer(following, attempt, { conversation: from, open })
      } finally {
        release()
      }
    }
  }

  /** What was wrong before is over, too: that is stored at once. */
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

  /** Whatever is wrong with a difference, the whole zone may be right. */
  async function tryDifference(following: Following, ours: number, from: Conversation): Promise<boolean> {
    const { zoneId } = following.zone
    try {
      const received = await from.transfer(ours)
      if (received.kind === 'zone' && (await store(following, received, false))) return true
    } catch (error) {
      const problem = toldProblem(error)
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
    return (await store(following, received, isForced))
      ? undefined
      : 'what was sent is not newer than what is here'
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

const within = ({ least, most }: { readonly least: number; readonly most: number }, value: number): number =>
  Math.min(Math.max(value, least), most)
