// How far this node is in the change log: changes of other nodes are read in the order of their positions, and those of
// this node are counted. Whoever needs a change waits for its position.
import type { Log } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import type { EventHub } from './events.ts'
import { followLog } from './follow-log.ts'

/** A node that is not notified sees changes so often. */
export const POLL_MILLIS = 50

export interface LogFollowerDeps {
  readonly storage: Reader
  readonly hub: Pick<EventHub, 'follow'>
  readonly log: Log
  /** What is in memory already: the position before it was read. */
  readonly position: number
}

interface Waiting {
  readonly position: number
  readonly resolve: (isReached: boolean) => void
}

export type LogFollower = ReturnType<typeof createLogFollower>

export function createLogFollower({ storage, hub, log, position }: LogFollowerDeps) {
  let reached = position
  let waiting: readonly Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined
  let isWoken = false
  let isFollowing = false
  let isFailing = false
  return {
    /** The last position of the log that this node has applied. */
    reached: () => reached,
    reach,
    /** Follows the log from now on. */
    start(): void {
      isFollowing = true
      wake()
    },
    /** Looks for changes now. */
    wake,
    /** Resolves when all that is in the log is applied. @throws DomainError: the database does not answer */
    async catchUp(): Promise<void> {
      await stop()
      await followLog(storage, hub, reached, reach)
    },
    stop,
    waitFor,
    /** Runs this while no change is being applied; does nothing if the log is not followed. */
    async betweenChanges(work: () => Promise<void>): Promise<void> {
      while (reading !== undefined) await reading
      if (!isFollowing) return
      clearTimeout(timer)
      const working = work()
      reading = working
        .catch(() => {}) // reported to the caller
        .finally(() => {
          reading = undefined
          if (isFollowing) wake()
        })
      await working
    },
  }

  function reach(to: number): void {
    if (to <= reached) return
    reached = to
    const done = waiting.filter((one) => one.position <= to)
    if (done.length === 0) return
    waiting = waiting.filter((one) => one.position > to)
    for (const { resolve } of done) resolve(true)
  }

  /** @returns whether the position was reached in this time. */
  function waitFor(to: number, withinMillis: number): Promise<boolean> {
    if (to <= reached) return Promise.resolve(true)
    const reachedInTime = new Promise<boolean>((resolve) => {
      const one: Waiting = {
        position: to,
        resolve(isReached) {
          clearTimeout(deadline)
          resolve(isReached)
        },
      }
      const deadline = setTimeout(() => {
        waiting = waiting.filter((other) => other !== one)
        resolve(false)
      }, withinMillis)
      waiting = [...waiting, one]
    })
    wake()
    return reachedInTime
  }

  async function stop(): Promise<void> {
    isFollowing = false
    clearTimeout(timer)
    await reading
  }

  function wake(): void {
    isWoken = true
    if (!isFollowing || reading !== undefined) return
    clearTimeout(timer)
    reading = read().finally(() => {
      reading = undefined
      if (isFollowing) timer = setTimeout(wake, POLL_MILLIS)
    })
  }

  async function read(): Promise<void> {
    while (isWoken && isFollowing) {
      isWoken = false
      try {
        await followLog(storage, hub, reached, reach)
        if (isFailing) log.info({}, 'changes of other nodes are read again')
        isFailing = false
      } catch (failure) {
        if (!isFailing) log.warn({ err: failure }, 'changes of other nodes not read')
        isFailing = true
        return
      }
    }
  }
}
