// Waiting for the next change of something, for a limited time.

export interface ChangeSignal {
  /** Resolves to true at the next change, or when the signal is aborted; to false if neither comes in time. */
  changeWithin(millis: number, signal: AbortSignal): Promise<boolean>
  /** Ends all waits. */
  announce(): void
}

export function createChangeSignal(): ChangeSignal {
  const waiting = new Set<() => void>()
  return {
    async changeWithin(millis, signal) {
      if (signal.aborted) return true
      return new Promise((resolve) => {
        const timer = setTimeout(() => finish(false), millis)
        const wake = (): void => finish(true)
        waiting.add(wake)
        signal.addEventListener('abort', wake, { once: true })
        function finish(isChanged: boolean): void {
          clearTimeout(timer)
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve(isChanged)
        }
      })
    },
    announce() {
      for (const wake of waiting) wake()
    },
  }
}
