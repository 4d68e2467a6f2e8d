// Octets that somebody pushes in, for a reader that pulls them: whoever pushes waits for whoever reads.
import { PassThrough } from 'node:stream'
import type { Octets } from './octets.ts'

export interface Intake<Result> {
  /** Resolves when there is room for more; rejects when nobody reads any more. */
  readonly take: (part: Uint8Array) => Promise<void>
  /** Nothing more comes. @returns what the reader made of it. */
  readonly end: () => Promise<Result>
  /** What came is worth nothing. Throws what the reader met, where it met something, and this failure otherwise. */
  readonly fail: (failure: Error) => Promise<never>
}

/** @param read begins with the first octets, or with the end. */
export function createIntake<Result>(read: (octets: Octets) => Promise<Result>): Intake<Result> {
  const pipe = new PassThrough()
  // The reader is told by its iteration, where there is one.
  pipe.on('error', () => {})
  let reading: Promise<Result> | undefined
  return {
    take(part) {
      void begin()
      return new Promise((resolve, reject) => {
        pipe.write(part, (error) => (error ? reject(error) : resolve()))
      })
    },
    end() {
      pipe.end()
      return begin()
    },
    async fail(failure) {
      pipe.destroy(failure)
      await reading
      throw failure
    },
  }

  function begin(): Promise<Result> {
    if (reading === undefined) {
      reading = read(pipe)
      // Told by `end` or `fail`; until one of them is called, nobody waits for it.
      reading.catch(() => {})
    }
    return reading
  }
}
