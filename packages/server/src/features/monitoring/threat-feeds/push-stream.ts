// Connects a pushing source to a pulling reader: the source waits for the reader.
import { PassThrough } from 'node:stream'
import type { Octets } from './octets.ts'

export interface PushStream<Result> {
  /** Resolves when the reader is ready for more; rejects when it has stopped. */
  readonly take: (part: Uint8Array) => Promise<void>
  /**
   * Marks the end of input.
   * @returns the reader's result.
   */
  readonly end: () => Promise<Result>
  /** Discards the input. Throws the reader's error if it has one, otherwise this failure. */
  readonly fail: (failure: Error) => Promise<never>
}

/** @param read starts with the first bytes, or at the end of input. */
export function createPushStream<Result>(read: (octets: Octets) => Promise<Result>): PushStream<Result> {
  const pipe = new PassThrough()
  // The reader gets the error from its iteration, if it iterates.
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
      // `end` or `fail` report it; until one of them is called, nothing awaits it.
      reading.catch(() => {})
    }
    return reading
  }
}
