// Limits how much work runs at the same time.

export type Release = () => void

/** Up to `limit` holders at the same time; others wait in order. */
export class Semaphore {
  #free: number
  readonly #longestMillis: number | undefined
  readonly #waiting = new Set<() => void>()

  /** @param longestMillis time after which a place is passed on, even if its holder has not released it. */
  constructor(limit: number, longestMillis?: number) {
    this.#free = limit
    this.#longestMillis = longestMillis
  }

  /** Number of waiting callers. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes a place if one is free. */
  tryAcquire(): Release | undefined {
    if (this.#free === 0) return undefined
    this.#free -= 1
    return this.#held()
  }

  /** Waits for a place. @throws the signal's reason if it aborts first. */
  async acquire(signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#handedOver(signal)
    return this.#held()
  }

  /** Runs the work when a place is free. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = this.tryAcquire() ?? (await this.acquire())
    try {
      return await work()
    } finally {
      release()
    }
  }

  #handedOver(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#waiting.delete(settle)
        signal?.removeEventListener('abort', settle)
        if (signal?.aborted === true) reject(signal.reason as Error) // set by abort()
        else resolve()
      }
      this.#waiting.add(settle)
      signal?.addEventListener('abort', settle)
    })
  }

  #held(): Release {
    let isHeld = true
    const release = (): void => {
      if (!isHeld) return
      isHeld = false
      clearTimeout(timer)
      const [next] = this.#waiting
      if (next === undefined) this.#free += 1
      else next()
    }
    const timer = this.#longestMillis === undefined ? undefined : setTimeout(release, this.#longestMillis)
    ;(timer as { unref?(): void } | undefined)?.unref?.() // Node's timers; browsers' are numbers
    return release
  }
}
