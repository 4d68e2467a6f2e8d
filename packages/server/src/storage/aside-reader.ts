// Reads in a process of their own: a query that walks a million rows keeps nobody waiting but who asked for it. A
// process and not a thread: a query in the middle of its work can be ended at any time, and takes nobody along. It folds the
// log into the file, too, after large commits.
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Compilable } from 'kysely'
import { workerFile } from '../platform/worker-file.ts'
import type { Reader } from './storage.ts'

/** A new query, the next portion of its rows, the end of the wish for them; or the log folded into the file. */
export type AsideRequest = { readonly id: number } & (
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'more' | 'stop' | 'checkpoint' }
)

export type AsideReply =
  | { readonly id: number; readonly rows: readonly unknown[]; readonly isLast: boolean }
  | { readonly id: number; readonly failure: string }

type Wanted =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'checkpoint' }

interface Waiting {
  take(row: unknown): void
  resolve(): void
  reject(failure: Error): void
}

export interface AsideReader extends Reader {
  /** Folds what is committed into the file as far as readers allow. Nobody who reads or writes waits for it. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

/** Opens nothing until it is first asked. What it starts keeps nobody alive, and ends with who started it. */
export function createAsideReader(path: string): AsideReader {
  const waiting = new Map<number, Waiting>()
  let worker: ChildProcess | undefined
  let closed = false
  let lastId = 0

  return {
    async all<Row>(compilable: Compilable<Row>) {
      const rows: Row[] = []
      await each<Row>(compilable, (row) => void rows.push(row))
      return rows
    },
    async first<Row>(compilable: Compilable<Row>) {
      const rows: Row[] = []
      await each<Row>(compilable, (row) => void rows.push(row))
      return rows[0]
    },
    each,
    checkpoint: () => request({ kind: 'checkpoint' }, () => {}),
    async close() {
      closed = true
      // What it reads is nobody's any more, and what it had not folded stays in the log: SQLite does that anew.
      worker?.kill('SIGKILL')
    },
  }

  function each<Row>(compilable: Compilable<Row>, take: (row: Row) => void): Promise<void> {
    const { sql, parameters } = compilable.compile()
    return request({ kind: 'query', sql, parameters }, (row) => take(row as Row)) // rows have the columns that were selected
  }

  function request(wanted: Wanted, take: (row: unknown) => void): Promise<void> {
    if (closed) return Promise.reject(new Error('the database is closed'))
    const reader = (worker ??= start())
    const id = ++lastId
    return new Promise((resolve, reject) => {
      waiting.set(id, { take, resolve, reject })
      ask(reader, { ...wanted, id })
    })
  }

  function start(): ChildProcess {
    const { url, execArgv } = workerFile('./aside.worker', import.meta.url)
    const started = fork(fileURLToPath(url), [path], {
      serialization: 'advanced', // rows hold bytes
      execArgv: [...execArgv],
    })
    started.unref()
    started.channel?.unref()
    started.on('message', (reply: AsideReply) => receive(started, reply))
    started.on('error', (failure) => lose(started, failure))
    started.on('exit', () => lose(started, new Error('the reading process ended')))
    return started
  }

  function receive(from: ChildProcess, reply: AsideReply): void {
    const asker = waiting.get(reply.id)
    if (asker === undefined) return
    try {
      if ('failure' in reply) throw new Error(reply.failure)
      for (const row of reply.rows) asker.take(row)
      if (!reply.isLast) ask(from, { id: reply.id, kind: 'more' })
      else {
        waiting.delete(reply.id)
        asker.resolve()
      }
    } catch (failure) {
      waiting.delete(reply.id)
      ask(from, { id: reply.id, kind: 'stop' })
      asker.reject(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }

  /** Whoever waits for a process that is gone fails; the next query starts another. */
  function lose(lost: ChildProcess, failure: Error): void {
    if (worker !== lost) return
    worker = undefined
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
  }
}

function ask(reader: ChildProcess, request: AsideRequest): void {
  // One that is gone says so by its `exit`.
  reader.send(request, () => {})
}
