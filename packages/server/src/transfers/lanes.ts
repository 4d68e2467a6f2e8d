// What waits for its turn, in a lane for each address that it is about: an address that keeps whoever asks it waiting holds up
// its own lane, and no other.

/** Runs at the same time: of all lanes, and of one. */
export interface LaneLimits {
  readonly all: number
  readonly each: number
}

export interface Lanes<Item> {
  /** Runs it when it is its turn; what waits already keeps its place. */
  add(item: Item, lane: string): void
  remove(item: Item): void
}

/** @param run must not fail; its lane has room again when it is over. */
export function createLanes<Item>(limits: LaneLimits, run: (item: Item) => Promise<void>): Lanes<Item> {
  const waiting = new Map<string, Set<Item>>()
  const laneOf = new Map<Item, string>()
  const running = new Map<string, number>()
  let runs = 0

  return {
    add(item, lane) {
      if (laneOf.has(item)) return
      laneOf.set(item, lane)
      const items = waiting.get(lane) ?? new Set()
      waiting.set(lane, items.add(item))
      startAll()
    },
    remove,
  }

  function remove(item: Item): void {
    const lane = laneOf.get(item)
    if (lane === undefined) return
    laneOf.delete(item)
    const items = waiting.get(lane)
    items?.delete(item)
    if (items?.size === 0) waiting.delete(lane)
  }

  function startAll(): void {
    for (let next = takeNext(); next !== undefined; next = takeNext()) start(next)
  }

  function takeNext(): { readonly item: Item; readonly lane: string } | undefined {
    if (runs >= limits.all) return undefined
    for (const [lane, items] of waiting) {
      const [item] = items
      if (item === undefined || (running.get(lane) ?? 0) >= limits.each) continue
      remove(item)
      return { item, lane }
    }
    return undefined
  }

  function start({ item, lane }: { readonly item: Item; readonly lane: string }): void {
    runs += 1
    running.set(lane, (running.get(lane) ?? 0) + 1)
    void run(item).then(() => {
      runs -= 1
      const left = (running.get(lane) ?? 1) - 1
      if (left === 0) running.delete(lane)
      else running.set(lane, left)
      // Behind the others, so that lanes take turns.
      const items = waiting.get(lane)
      if (items !== undefined) {
        waiting.delete(lane)
        waiting.set(lane, items)
      }
      startAll()
    })
  }
}
