// Repeats jobs at intervals, each never concurrently; failures are logged and do not stop them.
import { backoffMillis } from '@zonereeve/cooperate'
import { createFailureNotes, type Log } from '@zonereeve/platform'

/** A frequent job that fails is repeated less and less often, up to this. */
const FAILED_MILLIS = 5_000

export interface Job {
  /** Names it in the log. */
  readonly name: string
  /** From the end of one run to the beginning of the next, in milliseconds. */
  readonly every: number
  /** A long run ends soon after the signal. */
  readonly run: (signal: AbortSignal) => unknown
  /** Resolves when work that a run started without waiting for it has ended. */
  readonly waitUntilDone?: () => Promise<void>
}

export interface Jobs {
  /** Starts no further run; resolves when the current ones have ended. */
  stop(): Promise<void>
}

/** Called after each run. */
export type ObserveJob = (name: string, outcome: 'done' | 'failed', seconds: number) => void

/** Runs each job immediately, then again an interval after the end of each run. */
export function startJobs(jobs: readonly Job[], log: Log, observe: ObserveJob = () => {}): Jobs {
  const ending = new AbortController()
  const started = jobs.map((job) => ({ job, runs: repeat(job, ending.signal, { log, observe }) }))
  return {
    async stop() {
      ending.abort()
      // All at once: a job must not start again while another one ends.
      await Promise.all(
        started.map(async ({ job, runs }) => {
          await runs.stop()
          await job.waitUntilDone?.()
        }),
      )
    },
  }
}

function repeat(
  { name, every, run }: Job,
  signal: AbortSignal,
  { log, observe }: { readonly log: Log; readonly observe: ObserveJob },
): Jobs {
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  const notes = createFailureNotes<unknown>({
    failed: (failure) => log.error({ err: failure, job: name }, 'job failed'),
    worked: () => log.info({ job: name }, 'job works again'),
  })
  let underway = work()
  return {
    async stop() {
      clearTimeout(timer)
      await underway
    },
  }

  async function work(): Promise<void> {
    const began = performance.now()
    const report = (outcome: 'done' | 'failed'): void =>
      observe(name, outcome, (performance.now() - began) / 1000)
    try {
      await run(signal)
      report('done')
      failures = 0
      notes.worked()
    } catch (error) {
      report('failed')
      failures += 1
      notes.failed(error)
    }
    if (signal.aborted) return
    timer = setTimeout(
      () => {
        underway = work()
      },
      pauseAfter(failures, every),
    )
    // Timers alone must not keep the process alive.
    timer.unref()
  }
}

export const pauseAfter = (failures: number, every: number): number =>
  Math.max(every, backoffMillis(failures + 1, every, FAILED_MILLIS))
