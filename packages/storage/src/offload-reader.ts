// Offloaded reads in a separate process: a query over a million rows delays only its caller. A process and not
// a thread, because a running query can be stopped at any time without affecting others. It also checkpoints
// the WAL after large commits.
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Compilable } from 'kysely'
import { workerFile } from '@zonereeve/platform'
import { readAll, type Reader } from './storage.ts'

/** A new query, the next chunk of its rows, the end of a query, or a checkpoint of the WAL. */
export type OffloadRequest = { readonly id: number } & (
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'more' | 'stop' | 'checkpoint' }
)

export type OffloadReply =
  | { readonly id: number; readonly rows: readonly unknown[]; readonly isLast: boolean }
  | { readonly id: number; readonly failure: string }

type ReadRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'checkpoint' }

interface PendingRead {
  take(row: unknown): void
  resolve(): void
  reject(failure: Error): void
}

export interface OffloadReader extends Reader {
  /** Checkpoints the WAL as far as readers allow. Readers and writers do not wait for it. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

/** Time without requests after which the process ends: it takes some 100 MiB, and 0.1 s to start. */
const IDLE_MILLIS = 60_000

/** Starts its process on first use. The process does not keep the program alive and ends with it, or when it is idle. */
export function createOffloadReader(path: string, idleMillis = IDLE_MILLIS): OffloadReader {
  const waiting = new Map<number, PendingRead>()
  let worker: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let closed = false
  let lastId = 0

  return {
    all: (compilable) => readAll({ each }, compilable),
    first: async (compilable) => (await readAll({ each }, compilable))[0],
    each,
    checkpoint: () => request({ kind: 'checkpoint' }, () => {}),
    async close() {
      closed = true
      clearTimeout(idle)
      // Its reads are no longer awaited, and SQLite repeats an unfinished checkpoint.
      worker?.kill('SIGKILL')
    },
  }

  function each<Row>(compilable: Compilable<Row>, take: (row: Row) => void): Promise<void> {
    const { sql, parameters } = compilable.compile()
    return request({ kind: 'query', sql, parameters }, (row) => take(row as Row)) // rows have the selected columns
  }

  function request(desired: ReadRequest, take: (row: unknown) => void): Promise<void> {
    if (closed) return Promise.reject(new Error('the database is closed'))
    clearTimeout(idle)
    const reader = (worker ??= start())
    const id = ++lastId
    return new Promise((resolve, reject) => {
      waiting.set(id, { take, resolve, reject })
      ask(reader, { ...desired, id })
    })
  }

  function start(): ChildProcess {
    const { url, execArgv } = workerFile('./offload.worker', import.meta.url)
    const started = fork(fileURLToPath(url), [path], {
      serialization: 'advanced', // rows contain bytes
      execArgv: [...execArgv],
      env: {}, // it needs none, and ours contains secrets
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    started.unref()
    started.channel?.unref()
    started.on('message', (reply: OffloadReply) => receive(started, reply))
    started.on('error', (failure) => lose(started, failure))
    started.on('exit', () => lose(started, new Error('the reading process ended')))
    return started
  }

  function receive(from: ChildProcess, reply: OffloadReply): void {
    const client = waiting.get(reply.id)
    if (client === undefined) return
    try {
      if ('failure' in reply) throw new Error(reply.failure)
      for (const row of reply.rows) client.take(row)
      if (!reply.isLast) ask(from, { id: reply.id, kind: 'more' })
      else {
        waiting.delete(reply.id)
        client.resolve()
      }
    } catch (failure) {
      waiting.delete(reply.id)
      ask(from, { id: reply.id, kind: 'stop' })
      client.reject(failure instanceof Error ? failure : new Error(String(failure)))
    }
    if (waiting.size === 0) idle = setTimeout(() => retire(from), idleMillis).unref()
  }

  function retire(unused: ChildProcess): void {
    if (worker !== unused) return
    worker = undefined
    unused.kill('SIGKILL')
  }

  /** Fails all pending calls of a process that ended; the next query starts a new one. */
  function lose(lost: ChildProcess, failure: Error): void {
    if (worker !== lost) return
    worker = undefined
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
  }
}

function ask(reader: ChildProcess, request: OffloadRequest): void {
  // A process that ended is reported by `exit`, one that failed to start by `error`: neither has a channel.
  if (reader.connected) reader.send(request, () => {})
}
