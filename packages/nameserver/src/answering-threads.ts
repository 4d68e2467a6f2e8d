// Threads that answer UDP beside the main thread. They read the pages of the zone store; what is published reaches them
// through the pages and one queue. A thread that dies is replaced.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { GuardSettings } from './guards.ts'
import type { Endpoint } from './listener.ts'
import type { NameserverLimits } from './limits.ts'
import type { Log } from './log.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { QueryLogSettings } from './query-log.ts'
import { toSocketAddress } from './socket-address.ts'
import type { SystemCalls } from './system-calls.ts'
import type { Counts, FromThread, Published, ThreadStart, ToThread } from './thread-messages.ts'
import { MAX_READERS } from './zone-store/control.ts'
import type { ZoneTable } from './zone-table.ts'

export const MAX_THREADS = MAX_READERS

export interface ThreadsOptions {
  /** At least 1. Without system calls there is only one: Node cannot share a port between threads. */
  readonly threads: number
  /** A module that calls runAnsweringThread(). */
  readonly file: URL
  readonly guards: GuardSettings
}

export interface AnsweringThreadsDeps extends ThreadsOptions {
  readonly table: ZoneTable
  readonly log: Log
  readonly limits: NameserverLimits
  readonly metrics: NameserverMetrics
  readonly systemCalls: SystemCalls | undefined
  readonly queryLog: QueryLogSettings | undefined
  /** Answers any message over UDP. Never rejects. */
  readonly answer: (packet: Uint8Array, address: string) => Promise<Uint8Array | undefined>
}

export interface AnsweringThreads {
  readonly count: number
  /** Resolves when all threads listen. @throws the system's error, for example if the port is taken */
  listen(endpoint: Endpoint): Promise<void>
  /** Resolves when everything that the threads have counted is in the metrics. */
  settleCounts(): Promise<void>
  close(): Promise<void>
}

/** Megabytes of a thread's heap: it holds no zones. */
const MAX_HEAP_MB = 512
/** Milliseconds before a thread that has died is replaced: less than a resolver waits, and no endless loop. */
const REPLACED_AFTER_MS = 200
/** Milliseconds that a thread may take to send its counts. */
const COUNTS_WITHIN_MS = 500

interface Thread {
  readonly worker: Worker
  readonly published: MessagePort
  readonly waiting: Map<number, (message: Extract<FromThread, { kind: 'done' }>) => void>
}

