// Threads that answer over all transports beside the main thread. They read the pages of the zone store; what is published reaches them
// through the pages and one queue. A thread that dies is replaced.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { randomUUID } from 'node:crypto'
import type { Certificate } from './certificate.ts'
import { ConnectionCounts, connectionCountsMemory } from './connection-counts.ts'
import { createForwarded, type Forwarded } from './forwarded.ts'
import type { GuardSettings } from './guards.ts'
import type { PlainEndpoint } from './listener.ts'
import type { NameserverLimits } from './limits.ts'
import type { Log } from './log.ts'
import type { Answered } from './message-handler.ts'
import type { NameserverMetrics } from './metrics.ts'
import { openOnOnePort } from './one-port.ts'
import type { Peer } from './peer.ts'
import type { QueryLogSettings } from './query-log.ts'
import { toSocketAddress } from './socket-address.ts'
import type { SystemCalls } from './system-calls.ts'
import type {
  Counts,
  FromThread,
  Published,
  ThreadEndpoint,
  ThreadStart,
  ToThread,
} from './thread-messages.ts'
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
  /** Answers any message. Never rejects. */
  readonly answer: (packet: Uint8Array, peer: Peer) => Promise<Answered>
}

export interface AnsweringThreads {
  readonly count: number
  /**
   * Resolves with the port when all threads listen; `udp` is UDP and TCP on one port. Encrypted transports need a
   * certificate before.
   *
   * @throws the system's error, for example if the port is taken
   */
  listen(transport: ThreadEndpoint['transport'], endpoint: PlainEndpoint): Promise<number>
  /** Resolves when all threads use it for new connections. */
  useCertificate(certificate: Certificate): Promise<void>
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
/** Milliseconds that a thread may take to close its connections: more than the clients of their last answers get. */
const CLOSED_WITHIN_MS = 2000

interface Thread {
  readonly worker: Worker
  readonly published: MessagePort
  readonly forwarded: Forwarded
  readonly waiting: Map<number, (message: Done) => void>
}

type Done = Extract<FromThread, { kind: 'done' }>
type Request<Message> = Message extends { readonly id: number } ? Omit<Message, 'id'> : never

export function createAnsweringThreads(deps: AnsweringThreadsDeps): AnsweringThreads {
  const { table, log, metrics, systemCalls: calls, file, guards, limits } = deps
  const { store, signings } = table.shares
  const count = calls === undefined ? 1 : Math.min(deps.threads, MAX_THREADS)
  const connections = {
    memory: connectionCountsMemory(count),
    seed: Math.floor(Math.random() * 2 ** 32),
    channel: `zonereeve-dns-${randomUUID()}`,
  }
  const connectionCounts = new ConnectionCounts(connections.memory, 0, connections.seed)
  const threads: (Thread | undefined)[] = []
  const endpoints: ThreadEndpoint[] = []
  let certificate: Certificate | undefined
  let lastId = 0
  let isClosed = false

  store.pages.onAdd = (segment) => publish({ kind: 'segment', segment })
  signings.onChange = (number, signing) => publish({ kind: 'signing', number, sealed: signing?.sealed })

  return {
    count,
    async listen(transport, endpoint) {
      const opened = await open(transport, endpoint)
      endpoints.push(opened)
      try {
        const readers = Array.from({ length: count }, (_, reader) => reader)
        const [port = opened.port] = await Promise.all(
          readers.map((reader) => listenIn(threads[reader] ?? start(reader), reader, opened)),
        )
        endpoints[endpoints.indexOf(opened)] = { ...opened, port }
        return port
      } catch (error) {
        await stop()
        throw error
      }
    },
    async useCertificate(next) {
      certificate = next
      await Promise.all(
        threads.map((thread) => thread && ask(thread, { kind: 'certificate', certificate: next })),
      )
    },
    async settleCounts() {
      await Promise.all(threads.map((thread) => thread && ask(thread, { kind: 'count' }, COUNTS_WITHIN_MS)))
    },
    async close() {
      isClosed = true
      await stop()
    },
  }

  /** Opens the sockets that all threads share, if they can. A link-local address with an interface needs Node. */
  async function open(
    transport: ThreadEndpoint['transport'],
    { host, port, passed }: PlainEndpoint,
  ): Promise<ThreadEndpoint> {
    if (passed !== undefined) {
      if (calls === undefined)
        throw new Error('threads cannot share passed sockets here: set dns-threads to 0')
      return { transport, host, port, descriptors: { stream: passed.stream, udp: passed.datagram } }
    }
    if (calls === undefined || host.includes('%')) return { transport, host, port, descriptors: undefined }
    const openTcp = (used: number) => {
      const stream = calls.openTcp(toSocketAddress(host, used))
      return { stream, port: calls.portOf(stream), close: () => calls.close(stream) }
    }
    const openUdp = (used: number): number => calls.openUdp(toSocketAddress(host, used))
    const [tcp, udp] =
      transport === 'udp' ? await openOnOnePort(port, openTcp, openUdp) : [openTcp(port), undefined]
    return { transport, host, port: tcp.port, descriptors: { stream: tcp.stream, udp } }
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
      connections,
    }
    const worker = new Worker(file, {
      workerData,
      transferList: [port2],
      env: {}, // it needs none, and ours contains secrets
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const forwarded = createForwarded(deps.answer, (message) => worker.postMessage(message, []), log)
    const thread: Thread = { worker, published: port1, forwarded, waiting: new Map() }
    threads[reader] = thread
    worker.on('message', (message: FromThread) => take(thread, message))
    worker.on('error', (error) => log.error({ err: error, thread: reader }, 'dns thread failed'))
    worker.on('exit', (code) => replace(reader, thread, code))
    return thread
  }

  /** Returns the port; undefined if another thread listens there. */
  async function listenIn(
    thread: Thread,
    reader: number,
    endpoint: ThreadEndpoint,
  ): Promise<number | undefined> {
    const { descriptors } = endpoint
    if (descriptors === undefined && reader > 0) return undefined
    const own = descriptors &&
      calls && {
        stream: calls.duplicate(descriptors.stream),
        udp: descriptors.udp === undefined ? undefined : calls.duplicate(descriptors.udp),
      }
    const done = await ask(thread, {
      kind: 'listen',
      endpoint: { ...endpoint, descriptors: own },
      certificate: endpoint.transport === 'udp' ? undefined : certificate,
    })
    if (done?.failure !== undefined) throw done.failure
    if (done === undefined) throw new Error('a dns thread has ended before it listened')
    return done.port
  }

  async function restart(reader: number): Promise<void> {
    const thread = start(reader)
    for (const endpoint of endpoints) await listenIn(thread, reader, endpoint)
  }

  function replace(reader: number, thread: Thread, code: number): void {
    store.control.unpin(reader)
    connectionCounts.clear(reader)
    thread.forwarded.end()
    thread.published.close()
    for (const settle of thread.waiting.values()) settle({ kind: 'done', id: 0 })
    thread.waiting.clear()
    if (threads[reader] === thread) threads[reader] = undefined
    if (isClosed || endpoints.length === 0) return
    log.error({ thread: reader, code }, 'dns thread ended and is replaced')
    setTimeout(() => {
      if (isClosed) return
      // If it cannot listen either, it ends, and is replaced again.
      restart(reader).catch((error: unknown) => {
        log.error({ err: error, thread: reader }, 'dns thread cannot listen')
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
        return send(thread, { kind: 'signed-taken', unstoredZones: table.keepSignatures(message.posted) })
      case 'message':
      case 'next':
      case 'stop':
        return thread.forwarded.take(message)
      case 'log':
        return log[message.level](message.fields, message.event)
    }
  }

  function add({ queries, dropped }: Counts): void {
    for (const { transport, rcode, zone: name, zoneId, count: answers } of queries) {
      const zone = name === undefined || zoneId === undefined ? undefined : { name, zoneId }
      metrics.countQuery(transport, rcode, zone, answers)
    }
    for (const { transport, reason, count: drops } of dropped) metrics.countDropped(transport, reason, drops)
  }

  function send({ worker }: Thread, message: ToThread): void {
    worker.postMessage(message, [])
  }

  /** Undefined: the thread has ended, or the time is over. */
  function ask(thread: Thread, message: Request<ToThread>, withinMs?: number): Promise<Done | undefined> {
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs, undefined)
      thread.waiting.set(id, (done) => {
        clearTimeout(timer)
        resolve(done.id === 0 ? undefined : done)
      })
      send(thread, { ...message, id } as ToThread) // the request with its ID
    })
  }

  async function stop(): Promise<void> {
    const opened = endpoints.splice(0)
    const running = threads.filter((thread) => thread !== undefined)
    await Promise.all(running.map((thread) => ask(thread, { kind: 'close' }, CLOSED_WITHIN_MS)))
    await Promise.all(running.map(({ worker }) => worker.terminate()))
    for (const { descriptors } of opened)
      for (const descriptor of [descriptors?.stream, descriptors?.udp])
        if (descriptor !== undefined) calls?.close(descriptor)
  }
}
