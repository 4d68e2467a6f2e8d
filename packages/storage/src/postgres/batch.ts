// Statements that leave together, with one point of synchronization: the server runs one after the other, and replies once,
// instead of waking both sides for each of them. None runs after one that failed.
import pg from 'pg'
import { TYPES } from './values.ts'

export interface Result {
  readonly rows: readonly object[]
  /** Number of rows written or returned. */
  readonly count: number
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

/** What a connection has prepared. */
export interface Prepared {
  /** Of statements that were sent to be prepared: also in a batch whose replies are outstanding. */
  readonly names: Set<string>
  /** Of statements that may be prepared or not: these names are not used any more. */
  readonly doubtful: Set<string>
}

export const nothingPrepared = (): Prepared => ({ names: new Set(), doubtful: new Set() })

interface Entry extends Statement {
  readonly parameters: readonly (string | Buffer | null)[]
  /** Whether this batch has its statement prepared. */
  prepares: boolean
  readonly rows: object[]
  taken: number
  failure: unknown
  readonly resolve: (result: Result) => void
  readonly reject: (failure: unknown) => void
}

interface Field {
  readonly name: string
  readonly parse: (text: string) => unknown
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
  #fields: readonly Field[] = []
  #silence: NodeJS.Timeout | undefined
  /** The driver calls it in place of an event. */
  readonly callback = (): void => {}

  constructor(deps: BatchDeps) {
    super({ text: '' })
    this.#deps = deps
    this.submit = (connection) => this.#submit(connection)
  }

  send(): void {
    this.#deps.to.query(this)
  }

  /** Adds a statement, before the batch is sent. @throws TakeError: a value has no form in SQL. */
  add(statement: Statement): Promise<Result> {
    const parameters = statement.values.map(toParameter)
    return new Promise<Result>((resolve, reject) => {
      const reply = { rows: [], taken: 0, failure: undefined, resolve, reject }
      this.#entries.push({ ...statement, ...reply, parameters, prepares: false })
    })
  }

  #submit(connection: pg.Connection): void {
    const { to, limitMillis } = this.#deps
    this.#silence = setTimeout(() => endNow(to), limitMillis)
    connection.stream.cork()
    for (const entry of this.#entries) this.#send(connection, entry)
    connection.sync()
    connection.stream.uncork()
  }

  #send(connection: pg.Connection, entry: Entry): void {
    const { text, name, parameters } = entry
    const { names, doubtful } = this.#deps.prepared
    const statement = name === undefined || doubtful.has(name) ? '' : name
    if (statement === '' || !names.has(statement))
      connection.parse({ name: statement, text, types: [] }, true)
    if (statement !== '' && !names.has(statement)) {
      names.add(statement)
      entry.prepares = true
    }
    // The types of the driver ask for more than it reads.
    connection.bind({ statement, values: parameters } as never, true)
    connection.describe({ type: 'P', name: '' }, true)
    connection.execute(null, true)
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { name: string; dataTypeID: number }[]
  }): void {
    this.#fields = fields.map(({ name, dataTypeID }) => ({ name, parse: TYPES.getTypeParser(dataTypeID) }))
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    this.#silence?.refresh()
    const entry = this.#entries[this.#at]
    if (entry === undefined || entry.failure !== undefined) return
    const row: Record<string, unknown> = {}
    for (const [index, { name, parse }] of this.#fields.entries()) {
      const value = values[index]
      row[name] = value === null || value === undefined ? null : parse(value)
    }
    if (entry.take === undefined) return void entry.rows.push(row)
    try {
      entry.take(row)
      entry.taken += 1
    } catch (thrown) {
      entry.failure = new TakeError('', { cause: thrown })
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#silence?.refresh()
    const entry = this.#entries[this.#at]
    this.#at += 1
    this.#fields = []
    if (entry === undefined) return
    const { rows, taken, take, failure, resolve, reject } = entry
    if (failure !== undefined) return reject(failure)
    // UPDATE 1, INSERT 0 1; some have no number.
    resolve({ rows, count: take === undefined ? Number(/\d+$/.exec(text)?.[0]) || 0 : taken })
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(failure: Error): void {
    clearTimeout(this.#silence)
    const { names, doubtful } = this.#deps.prepared
    const [failed, ...others] = this.#entries.slice(this.#at)
    this.#at = this.#entries.length
    if (failed?.name !== undefined && failed.prepares) doubtful.add(failed.name)
    for (const { name, prepares } of others) if (name !== undefined && prepares) names.delete(name)
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

/** @throws TakeError */
function toParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  throw new TakeError('', { cause: new TypeError(`a ${typeof value} is no value of a query`) })
}
