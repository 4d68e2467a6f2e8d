// Timed work: again and again, never twice at the same time; a failure is told and does not end it.
import type { Log } from '../platform/log.ts'

export interface RepeatedWork {
  /** Names it in the log. */
  readonly name: string
  readonly everyMillis: number
  readonly run: () => Promise<unknown>
}

export interface Repetition {
  /** No run begins after this; resolves when the one under way has ended. */
  stop(): Promise<void>
}

/** Runs the work at once, and then in intervals from the end of each run. */
export function repeat({ name, everyMillis, run }: RepeatedWork, log: Log): Repetition {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let underway = work()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await underway
    },
  }

  async function work(): Promise<void> {
    try {
      await run()
    } catch (error) {
      log.error({ err: error, job: name }, 'job failed')
    }
    if (stopped) return
    timer = setTimeout(() => {
      underway = work()
    }, everyMillis)
    // The process may end although there is something left to do every hour.
    timer.unref()
  }
}
