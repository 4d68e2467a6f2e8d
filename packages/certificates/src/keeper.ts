// Keeps certificates: orders each when it is missing or two thirds of its life are over, one at a time. An order without
// success is repeated after a growing pause, and what was there before stays.
import { mkdirSync } from 'node:fs'
import { pauseMillis, saveAttempts, type Attempts } from './attempts.ts'
import type { AuthoritySettings, OrderOptions } from './authority.ts'
import { createKnownCertificates, type KeptCertificate } from './known-certificates.ts'
import { createRemoval } from './left-challenges.ts'
import { createPendingChallenges, type Challenge } from './pending-challenges.ts'
import { describe } from './problem.ts'
import {
  certificatePath,
  readCertificate,
  requireReplaceable,
  storeCertificate,
  type StoredCertificate,
} from './stored-certificate.ts'

/** Where challenges are published: TXT records at `_acme-challenge.NAME`. Both may be repeated. */
export interface Challenges {
  /** Resolves when our nameserver answers it. @throws Error naming what is wrong with the name. */
  publish(challenge: Challenge): Promise<void>
  /** @returns refused: it never will be, and is given up. @throws Error if it may be later. */
  remove(challenge: Challenge): Promise<'removed' | 'refused'>
}

export interface KeeperOptions {
  readonly folder: string
  /** Names of each certificate, the first of which names its file. */
  readonly orders: () => readonly (readonly string[])[]
  readonly authority: AuthoritySettings
  readonly challenges: Challenges
  readonly log: KeeperLog
  /** Called after each certificate that was stored. */
  readonly onIssued: () => void | Promise<void>
  readonly now?: () => number
  /** 0 to 1. */
  readonly random?: () => number
  /** Replaced in tests of the schedule. */
  readonly order?: (authority: AuthoritySettings, folder: string, options: OrderOptions) => Promise<string>
  readonly lookMillis?: number
}

export interface KeeperLog {
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
}

export type Keeper = ReturnType<typeof createKeeper>

const LOOK_MILLIS = 30_000
/** Of an attempt that is saved before its order. */
const NO_RESULT = 'it has no result: it is in progress, or the program ended in it'

