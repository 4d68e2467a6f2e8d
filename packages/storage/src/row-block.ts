// Inserts many rows by one statement, which takes their values out of a few octet strings: passing each value of each
// row on its own, and beginning a statement for each, takes SQLite longer than all the rest.
import type { Compilable } from 'kysely'
import type { Transaction } from './open-storage.ts'
import { Utf8Writer } from './utf8-writer.ts'

/** How a column gets its values. */
export interface BlockColumn<Row> {
  readonly member: keyof Row & string
  /** shared: all rows of a block have the same, so that one with another value begins the next block. */
  readonly form: 'shared' | 'text' | 'text or null' | 'octets' | 'number'
  /** What is stored instead of the value. */
  readonly written?: (value: string) => string
}

export interface BlockOptions<Row> {
  readonly table: string
  readonly columns: Readonly<Record<string, BlockColumn<Row>>>
  /** Inserts one row, in whatever way. */
  readonly one: (tx: Transaction, row: Row) => Promise<void>
}

/** Below it, a block takes as long as statements of their own, which are ready more often. */
const MIN_ROWS = 16
const MAX_ROWS = 500
/** A row of its own may be larger. */
const MAX_LENGTH = 1 << 20
/** Digits of a place within the values of a block, and of a number from 0 to 2^32-1: multiples of {@link GROUP_DIGITS}. */
const PLACE_DIGITS = 8
const NUMBER_DIGITS = 12
/** Comes before each text that may be null: nothing at all is null. */
const PRESENT = '+'

type InsertMany<Row> = (tx: Transaction, rows: readonly Row[]) => Promise<void>

/**
 * Rows are inserted in their order. With PostgreSQL, which is sent many statements before the first has its reply, each
 * row has its own.
 */
export function createBlockInsert<Row extends object>(options: BlockOptions<Row>): InsertMany<Row> {
  const plan = planOf(options)
  const writer = new Utf8Writer()
  return async (tx, rows) => {
    if (tx.engine !== 'sqlite' || rows.length < MIN_ROWS) {
      await Promise.all(rows.map((row) => options.one(tx, row)))
      return
    }
    for (let at = 0; at < rows.length;) {
      const { insert, end } = takeBlock(plan, writer, rows, at)
      await tx.submit(insert)
      at = end
    }
  }
}

interface Plan<Row> {
  readonly statement: string
  /** Digits for each row. */
  readonly width: number
  readonly shared: readonly (keyof Row & string)[]
  readonly strings: readonly (keyof Row & string)[]
  /** For each of the strings whether it may be null. */
  readonly nullable: readonly boolean[]
  readonly octets: readonly (keyof Row & string)[]
  readonly numbers: readonly (keyof Row & string)[]
}

function planOf<Row>({ table, columns }: BlockOptions<Row>): Plan<Row> {
  const all = Object.entries(columns)
  const membersOf = (...forms: readonly string[]) => [
    ...new Set(all.flatMap(([, { form, member }]) => (forms.includes(form) ? [member] : []))),
  ]
  const lists = {
    shared: membersOf('shared'),
    strings: membersOf('text', 'text or null'),
    octets: membersOf('octets'),
    numbers: membersOf('number'),
  }
  // Of each value its start, in the order of its row, and then its end.
  const places = [...startsOf('t', lists.strings), ...startsOf('o', lists.octets)]
  const width = places.length * PLACE_DIGITS + lists.numbers.length * NUMBER_DIGITS
  const digits = (row: string, at: number, length: number) =>
    `cast(substr($numbers, ${row} * ${width} + ${at + 1}, ${length}) as integer)`
  const placesIn = (row: string) =>
    places.map((_, index) => digits(row, index * PLACE_DIGITS, PLACE_DIGITS)).join(', ')
  const between = (kind: string, from: string, index: number) =>
    `substr(${from}, ${kind}${index}, ${kind}${index + 1} - ${kind}${index})`
  const valueOf = ({ form, member }: BlockColumn<Row>): string => {
    const text = () => between('t', '$strings', lists.strings.indexOf(member))
    switch (form) {
      case 'shared':
        return `$${member}`
      case 'octets':
        return between('o', '$octets', lists.octets.indexOf(member))
      case 'text':
        return `cast(${text()} as text)`
      case 'text or null':
        return `case length(${text()}) when 0 then null else cast(substr(${text()}, 2) as text) end`
      case 'number': {
        const at = places.length * PLACE_DIGITS + lists.numbers.indexOf(member) * NUMBER_DIGITS
        return digits('n', at, NUMBER_DIGITS)
      }
    }
  }
  const values = all.map(([, column]) => (column.written ?? String)(valueOf(column)))
  const statement =
    `insert into ${table} (${all.map(([name]) => name).join(', ')}) ` +
    `with recursive places(n, ${places.join(', ')}) as (select 0, ${placesIn('0')} ` +
    `union all select n + 1, ${placesIn('(n + 1)')} from places where n + 1 < $count) ` +
    `select ${values.join(', ')} from places`
  const orNull = membersOf('text or null')
  return { statement, width, ...lists, nullable: lists.strings.map((member) => orNull.includes(member)) }
}

