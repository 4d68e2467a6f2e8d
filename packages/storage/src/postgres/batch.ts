// Statements that leave together, with one point of synchronization: the server runs one after the other, and replies once,
// instead of waking both sides for each of them. None runs after one that failed.
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { TYPES } from './values.ts'

export interface Result {
  readonly rows: readonly object[]
  /** Number of rows written or returned. */
  readonly count: number
  /** What the server says that it did: INSERT 0 1. */
  readonly tag: string
}

export interface Statement {
  readonly text: string
  /** Of the prepared statement; undefined if it is not kept. */
  readonly name: string | undefined
  readonly values: readonly unknown[]
  /** Gets the rows in place of the result. */
  readonly take: ((row: object) => void) | undefined
}

/** The failure of a caller's own code, which says nothing about the connection. */
export class TakeError extends Error {}

interface Field {
  readonly name: string
  readonly parse: (text: string) => unknown
}

const NO_FIELDS: readonly Field[] = []

/** What a connection has prepared. */
export interface Prepared {
  /** Of statements that were sent to be prepared: also in a batch whose replies are outstanding. */
  readonly names: Set<string>
  /** Of statements that may be prepared or not: these names are not used any more. */
  readonly doubtful: Set<string>
  /** Of the rows of statements that were run: these are not described again. */
  readonly fields: Map<string, readonly Field[]>
}

export const nothingPrepared = (): Prepared => ({ names: new Set(), doubtful: new Set(), fields: new Map() })

/** A class, because copies of objects have hidden classes of their own (ADR 151). */
class Entry {
  readonly statement: Statement
  readonly parameters: readonly (string | Buffer | null)[]
  readonly resolve: (result: Result) => void
  readonly reject: (failure: unknown) => void
  /** As the statement is prepared; empty if it is not. */
  name = ''
  /** Whether this batch has its statement prepared. */
  prepares = false
  /** Of its rows, once they are described. */
  fields: readonly Field[] = NO_FIELDS
  readonly rows: object[] = []
  taken = 0
  failure: unknown = undefined

  constructor(
    statement: Statement,
    resolve: (result: Result) => void,
    reject: (failure: unknown) => void,
    parameters: readonly (string | Buffer | null)[],
  ) {
    this.statement = statement
    this.parameters = parameters
    this.resolve = resolve
    this.reject = reject
  }
}

interface BatchDeps {
  readonly to: pg.Client
  readonly prepared: Prepared
  /** Without a row or a reply for so long, the connection is as good as broken. */
  readonly limitMillis: number
}

/** A query of the driver that is many; in its pipeline mode, the driver takes no others than its own class. */
export class Batch extends pg.Query<object> {
  readonly #deps: BatchDeps
  readonly #entries: Entry[] = []
  /** Index of the statement whose reply is next. */
  #at = 0
  #silence: NodeJS.Timeout | undefined
  /** The driver calls it in place of an event. */
  readonly callback = (): void => {}

  constructor(deps: BatchDeps) {
    super('')
    this.#deps = deps
    this.submit = (connection) => this.#submit(connection)
  }

  get size(): number {
    return this.#entries.length
  }

  send(): void {
    this.#deps.to.query(this)
  }

  /** Adds a statement, before the batch is sent. @throws TakeError: a value has no form in SQL. */
  add(statement: Statement): Promise<Result> {
    const parameters = statement.values.map(toParameter)
    return new Promise<Result>((resolve, reject) => {
      this.#entries.push(new Entry(statement, resolve, reject, parameters))
    })
  }

  #submit(connection: pg.Connection): void {
    const { to, limitMillis } = this.#deps
    this.#silence = setTimeout(() => endNow(to), limitMillis)
    const messages: Buffer[] = []
    for (const entry of this.#entries) this.#write(messages, entry)
    messages.push(serialize.sync())
    // In one piece: the stream takes longer for many small ones.
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
  }

  #write(messages: Buffer[], entry: Entry): void {
    const { parameters } = entry
    const { text, name } = entry.statement
    const { names, doubtful, fields } = this.#deps.prepared
    if (name !== undefined && !doubtful.has(name)) entry.name = name
    if (entry.name === '' || !names.has(entry.name))
      messages.push(serialize.parse({ name: entry.name, text }))
    if (entry.name !== '' && !names.has(entry.name)) {
      names.add(entry.name)
      entry.prepares = true
    }
    messages.push(serialize.bind({ statement: entry.name, values: parameters as never[] })) // Buffers are values, too
    const known = fields.get(entry.name)
    if (known === undefined) messages.push(serialize.describe({ type: 'P' }))
    else entry.fields = known
    messages.push(serialize.execute())
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { name: string; dataTypeID: number }[]
  }): void {
    const entry = this.#entries[this.#at]
    if (entry !== undefined)
      entry.fields = fields.map(({ name, dataTypeID }) => ({ name, parse: TYPES.getTypeParser(dataTypeID) }))
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    this.#silence?.refresh()
    const entry = this.#entries[this.#at]
    if (entry === undefined || entry.failure !== undefined) return
    const row: Record<string, unknown> = {}
    let index = 0
    for (const { name, parse } of entry.fields) {
      const value = values[index]
      row[name] = value === null || value === undefined ? null : parse(value)
      index += 1
    }
    const { take } = entry.statement
    if (take === undefined) return void entry.rows.push(row)
    try {
      take(row)
      entry.taken += 1
    } catch (thrown) {
      entry.failure = new TakeError('', { cause: thrown })
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#silence?.refresh()
    const entry = this.#entries[this.#at]
    this.#at += 1
    if (entry === undefined) return
    const { name, rows, taken, failure, resolve, reject } = entry
    const { take } = entry.statement
    if (name !== '') this.#deps.prepared.fields.set(name, entry.fields)
    if (failure !== undefined) return reject(failure)
    // UPDATE 1, INSERT 0 1; some have no number.
    const count = take === undefined ? Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 : taken
    resolve({ rows, count, tag: text })
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(failure: Error): void {
    clearTimeout(this.#silence)
    const { names, doubtful } = this.#deps.prepared
    const [failed, ...others] = this.#entries.slice(this.#at)
    this.#at = this.#entries.length
    if (failed?.prepares === true) doubtful.add(failed.name)
    for (const { name, prepares } of others) if (prepares) names.delete(name)
    for (const entry of [failed, ...others]) entry?.reject(failure)
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#silence)
  }
}

/** Without waiting for replies. */
export function endNow(client: pg.Client): void {
  client.end().catch(() => {}) // as good as ended
  client.connection.stream.destroy()
}

/** @throws TakeError: the value has no form in SQL. */
export function toParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  throw new TakeError('', { cause: new TypeError(`a ${typeof value} is no value of a query`) })
}
