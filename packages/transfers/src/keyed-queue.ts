// A keyed queue with one lane per address: a slow address blocks only its own lane.

/** Maximum number of concurrent runs: in all lanes, and in one. */
export interface KeyedQueueLimits {
  readonly all: number
  readonly each: number
}

export interface KeyedQueue<Item> {
  /** Runs the item when it is its turn; an item that already waits keeps its place. */
  add(item: Item, queue: string): void
  remove(item: Item): void
}

/** @param run must not fail; when it ends, its lane can run the next item. */
export function createKeyedQueue<Item>(
  limits: KeyedQueueLimits,
  run: (item: Item) => Promise<void>,
): KeyedQueue<Item> {
  const waiting = new Map<string, Set<Item>>()
  const queueOf = new Map<Item, string>()
  const running = new Map<string, number>()
  let runs = 0

  return {
    add(item, queue) {
      if (queueOf.has(item)) return
      queueOf.set(item, queue)
      const items = waiting.get(queue) ?? new Set()
      waiting.set(queue, items.add(item))
      startAll()
    },
    remove,
  }

  function remove(item: Item): void {
    const queue = queueOf.get(item)
    if (queue === undefined) return
    queueOf.delete(item)
    const items = waiting.get(queue)
    items?.delete(item)
    if (items?.size === 0) waiting.delete(queue)
  }

  function startAll(): void {
    for (let next = takeNext(); next !== undefined; next = takeNext()) start(next)
  }

  function takeNext(): { readonly item: Item; readonly queue: string } | undefined {
    if (runs >= limits.all) return undefined
    for (const [queue, items] of waiting) {
      const [item] = items
      const runsOfQueue = running.get(queue) ?? 0 // a queue without runs has no entry
      if (item === undefined || runsOfQueue >= limits.each) continue
      remove(item)
      return { item, queue }
    }
    return undefined
  }

  function start({ item, queue }: { readonly item: Item; readonly queue: string }): void {
    runs += 1
    running.set(queue, (running.get(queue) ?? 0) + 1)
    void run(item).then(() => {
      runs -= 1
      const left = (running.get(queue) ?? 1) - 1
      if (left === 0) running.delete(queue)
      else running.set(queue, left)
      // Moved behind the others, so that lanes take turns.
      const items = waiting.get(queue)
      if (items !== undefined) {
        waiting.delete(queue)
        waiting.set(queue, items)
      }
      startAll()
    })
  }
}