export function createAnsweringThreads(deps: AnsweringThreadsDeps): AnsweringThreads {
  const { table, log, metrics, systemCalls: calls, file, guards, limits } = deps
  const { store, signings } = table.shares
  const count = calls === undefined ? 1 : Math.min(deps.threads, MAX_THREADS)
  const threads: (Thread | undefined)[] = []
  let endpoint: (Endpoint & { readonly descriptor: number | undefined }) | undefined
  let lastId = 0
  let isClosed = false

  store.pages.onAdd = (segment) => publish({ kind: 'segment', segment })
  signings.onChange = (number, signing) => publish({ kind: 'signing', number, sealed: signing?.sealed })

  return {
    count,
    async listen({ host, port }) {
      const isShared = calls !== undefined && !host.includes('%')
      const descriptor = isShared ? calls.openUdp(toSocketAddress(host, port)) : undefined
      endpoint = { host, port, descriptor }
      const used = isShared ? count : 1
      try {
        await Promise.all(Array.from({ length: used }, (_, reader) => startListening(reader)))
      } catch (error) {
        await stop()
        throw error
      }
    },
    async settleCounts() {
      await Promise.all(threads.map((thread) => thread && ask(thread, { kind: 'count' }, COUNTS_WITHIN_MS)))
    },
    async close() {
      isClosed = true
      await stop()
    },
  }

  function publish(message: Published): void {
    for (const thread of threads) thread?.published.postMessage(message, [])
  }

  function start(reader: number): Thread {
    const { port1, port2 } = new MessageChannel()
    const workerData: ThreadStart = {
      reader,
      threads: count,
      segments: store.pages.added,
      control: store.control.buffer,
      hashKey: store.hashKey,
      signings: Array.from(signings.all, ([number, { sealed }]) => [number, sealed] as const),
      published: port2,
      guards,
      limits,
      queryLog: deps.queryLog,
    }
    const worker = new Worker(file, {
      workerData,
      transferList: [port2],
      env: {}, // it needs none, and ours contains secrets
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const thread: Thread = { worker, published: port1, waiting: new Map() }
    threads[reader] = thread
    worker.on('message', (message: FromThread) => take(thread, message))
    worker.on('error', (error) => log.error({ error, thread: reader }, 'dns thread failed'))
    worker.on('exit', (code) => replace(reader, thread, code))
    return thread
  }

  async function startListening(reader: number): Promise<void> {
    if (endpoint === undefined) return
    const { host, port, descriptor } = endpoint
    const thread = start(reader)
    const own = descriptor === undefined ? undefined : calls?.duplicate(descriptor)
    const done = await ask(thread, { kind: 'listen', host, port, descriptor: own })
    if (done?.failure !== undefined) throw done.failure
    if (done === undefined) throw new Error('a dns thread has ended before it listened')
  }

  function replace(reader: number, thread: Thread, code: number): void {
    store.control.unpin(reader)
    thread.published.close()
    for (const settle of thread.waiting.values()) settle({ kind: 'done', id: 0 })
    thread.waiting.clear()
    if (threads[reader] === thread) threads[reader] = undefined
    if (isClosed || endpoint === undefined) return
    log.error({ thread: reader, code }, 'dns thread ended and is replaced')
    setTimeout(() => {
      if (isClosed) return
      // If it cannot listen either, it ends, and is replaced again.
      startListening(reader).catch((error: unknown) => {
        log.error({ error, thread: reader }, 'dns thread cannot listen')
        void threads[reader]?.worker.terminate()
      })
    }, REPLACED_AFTER_MS)
  }

  function take(thread: Thread, message: FromThread): void {
    switch (message.kind) {
      case 'done':
        if (message.counts !== undefined) add(message.counts)
        thread.waiting.get(message.id)?.(message)
        return void thread.waiting.delete(message.id)
      case 'counts':
        return add(message.counts)
      case 'signed':
        table.zone(message.made.zoneId)?.keepSignatures(message.made)
        return send(thread, { kind: 'kept' })
      case 'message': {
        const { id, packet, address } = message
        return void deps
          .answer(packet, address)
          .then((answer) => send(thread, { kind: 'answer', id, answer }))
      }
      case 'log':
        return log[message.level](message.fields, message.event)
    }
  }

  function add({ queries, dropped }: Counts): void {
    for (const { rcode, zone: name, zoneId, count: answers } of queries) {
      const zone = name === undefined || zoneId === undefined ? undefined : { name, zoneId }
      metrics.countQuery('udp', rcode, zone, answers)
    }
    for (const { reason, count: drops } of dropped) metrics.countDropped('udp', reason, drops)
  }

  function send({ worker }: Thread, message: ToThread): void {
    worker.postMessage(message, [])
  }

  /** Undefined: the thread has ended, or the time is over. */
  function ask(
    thread: Thread,
    message: { readonly kind: 'count' | 'close' } | Omit<Extract<ToThread, { kind: 'listen' }>, 'id'>,
    withinMs?: number,
  ): Promise<Extract<FromThread, { kind: 'done' }> | undefined> {
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs, undefined)
      thread.waiting.set(id, (done) => {
        clearTimeout(timer)
        resolve(done.id === 0 ? undefined : done)
      })
      send(thread, { ...message, id })
    })
  }

  async function stop(): Promise<void> {
    const { descriptor } = endpoint ?? {}
    endpoint = undefined
    const running = threads.filter((thread) => thread !== undefined)
    await Promise.all(running.map((thread) => ask(thread, { kind: 'close' }, COUNTS_WITHIN_MS)))
    await Promise.all(running.map(({ worker }) => worker.terminate()))
    if (descriptor !== undefined) calls?.close(descriptor)
  }
}
