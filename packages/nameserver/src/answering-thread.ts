// An answering thread: answers over all transports from shared memory, on its own event loop. Messages that are more than
// a question for data are answered by the main thread.
import { createAnswerCache } from './answer-cache.ts'
import { listenOnDescriptor } from './batched-udp.ts'
import { createFastPath } from './fast-path.ts'
import { createForwarding } from './forwarding.ts'
import { createGuards } from './guards.ts'
import { listenHttps } from './https.ts'
import type { Listener, ListenerDeps } from './listener.ts'
import type { Log } from './log.ts'
import { openOnOnePort } from './one-port.ts'
import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { logQueries } from './query-log.ts'
import { createResponder } from './responder.ts'
import { SharedZones } from './shared-zones.ts'
import { createSignaturePost, type SignedElsewhere } from './signature-post.ts'
import { findSystemCalls } from './system-calls.ts'
import { listenTcp } from './tcp.ts'
import { shareConnections } from './thread-connections.ts'
import { createThreadCounts } from './thread-counts.ts'
import type { FromThread, Published, ThreadStart, ToThread } from './thread-messages.ts'
import { unwrapProxied } from './trusted-proxies.ts'
import { type EncryptedListener, listenTls } from './tls.ts'
import { listenUdp } from './udp.ts'
import type { ZoneSigning } from './zone-signing.ts'
import { Control } from './zone-store/control.ts'
import { Pages } from './zone-store/pages.ts'

/** How often counts are sent, in milliseconds, besides on request. */
const COUNT_EVERY_MS = 1000

export interface AnsweringThreadOptions {
  /** Makes the keys from what ZoneSigning.sealed has. */
  readonly openSigning: (sealed: unknown) => ZoneSigning
}

