// A worker thread whose messages are taken one after the other, and whose failure is that of who waits for one.
import { Worker } from 'node:worker_threads'
import { HEADROOM_MIB, MAX_YOUNG_MIB } from './thread-memory.ts'

export interface ThreadOptions {
  /** Calls `endIfMemoryIsUsedUp()`. */
  readonly file: URL
  readonly maxHeapMib: number
}

export interface Thread<Sent, Received> {
  /** @param moved memory that is in the message, and nowhere else afterwards. */
  send(message: Sent, moved?: readonly ArrayBuffer[]): void
  /** The next message. @throws the failure that ended the thread. */
  next(): Promise<Received>
  end(reason: unknown): void
}

/** @param name in errors. */
export function startThread<Sent, Received>(
  name: string,
  { file, maxHeapMib }: ThreadOptions,
): Thread<Sent, Received> {
  const received: Received[] = []
  let wake = (): void => {}
  let failure: { readonly reason: unknown } | undefined
  const worker = new Worker(file, {
    env: {}, // it needs none, and ours contains secrets
    resourceLimits: {
      maxOldGenerationSizeMb: maxHeapMib + HEADROOM_MIB,
      maxYoungGenerationSizeMb: MAX_YOUNG_MIB,
    },
  })
  worker.on('message', (message: Received) => {
    received.push(message)
    wake()
  })
  for (const event of ['error', 'messageerror'] as const)
    worker.on(event, (cause) => fail(new Error(`${name} failed`, { cause })))
  worker.on('exit', () => fail(new Error(`${name} ended`)))
  return { send: (message, moved = []) => worker.postMessage(message, moved), next, end }

  function fail(reason: unknown): void {
    failure ??= { reason }
    wake()
  }

  async function next(): Promise<Received> {
    while (received.length === 0 && failure === undefined)
      await new Promise<void>((resolve) => (wake = resolve))
    if (failure !== undefined) throw failure.reason
    return received.shift() as Received // there is one
  }

  function end(reason: unknown): void {
    fail(reason)
    void worker.terminate()
  }
}
