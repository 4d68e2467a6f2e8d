// Keeps certificates: orders each when it is missing or two thirds of its life are over, one at a time. A failure is
// repeated after a growing pause, and what was there before stays.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { backoffMillis } from '@zonereeve/cooperate'
import { forgetAttempts, readAttempts, saveAttempts, type Attempts } from './attempts.ts'
import type { AuthoritySettings, OrderOptions } from './authority.ts'
import { createPendingChallenges, type Challenge } from './pending-challenges.ts'
import { replaceFile } from './private-file.ts'
import { certificatePath, readStored } from './stored-certificate.ts'

/** Where challenges are published: TXT records at `_acme-challenge.NAME`. Both may be repeated. */
export interface Challenges {
  /** Resolves when our nameserver answers it. @throws Error naming what is wrong with the name. */
  publish(challenge: Challenge): Promise<void>
  remove(challenge: Challenge): Promise<void>
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

export interface KeptCertificate {
  readonly names: readonly string[]
  readonly path: string
  /** undefined: there is none yet. */
  readonly endsMillis: number | undefined
  /** When the next order is due. */
  readonly nextMillis: number
  readonly failures: number
  /** Why the last order failed; undefined: it did not. */
  readonly problem: string | undefined
}

export type Keeper = ReturnType<typeof createKeeper>

const LOOK_MILLIS = 30_000
const FIRST_PAUSE_MILLIS = 60_000
const LONGEST_PAUSE_MILLIS = 86_400_000
/** Part of a pause by which it may be longer. */
const PAUSE_SPREAD = 0.2

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
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const pending = createPendingChallenges(folder)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    /** Looks now, and then every half minute. */
    start(): void {
      void check()
      timer = setInterval(() => void check(), lookMillis).unref()
    },
    check,
    /** Looks now, and does not wait for the pause after a failure. */
    retry: (): Promise<void> => {
      for (const names of orders()) forgetAttempts(certificatePath(folder, names))
      return check()
    },
    states: (): readonly KeptCertificate[] => orders().map(stateOf),
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
      for (const names of orders()) {
        if (stopping.signal.aborted) return
        if (stateOf(names).nextMillis <= now()) await issue(names)
      }
    } catch (error) {
      log.warn({ problem: describe(error) }, 'certificates not checked')
    }
  }

  function stateOf(names: readonly string[]): KeptCertificate {
    const path = certificatePath(folder, names)
    const stored = readStored(path, names)
    const attempts = validAttempts(path, names)
    return {
      names,
      path,
      endsMillis: stored?.endsMillis,
      nextMillis: Math.max(stored?.renewMillis ?? 0, attempts?.nextMillis ?? 0), // at once: there is none, nothing failed
      failures: attempts?.failures ?? 0, // none failed
      problem: attempts?.problem,
    }
  }

  /** With other settings, or after the clock was set back, failures do not delay the next attempt. */
  function validAttempts(path: string, names: readonly string[]): Attempts | undefined {
    const found = readAttempts(path)
    const latest = now() + LONGEST_PAUSE_MILLIS * (1 + PAUSE_SPREAD)
    return found?.settings === settingsOf(names) && found.nextMillis <= latest ? found : undefined
  }

  function settingsOf(names: readonly string[]): string {
    return createHash('sha256')
      .update(JSON.stringify([authority, names]))
      .digest('hex')
  }

  async function issue(names: readonly string[]): Promise<void> {
    const { path, failures, endsMillis } = stateOf(names)
    const { signal } = stopping
    try {
      const pem = await withSignal(signal, (own) => order(authority, folder, { names, publish, signal: own }))
      replaceFile(path, pem)
      forgetAttempts(path)
      const stored = readStored(path, names)
      log.info({ names, path, ends: timeOf(stored?.endsMillis) }, 'certificate issued')
      await onIssued()
    } catch (error) {
      if (signal.aborted) return
      const count = failures + 1
      const pause =
        backoffMillis(count, FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS) * (1 + PAUSE_SPREAD * random())
      const problem = describe(error)
      const nextMillis = Math.round(now() + pause)
      saveAttempts(path, { failures: count, problem, nextMillis, settings: settingsOf(names) })
      const fields = { names, problem, failures: count, next: timeOf(nextMillis), ends: timeOf(endsMillis) }
      log.warn(fields, 'certificate not issued')
    } finally {
      await removeLeft()
    }
  }

  async function publish(challenge: Challenge): Promise<void> {
    pending.add(challenge)
    await challenges.publish(challenge)
  }

  /** What cannot be removed is removed at the next look. */
  async function removeLeft(): Promise<void> {
    for (const challenge of pending.all()) {
      try {
        await challenges.remove(challenge)
        pending.remove(challenge)
      } catch (error) {
        log.warn({ name: challenge.name, problem: describe(error) }, 'challenge not removed')
      }
    }
  }
}

/** The client of the protocol is large: it is loaded for the first order. */
async function orderLater(...given: Parameters<NonNullable<KeeperOptions['order']>>): Promise<string> {
  const { orderCertificate } = await import('./authority.ts')
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
  working.catch(() => undefined) // once it is stopped, nobody waits for it
  try {
    return await Promise.race([working, stopped])
  } finally {
    stopping.removeEventListener('abort', stop)
  }
}

const timeOf = (millis: number | undefined): string | undefined =>
  millis === undefined ? undefined : new Date(millis).toISOString()

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // Some have only a code: all addresses of a name failed.
  const message = error.message === '' && 'code' in error ? String(error.code) : error.message
  return error.cause instanceof Error && error.cause.message !== '' && !message.includes(error.cause.message)
    ? `${message}: ${error.cause.message}`
    : message
}
