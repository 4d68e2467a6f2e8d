// Long work in chunks, so that packets, requests and timers are served in between.

/** Work that can run at once or in chunks: a generator that yields wherever other work may run. */
export type Chunked<Result> = Generator<void, Result, void>

/**
 * Milliseconds of work between two turns of the event loop. Longer ones are noticeable for clients of the nameserver.
 */
const CHUNK_MILLIS = 4

/** Default number of items in a chunk. */
export const CHUNK_SIZE = 500

interface Host {
  readonly setImmediate?: (callback: () => void) => { readonly unref?: () => void }
}

/** Resolves after all waiting work of the event loop has run: by `setImmediate`, or by a timer in browsers. */
export function yieldNow(): Promise<void> {
  const { setImmediate: schedule } = globalThis as Host // not available in browsers
  return new Promise((resolve) => (schedule === undefined ? setTimeout(resolve, 0) : schedule(resolve)))
}

/** The same for work that nothing waits for: it does not keep a process from ending. */
export function yieldToOthers(): Promise<void> {
  const { setImmediate: schedule } = globalThis as Host // as above
  return new Promise((resolve) => {
    if (schedule === undefined) setTimeout(resolve, 0)
    else schedule(resolve).unref?.()
  })
}

/**
 * @param beforeYield called before other work runs.
 * @returns `yieldIfDue`, to be awaited between two steps of long work: it yields when the time of a chunk is used up.
 */
export function createYieldIfDue(beforeYield?: () => void): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < CHUNK_MILLIS) return
    beforeYield?.()
    await yieldNow()
    began = performance.now()
  }
}

/** Does all the work before anything else runs. */
export function runAtOnce<Result>(work: Chunked<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** The part of AbortSignal that is used here. */
interface Signal {
  throwIfAborted(): void
}

/** Lets other work run in between. Short work is done at once. @throws the signal's reason at the next chunk once it is aborted. */
export async function runInChunks<Result>(work: Chunked<Result>, signal?: Signal): Promise<Result> {
  let began = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    // Without a promise for each step: there may be a million steps.
    if (performance.now() - began < CHUNK_MILLIS) continue
    await yieldNow()
    signal?.throwIfAborted()
    began = performance.now()
  }
}

/** The same within a transaction, which says when others may run. */
export async function yieldingIn<Result>(
  { yieldIfDue }: { yieldIfDue(): Promise<void> },
  work: Chunked<Result>,
): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await yieldIfDue()
  }
}

/** The items in order, `size` in each chunk, the rest in the last one. */
export function* chunksOf<Item>(items: Iterable<Item>, size = CHUNK_SIZE): Generator<readonly Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
