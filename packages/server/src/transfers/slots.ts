// Room for so many at a time, that nobody can keep for long.

export interface Slots {
  /** Takes one if there is one. */
  tryTake(): Release | undefined
  /** Takes the next that is given back. @throws what the signal was ended with */
  take(signal: AbortSignal): Promise<Release>
}

export type Release = () => void

/** @param longestMillis after which a slot goes to the next, whatever its holder does with what was begun. */
export function createSlots(count: number, longestMillis: number): Slots {
  let free = count
  const waiting = new Set<() => void>()

  return {
    tryTake() {
      if (free === 0) return undefined
      free -= 1
      return held()
    },
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) free -= 1
      else await handedOver(signal)
      return held()
    },
  }

  function handedOver(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        waiting.delete(settle)
        signal.removeEventListener('abort', settle)
        if (signal.aborted) reject(signal.reason as Error) // what abort() makes
        else resolve()
      }
      waiting.add(settle)
      signal.addEventListener('abort', settle)
    })
  }

  function held(): Release {
    let isHeld = true
    const release = (): void => {
      if (!isHeld) return
      isHeld = false
      clearTimeout(timer)
      const [next] = waiting
      if (next === undefined) free += 1
      else next()
    }
    const timer = setTimeout(release, longestMillis).unref()
    return release
  }
}