/** Runs in a worker that createAnsweringThreads() has started. */
export function runAnsweringThread({ openSigning }: AnsweringThreadOptions): void {
  if (isMainThread || parentPort === null) throw new Error('not a worker')
  const port = parentPort
  const start = workerData as ThreadStart // sent by answering-threads.ts
  const post = (message: FromThread): void => port.postMessage(message)
  const log = logTo(post)
  const signatures = createSignaturePost(
    (posted) => post({ kind: 'signed', posted }),
    (key) => zones.made.forget(key),
  )
  const zones = openZones(start, openSigning, signatures.add)
  const counts = createThreadCounts()
  const forwarding = createForwarding(post, counts.metrics)
  const listeners: Listener[] = []
  const encrypted: EncryptedListener[] = []

  const deps = createDeps()
  setInterval(() => {
    const now = counts.take()
    if (now !== undefined) post({ kind: 'counts', counts: now })
  }, COUNT_EVERY_MS).unref()
  port.on('message', (message: ToThread) => void take(message))

  async function take(message: ToThread): Promise<void> {
    switch (message.kind) {
      case 'answer':
        return forwarding.take(message)
      case 'signed-taken':
        return signatures.noteTaken(message.unstoredZones)
      case 'count': {
        const now = counts.take()
        return post({ kind: 'done', id: message.id, ...(now && { counts: now }) })
      }
      case 'listen':
        try {
          return post({ kind: 'done', id: message.id, port: await listen(message) })
        } catch (failure) {
          return post({ kind: 'done', id: message.id, failure })
        }
      case 'certificate':
        for (const listener of encrypted) listener.useCertificate(message.certificate)
        return post({ kind: 'done', id: message.id })
      case 'close': {
        await Promise.all(listeners.map((listener) => listener.close()))
        const now = counts.take()
        return post({ kind: 'done', id: message.id, ...(now && { counts: now }) })
      }
    }
  }

  /** Returns the port. */
  async function listen({ endpoint, certificate }: Extract<ToThread, { kind: 'listen' }>): Promise<number> {
    const { transport, host, port, descriptors } = endpoint
    const stream = descriptors?.stream
    if (transport === 'udp') {
      const both = await openOnOnePort(
        port,
        (used) => listenTcp({ host, port: used, descriptor: stream }, deps),
        (used) => listenDatagrams(host, used, descriptors?.udp),
      )
      listeners.push(...both)
      return both[0].port
    }
    if (certificate === undefined) throw new Error('no certificate')
    const listenOn = transport === 'tls' ? listenTls : listenHttps
    const listener = await listenOn({ host, port, descriptor: stream }, certificate, deps)
    listeners.push(listener)
    encrypted.push(listener)
    return listener.port
  }

  async function listenDatagrams(host: string, used: number, descriptor: number | undefined) {
    if (descriptor === undefined) return listenUdp({ host, port: used }, deps)
    const { calls } = await findSystemCalls()
    if (calls === undefined) throw new Error('the system calls of the main thread are missing in a thread')
    return listenOnDescriptor(descriptor, host, deps, calls)
  }

  function createDeps(): ListenerDeps {
    const { guards, threads, queryLog } = start
    const { cookies, rateLimits, nsid, isProxy } = createGuards(guards, Date.now)
    const limits = {
      ...start.limits,
      madeSignaturesPerSecond: Math.ceil(start.limits.madeSignaturesPerSecond / threads),
    }
    const metrics = counts.metrics
    const answers = createAnswerCache({ version: () => zones.version, metrics, rateLimits, now: Date.now })
    const table = zones
    const fastPath = createFastPath({ table, limits, metrics, rateLimits, answers })
    const respond = createResponder({ table, log, limits, metrics, cookies, rateLimits, nsid, answers })
    const created: ListenerDeps = {
      respond(packet, length, peer, out) {
        zones.begin()
        try {
          return respond(packet, length, peer, out)
        } finally {
          zones.end()
        }
      },
      fastPath(packet, length, peer, out) {
        zones.begin()
        try {
          return fastPath(packet, length, peer, out)
        } finally {
          zones.end()
        }
      },
      respondLater: forwarding.respondLater,
      messageHandler: forwarding.messageHandler,
      isProxy,
      connections: shareConnections(start.connections, start.reader),
      answers,
      log,
      limits,
      metrics,
    }
    return unwrapProxied(queryLog === undefined ? created : logQueries(created, queryLog, log, Date.now))
  }
}

function openZones(
  { reader, segments, control, hashKey, signings, published }: ThreadStart,
  openSigning: AnsweringThreadOptions['openSigning'],
  keep: (made: SignedElsewhere) => void,
): SharedZones {
  const pages = new Pages()
  for (const segment of segments) pages.add(segment)
  const sealed = new Map(signings)
  const opened = new Map<number, ZoneSigning>()
  /** A version that was read when these were taken may still refer to them. */
  let unused: number[] = []
  const zones = new SharedZones({
    pages,
    control: new Control(control),
    hashKey,
    reader,
    takePublished,
    signingOf,
    keep,
  })
  return zones

  function takePublished(): void {
    for (const number of unused) {
      sealed.delete(number)
      opened.delete(number)
      zones.forgetSigning(number)
    }
    unused = []
    for (;;) {
      const received = receiveMessageOnPort(published)
      if (received === undefined) return
      const message = received.message as Published // sent by answering-threads.ts
      if (message.kind === 'segment') pages.add(message.segment)
      else if (message.sealed === undefined) unused.push(message.number)
      else sealed.set(message.number, message.sealed)
    }
  }

  function signingOf(number: number): ZoneSigning {
    let signing = opened.get(number)
    if (signing === undefined) {
      if (!sealed.has(number)) throw new Error('the keys of a zone are not known in this thread')
      opened.set(number, (signing = openSigning(sealed.get(number))))
    }
    return signing
  }
}

function logTo(post: (message: FromThread) => void): Log {
  const line =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: object, event: string): void =>
      post({ kind: 'log', level, fields, event })
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
