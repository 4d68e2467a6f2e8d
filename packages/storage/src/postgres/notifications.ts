// Notifications between nodes: those that this one sends after its commits, and those that it waits for.
import type { Log } from '@zonereeve/platform'
import { isNotPermitted, isUnsupported } from './failures.ts'
import type { Lease } from './lease.ts'
import { type ListenDeps, type Listener, NOT_PERMITTED_MILLIS } from './listen.ts'

/** Notifications are sent at most so often: each holds up other commits. */
const NOTIFY_MILLIS = 5

export interface NotificationsDeps {
  readonly lease: Pick<Lease, 'notify'>
  readonly log: Log
  /** Listens for notifications; undefined: the node has to look for changes by itself. */
  readonly listen: ((deps: Omit<ListenDeps, 'url'>) => Listener) | undefined
}

export function createNotifications({ lease, log, listen }: NotificationsDeps) {
  const { notify } = lease
  let canNotify = listen !== undefined
  let notBefore = 0
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let isClosed = false
  let listener: Listener | undefined
  return {
    /** Calls `wake` when another node has committed, if the database can tell. */
    onWake(wake: () => void): void {
      listener = listen?.({ wake, notify, noteMissing })
    },
    /** Wakes the other nodes, soon. */
    send(): void {
      if (!canNotify || performance.now() < notBefore) return
      if (timer === undefined) sendSoon()
      else isDue = true
    },
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await listener?.close()
    },
  }

  /** One at a time: a database that hangs must not find many of them when it goes on. */
  function sendSoon(): void {
    timer = setTimeout(() => {
      isDue = false
      notify()
        .catch((failure: unknown) => {
          // The others look by themselves.
          if (isUnsupported(failure)) canNotify = false
          if (isNotPermitted(failure)) notBefore = performance.now() + NOT_PERMITTED_MILLIS
        })
        .finally(() => {
          timer = undefined
          if (isDue && !isClosed) sendSoon()
        })
    }, NOTIFY_MILLIS)
  }

  function noteMissing(problem: string): void {
    log.warn({ problem, remedy: 'listen=off' }, 'no notifications of the database: changes are looked for')
  }
}
