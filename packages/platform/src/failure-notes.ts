// What fails again and again is noted when it begins, then once a minute, and when it works again.

import type { Log } from './log.ts'

const NOTED_MILLIS = 60_000

export interface FailureNotes<Failure> {
  failed(failure: Failure): void
  worked(): void
}

/** @param note called for what is worth a line. */
export function createFailureNotes<Failure>(
  note: FailureNotes<Failure>,
  monotonicMillis: () => number = () => performance.now(),
): FailureNotes<Failure> {
  let notedMillis: number | undefined
  return {
    failed(failure) {
      const now = monotonicMillis()
      if (notedMillis !== undefined && now < notedMillis + NOTED_MILLIS) return
      notedMillis = now
      note.failed(failure)
    },
    worked() {
      if (notedMillis === undefined) return
      notedMillis = undefined
      note.worked()
    },
  }
}

/** As {@link createFailureNotes}: a warning, and a line when it works again. */
export const createOutageNotes = (
  log: Pick<Log, 'warn' | 'info'>,
  failed: string,
  worked: string,
): FailureNotes<unknown> =>
  createFailureNotes<unknown>({
    failed: (failure) => log.warn({ err: failure }, failed),
    worked: () => log.info({}, worked),
  })