export function createKeeper({
  folder,
  orders,
  authority,
  challenges,
  log,
  onIssued,
  now = Date.now,
  random = Math.random,
  order = orderLater,
  lookMillis = LOOK_MILLIS,
}: KeeperOptions) {
  // One that exists is the operator's: its rights stay.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pending = createPendingChallenges(folder)
  const removeLeft = createRemoval({ pending, remove: challenges.remove, log, now, random })
  const known = createKnownCertificates(folder, authority, now)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    /** Looks now, and then every half minute. */
    start(): void {
      // Before the first order, which may come weeks later: an update may have replaced the program's files by then.
      loadAuthority().catch((error: unknown) =>
        log.warn({ problem: describe(error) }, 'ACME client not loaded'),
      )
      void check()
      timer = setInterval(() => void check(), lookMillis).unref()
    },
    check,
    /** Looks now, and does not wait for the pause after a failure. Never rejects. */
    retry: async (): Promise<void> => {
      try {
        for (const names of orders()) known.forget(certificatePath(folder, names))
      } catch (error) {
        log.warn({ problem: describe(error) }, 'failed orders not forgotten')
      }
      await check()
    },
    /** As the last look found them, without those that were not looked at yet. */
    states: (): readonly KeptCertificate[] => orders().flatMap((names) => known.stateOf(names) ?? []), // not looked at
    /** Ends an order in progress; its challenges are removed now, or after the next start. */
    async close(): Promise<void> {
      clearInterval(timer)
      stopping.abort(new Error('the program ends'))
      await running
    },
  }

  /** Never rejects. One at a time: who looks meanwhile waits for the look in progress. */
  function check(): Promise<void> {
    running ??= checkAll().finally(() => (running = undefined))
    return running
  }

  async function checkAll(): Promise<void> {
    try {
      await removeLeft()
      const lists = orders()
      known.retain(lists)
      for (const names of lists) {
        if (stopping.signal.aborted) return
        await known.refresh(names)
      }
      for (const names of lists) {
        if (!isDue(names)) continue
        // Orders before it may have taken minutes.
        await known.refresh(names)
        if (stopping.signal.aborted) return
        if (isDue(names)) await issue(names)
      }
    } catch (error) {
      log.warn({ problem: describe(error) }, 'certificates not checked')
    }
  }

  function isDue(names: readonly string[]): boolean {
    return (known.stateOf(names)?.nextMillis ?? 0) <= now() // looked at just now
  }

  async function issue(names: readonly string[]): Promise<void> {
    const path = certificatePath(folder, names)
    const before = known.attemptsOf(path)
    const attempt = nextAttempt(names, before)
    const { signal } = stopping
    try {
      requireReplaceable(path)
      // Without it, a program that dies in the order would ask again at each start.
      saveAttempts(path, attempt)
      const pem = await withSignal(signal, (own) => order(authority, folder, { names, publish, signal: own }))
      const { endsMillis, renewMillis } = requireNames(pem, names)
      storeCertificate(path, pem)
      await onIssued()
      if (renewMillis <= now())
        throw new Error(
          `the new certificate is due already: it ends at ${timeOf(endsMillis)}; is the clock right?`,
        )
      known.forget(path)
      await known.refresh(names)
      log.info({ names, path, ends: timeOf(endsMillis) }, 'certificate issued')
    } catch (error) {
      if (signal.aborted) restoreAttempts(path, before)
      else await noteFailure(names, { ...attempt, problem: describe(error) })
    } finally {
      await removeLeft()
    }
  }

  function nextAttempt(names: readonly string[], before: Attempts | undefined): Attempts {
    const failures = (before?.failures ?? 0) + 1 // none before
    const nextMillis = now() + pauseMillis(failures, random())
    return { failures, problem: NO_RESULT, nextMillis, settings: known.settingsOf(names) }
  }

  async function noteFailure(names: readonly string[], attempt: Attempts): Promise<void> {
    const { failures, problem } = attempt
    // The pause is that after the end of the order.
    const nextMillis = now() + pauseMillis(failures, random())
    const path = certificatePath(folder, names)
    unlessItFails(() => saveAttempts(path, { ...attempt, nextMillis }))
    await known.setAttempts(names, { ...attempt, nextMillis })
    const ends = timeOf(known.stateOf(names)?.endsMillis)
    log.warn({ names, problem, failures, next: timeOf(nextMillis), ends }, 'certificate not issued')
  }

  /** The end of the program is no failure. */
  function restoreAttempts(path: string, before: Attempts | undefined): void {
    unlessItFails(() => (before === undefined ? known.forget(path) : saveAttempts(path, before)))
  }

  async function publish(challenge: Challenge): Promise<void> {
    pending.add(challenge)
    await challenges.publish(challenge)
  }
}

/** @throws Error if it lacks one of them. */
function requireNames(pem: string, names: readonly string[]): StoredCertificate {
  const read = readCertificate(pem, names)
  if (read === undefined)
    throw new Error(`the new certificate is not one of an authority for all of ${names.join()}`)
  return read
}

/** What was saved before the order stays then, and delays the next one, too. */
function unlessItFails(save: () => void): void {
  try {
    save()
  } catch {
    // The failure of the order is logged; a full disk was the reason of both.
  }
}

/** The client of the protocol is large: only programs that keep certificates load it. */
const loadAuthority = () => import('./authority.ts')

async function orderLater(...given: Parameters<NonNullable<KeeperOptions['order']>>): Promise<string> {
  const { orderCertificate } = await loadAuthority()
  return orderCertificate(...given)
}

/** @param work gets a signal of its own, so that nothing of it stays with the keeper's. */
async function withSignal<Result>(
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController()
  let stop = (): void => undefined
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => {
      own.abort(stopping.reason)
      reject(stopping.reason as Error) // given in close()
    }
  })
  stopped.catch(() => undefined) // the work may be faster
  stopping.addEventListener('abort', stop)
  const working = work(own.signal)
  working.catch(() => undefined) // once it is stopped, its failure is not used
  try {
    return await Promise.race([working, stopped])
  } finally {
    stopping.removeEventListener('abort', stop)
  }
}

const timeOf = (millis: number | undefined): string | undefined =>
  millis === undefined ? undefined : new Date(millis).toISOString()