const startsOf = (kind: string, members: readonly string[]): string[] =>
  members.length === 0 ? [] : [...members, ''].map((_, index) => `${kind}${index}`)

/** The rows from `start` on that have its shared values, within the limits, and the row after them. */
function takeBlock<Row extends object>(
  plan: Plan<Row>,
  writer: Utf8Writer,
  rows: readonly Row[],
  start: number,
): { readonly insert: Compilable<unknown>; readonly end: number } {
  const { shared, strings, octets, numbers, nullable } = plan
  const first = rows[start] as Row // there is one
  const lengths: number[] = []
  const values: Uint8Array[] = []
  writer.clear()
  let length = 0
  let end = start
  for (const limit = Math.min(rows.length, start + MAX_ROWS); end < limit && length < MAX_LENGTH; end += 1) {
    const row = rows[end] as Row // as above
    if (!areShared(plan, row, first)) break
    const ofRow = strings.map((member, index) => {
      const value = row[member] as string | null // as described
      return value === null ? '' : nullable[index] === true ? `${PRESENT}${value}` : value
    })
    length += addStrings(writer, ofRow, lengths)
    for (const member of octets) {
      const value = row[member] as Uint8Array // as described
      values.push(value)
      length += value.length
    }
  }
  const places = {
    strings: createPlaces(lengths),
    octets: createPlaces(values.map((value) => value.length)),
  }
  const digits = createDigits((end - start) * plan.width)
  for (let at = start; at < end; at += 1) {
    places.strings(strings.length, digits)
    places.octets(octets.length, digits)
    for (const member of numbers) digits.add((rows[at] as Row)[member] as number, NUMBER_DIGITS) // as described
  }
  const named: Record<string, unknown> = {
    numbers: digits.octets,
    strings: Buffer.from(writer.written), // without room for more: it may be sent to another thread
    octets: concatOctets(values),
    count: end - start,
  }
  for (const member of shared) named[member] = first[member]
  const compiled = { sql: plan.statement, parameters: [named] }
  const insert = { compile: () => compiled } as unknown as Compilable<unknown> // what the executor of SQLite reads
  return { insert, end }
}

function areShared<Row>({ shared }: Plan<Row>, row: Row, first: Row): boolean {
  for (const member of shared) if (row[member] !== first[member]) return false
  return true
}

/**
 * Adds the strings of a row: one call for all of them takes less time than one for each.
 *
 * @param lengths gets the octets of each. @returns their sum.
 */
function addStrings(writer: Utf8Writer, strings: readonly string[], lengths: number[]): number {
  let joined = ''
  for (const string of strings) joined += string
  const octets = writer.add(joined)
  if (octets === joined.length) {
    for (const { length } of strings) lengths.push(length)
    return octets
  }
  // Each on its own: halves of a surrogate pair at the end of one string and the beginning of the next must not meet.
  writer.cut(octets)
  let sum = 0
  for (const string of strings) {
    const length = writer.add(string)
    lengths.push(length)
    sum += length
  }
  return sum
}

/** Writes where the values of the next row start, and where the last one ends. */
function createPlaces(lengths: readonly number[]) {
  let index = 0
  let place = 1
  return (count: number, digits: ReturnType<typeof createDigits>): void => {
    if (count === 0) return
    digits.add(place, PLACE_DIGITS)
    for (const end = index + count; index < end; index += 1) {
      place += lengths[index] as number // there are `count` for each row
      digits.add(place, PLACE_DIGITS)
    }
  }
}

/** Short octets one by one: a call for each takes longer. */
function concatOctets(all: readonly Uint8Array[]): Buffer {
  const joined = Buffer.allocUnsafe(all.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const octets of all) {
    if (octets.length > MAX_COPIED_BYTEWISE) joined.set(octets, end)
    else for (let at = 0; at < octets.length; at += 1) joined[end + at] = octets[at] as number // within it
    end += octets.length
  }
  return joined
}

const MAX_COPIED_BYTEWISE = 32
/** Digits that are written at once. */
const GROUP_DIGITS = 4
const GROUP_VALUES = 10 ** GROUP_DIGITS
/** Octets of the digits of each number of a group. */
const GROUPS = new Uint32Array(
  Uint8Array.from(
    Array.from({ length: GROUP_VALUES }, (_, value) => [
      ...Buffer.from(String(value).padStart(GROUP_DIGITS, '0')),
    ]).flat(),
  ).buffer,
)

/** Whole numbers from 0 with leading zeros. */
function createDigits(length: number) {
  const groups = new Uint32Array(length / GROUP_DIGITS)
  let end = 0
  return {
    octets: new Uint8Array(groups.buffer),
    add(value: number, digits: number): void {
      let rest = value
      const start = end
      end += digits / GROUP_DIGITS
      for (let at = end - 1; at >= start; at -= 1) {
        const higher = Math.floor(rest / GROUP_VALUES)
        groups[at] = GROUPS[rest - GROUP_VALUES * higher] as number // one for each number of a group
        rest = higher
      }
      if (rest !== 0) throw new RangeError(`${value} has no place in ${digits} digits`)
    },
  }
}
