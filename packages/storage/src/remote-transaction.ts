// A transaction of the main thread as code in another thread sees it: statements are sent there in their order, many of them
// in one message, and few messages are on their way at a time.
import type { Compilable, CompiledQuery } from 'kysely'
import { createYieldIfDue } from '@zonereeve/cooperate'
import { elementAt } from '@zonereeve/dns'
import type { Transaction } from './open-storage.ts'

/** A statement as it is sent; parameters are what the driver of SQLite takes. */
export interface SentStatement {
  readonly method: 'all' | 'run' | 'submit'
  /** The text when it is sent first, and its number among those that were sent after that. */
  readonly sql: string | number
  readonly parameters: readonly unknown[]
}

/** A message is sent when it has as many statements, or values of this length: some hundred rows. */
const MAX_STATEMENTS = 50
const MAX_LENGTH = 1 << 18
/** Messages whose results are awaited: enough that neither thread waits for the other one between two of them. */
const MAX_UNANSWERED = 4

export interface RemoteTransaction {
  readonly tx: Transaction
  /** Sends what waits to be sent. */
  flush(): void
  /** Takes the results of the oldest message that has none. */
  take(results: readonly unknown[]): void
}

interface RemoteDeps {
  /** @param transferred memory that nothing else refers to. */
  readonly send: (statements: readonly SentStatement[], transferred: readonly ArrayBuffer[]) => void
  readonly clock: Transaction['clock']
  readonly noteUnreadable: Transaction['unreadable']['note']
}

/** A statement that fails ends the unit there, and this thread with it: no result is an error. */
export function createRemoteTransaction({ send, clock, noteUnreadable }: RemoteDeps): RemoteTransaction {
  type TakeResult = (result: unknown) => void
  const numbers = new Map<string, number>()
  let statements: SentStatement[] = []
  let takers: (TakeResult | undefined)[] = []
  let length = 0
  const unanswered: (typeof takers)[] = []
  let waiting: (() => void)[] = []
  return { tx: { ...unavailable(), clock, ...createStatements() }, flush, take }

  function createStatements() {
    const all = async <Row>(query: Compilable<Row>) => (await ask('all', query)) as Row[] // rows have the selected columns
    return {
      engine: 'sqlite' as const,
      isWriter: true,
      unreadable: { note: noteUnreadable, list: unavailable().unreadable.list },
      all,
      first: async <Row>(query: Compilable<Row>) => (await all(query))[0],
      each: async <Row>(query: Compilable<Row>, take: (row: Row) => void) => (await all(query)).forEach(take),
      run: async (query: Compilable<unknown>) => (await ask('run', query)) as number,
      submit,
      yieldIfDue: createYieldIfDue(), // the thread looks at its memory then
    }
  }

  function ask(method: 'all' | 'run', query: Compilable<unknown>): Promise<unknown> {
    return new Promise((resolve) => {
      add(method, query, resolve)
      flush()
    })
  }

  /** Waits while a message is full and too many before it have no results. */
  async function submit(query: Compilable<unknown>): Promise<void> {
    add('submit', query)
    while (isFull() && unanswered.length >= MAX_UNANSWERED)
      await new Promise<void>((resolve) => waiting.push(resolve))
    if (isFull()) flush()
  }

  function isFull(): boolean {
    return statements.length >= MAX_STATEMENTS || length >= MAX_LENGTH
  }

  function add(method: SentStatement['method'], query: Compilable<unknown>, taker?: TakeResult): void {
    const { sql, parameters } = query.compile()
    const number = numbers.get(sql)
    if (number === undefined) numbers.set(sql, numbers.size)
    statements.push({ method, sql: number ?? sql, parameters })
    takers.push(taker)
    length += lengthOf(parameters)
  }

  function flush(): void {
    if (statements.length === 0) return
    unanswered.push(takers)
    send(statements, statements.flatMap(memoryOfBlock))
    statements = []
    takers = []
    length = 0
  }

  function take(results: readonly unknown[]): void {
    // Each message has one answer.
    for (const [index, taker] of elementAt(unanswered.splice(0, 1), 0).entries()) taker?.(results[index])
    for (const resume of waiting) resume()
    waiting = []
  }
}

/** Runs the statements of one remote transaction, a message at a time. */
export function createStatementRunner(tx: Transaction) {
  const known: string[] = []
  /** @throws the failure of a statement: what was written before it is rolled back by the unit. */
  return async (statements: readonly SentStatement[]): Promise<unknown[]> => {
    const results: unknown[] = []
    for (const { method, sql: sent, parameters } of statements) {
      if (typeof sent === 'string') known.push(sent)
      const sql = typeof sent === 'string' ? sent : elementAt(known, sent)
      const compiled = { sql, parameters } as CompiledQuery // what the executor of SQLite reads
      results.push((await tx[method]({ compile: () => compiled })) as unknown)
      await tx.yieldIfDue()
    }
    return results
  }
}

/** A block is made for its statement alone (`createBlockInsert`). Short octets share the memory of others, and are copied. */
function memoryOfBlock({ parameters: [named] }: SentStatement): ArrayBuffer[] {
  if (typeof named !== 'object' || named === null || named instanceof Uint8Array) return []
  return valuesOf(named).flatMap((value) => {
    const isWhole = value instanceof Uint8Array && value.length === value.buffer.byteLength
    return isWhole ? [value.buffer as ArrayBuffer] : [] // it is not shared
  })
}

const valuesOf = (values: object): unknown[] => Object.values(values) as unknown[] // of whatever kind

function lengthOf(values: object): number {
  let sum = 0
  for (const value of valuesOf(values)) {
    if (typeof value === 'string' || value instanceof Uint8Array) sum += value.length
    // Named values of a block.
    else if (typeof value === 'object' && value !== null) sum += lengthOf(value)
  }
  return sum
}

/** What needs the main thread, which begins and ends the unit. */
function unavailable() {
  const fail = (): never => {
    throw new Error('this is not available in another thread')
  }
  return {
    onCommit: fail,
    publish: fail,
    beforeCommit: fail,
    unreadable: { list: fail },
    vault: new Proxy({}, { get: fail }) as Transaction['vault'], // never read
  }
}
