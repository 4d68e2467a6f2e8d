// Statements of one table, compiled on first use, and its rows as objects.
import { sql, type Compilable, type Kysely } from 'kysely'
import { prepareFor } from './prepare.ts'
import { query } from './query.ts'
import { createRowCodec, type DescribedColumn, type RowCodec } from './row-codec.ts'
import { createRowMemory, writeAt } from './row-memory.ts'
import type { Columns, Complete, Rows, Values } from './table.ts'
import { decodeRow, type RowPlace } from './unreadable-rows.ts'

type AnyRows = Rows<object, object>
type Reads = Pick<AnyRows, 'find' | 'first' | 'all' | 'readable' | 'read' | 'count'>
type Build = (values: Values) => Compilable<unknown>
type Statement = (object: object) => Compilable<unknown>

/** Statements are built from column names that the table's types have checked. */
const anyTable = query as unknown as Kysely<Record<string, Values>> // as above

/** @param isWhole whether these are all columns of the table. */
export function createRows(
  table: string,
  key: readonly string[],
  columns: Columns,
  beside: readonly string[],
  isWhole: boolean,
): AnyRows {
  const codec = createRowCodec(table, columns, beside)
  const statement = createStatements(codec)
  const keyMembers = codec.written.filter(({ name }) => key.includes(name)).map(({ member }) => member)
  const memory = createRowMemory(table, keyMembers, isWhole && keyMembers.length === key.length)
  return {
    ...createReads({ table, columns: key }, codec, statement, memory),
    ...createWrites(table, key, codec, statement, memory),
  }
}

type RowMemory = ReturnType<typeof createRowMemory>

/** Each statement is compiled once per shape. */
function createStatements({ reader }: RowCodec) {
  const made = new Map<string, Statement>()
  return (shape: string, build: Build): Statement => {
    const known = made.get(shape)
    if (known !== undefined) return known
    const prepared = prepareFor(build, reader)
    made.set(shape, prepared)
    return prepared
  }
}

function createReads(
  place: RowPlace,
  { matched, decode }: RowCodec,
  statement: ReturnType<typeof createStatements>,
  memory: RowMemory,
): Reads {
  const { table } = place
  return {
    find(db, match) {
      return memory.read(db, match, async () => {
        const chosen = matched(match)
        const found = statement(`find ${namesOf(chosen)}`, (values) =>
          matching(anyTable.selectFrom(table).selectAll(), chosen, values),
        )
        const row = (await db.first(found(match))) as object | undefined // all of its columns
        return row === undefined ? undefined : decodeRow(db, place, row, decode)
      })
    },
    async first(db, desired, complete) {
      const row = await db.first(desired)
      return row === undefined ? undefined : decodeRow(db, place, row, decoder(complete))
    },
    async all(db, desired, complete) {
      const decodeOne = decoder(complete)
      return (await db.all(desired)).map((row) => decodeRow(db, place, row, decodeOne))
    },
    async readable(db, desired, complete) {
      const decodeOne = decoder(complete)
      const found: ReturnType<typeof decodeOne>[] = []
      // Streamed: offloaded reads arrive in chunks.
      await db.each(desired, (row) => {
        try {
          found.push(decodeRow(db, place, row, decodeOne))
        } catch {
          // Reported by the decoder, and skipped.
        }
      })
      return found
    },
    read: (db, row, complete) => decodeRow(db, place, row, decoder(complete)),
    async count(db, match) {
      const chosen = matched(match)
      const counted = statement(`count ${namesOf(chosen)}`, (values) =>
        matching(anyTable.selectFrom(table).select(sql<number>`count(*)`.as('count')), chosen, values),
      )
      const row = (await db.first(counted(match))) as { readonly count: number } // a count returns one row
      return row.count
    },
  }

  function decoder<Row extends object, Whole>(complete: Complete<object, Row, Whole> | undefined) {
    return (row: Row): Whole => (complete === undefined ? (decode(row) as Whole) : complete(decode(row), row)) // then Whole is the entity
  }
}

function createWrites(
  table: string,
  key: readonly string[],
  { written, matched }: RowCodec,
  statement: ReturnType<typeof createStatements>,
  memory: RowMemory,
): Omit<AnyRows, keyof Reads> {
  const keyColumns = written.filter(({ name }) => key.includes(name))
  const others = written.filter(({ name }) => !key.includes(name))
  const insertQuery = (values: Values) => anyTable.insertInto(table).values(valuesOf(written, values))
  return {
    async insert(tx, object, ...places) {
      const insertion = statement('insert', insertQuery)(object)
      await tx.submit(places.length === 0 ? insertion : writeAt(insertion, ...places))
    },
    async insertNew(tx, object) {
      const insertion = statement('insert new', (values) =>
        insertQuery(values).onConflict((conflict) => conflict.doNothing()),
      )
      return (await tx.run(insertion(object))) > 0
    },
    async save(tx, object) {
      const replacement = statement('save', (values) =>
        insertQuery(values).onConflict((conflict) =>
          conflict
            .columns([...key])
            .doUpdateSet(({ ref }) =>
              Object.fromEntries(others.map(({ name }) => [name, ref(`excluded.${name}`)])),
            ),
        ),
      )
      await tx.submit(replacement(object))
    },
    async update(tx, changes, ...places) {
      const update = change(changes)
      if (places.length > 0) writeAt(update, ...places)
      if (tx.memory === undefined) return void (await tx.submit(update))
      const values = changes as Values // any object
      const isWholeRow =
        Object.keys(values).length === written.length &&
        written.every(({ member }) => values[member] !== undefined)
      if (isWholeRow) memory.deferWhole(update, values)
      await tx.submit(update)
      if (isWholeRow) memory.remember(tx.memory, values)
    },
    updateExisting: async (tx, changes) => (await tx.run(change(changes))) > 0,
    remove(tx, match) {
      const chosen = matched(match)
      if (chosen.length === 0) throw new Error(`no condition selects the rows of ${table} to delete`)
      const removal = statement(`remove ${namesOf(chosen)}`, (values) =>
        matching(anyTable.deleteFrom(table), chosen, values),
      )
      return tx.run(removal(match))
    },
  }

  function change(changes: object): Compilable<unknown> {
    if (keyColumns.length < key.length)
      throw new Error(`${table} has rows that the database numbers: none is updated`)
    const members = changes as Values // only columns of the table are used
    const changed = others.filter(({ member }) => members[member] !== undefined)
    return statement(`update ${namesOf(changed)}`, (values) =>
      matching(anyTable.updateTable(table).set(valuesOf(changed, values)), keyColumns, values),
    )(changes)
  }
}

const namesOf = (columns: readonly DescribedColumn[]): string => columns.map(({ name }) => name).join()

const valuesOf = (columns: readonly DescribedColumn[], values: Values): Values =>
  Object.fromEntries(columns.map(({ name }) => [name, values[name]]))

interface Matchable<Query> {
  where(column: string, operator: '=', value: unknown): Query
}

const matching = <Query extends Matchable<Query>>(
  all: Query,
  columns: readonly DescribedColumn[],
  values: Values,
): Query => columns.reduce((some, { name }) => some.where(name, '=', values[name]), all)
