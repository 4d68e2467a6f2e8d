// How many connections are open, in all threads. Each thread counts in its own row of shared memory, so that there are
// no races, and so that the connections of a thread that has died are not counted any more.
import type { Transport } from './peer.ts'

export type StreamTransport = Exclude<Transport, 'udp'>

const COLUMNS: Readonly<Record<StreamTransport, number>> = { tcp: 0, tls: 1, https: 2 }
/** Counters of addresses. Addresses with the same counter share a limit; which ones do is secret. */
const BUCKETS = 65_536
/** Before the counters of a transport is their sum. */
const COLUMN_CELLS = 1 + BUCKETS
const ROW_CELLS = 3 * COLUMN_CELLS

/** Memory that is never written to costs nothing. */
export const connectionCountsMemory = (rows: number): SharedArrayBuffer =>
  new SharedArrayBuffer(rows * ROW_CELLS * 4)

export class ConnectionCounts {
  readonly row: number
  readonly #cells: Uint32Array
  readonly #rows: number
  readonly #seed: number

  /** @param seed 32 secret bits, the same in all threads */
  constructor(memory: SharedArrayBuffer, row: number, seed: number) {
    this.row = row
    this.#cells = new Uint32Array(memory)
    this.#rows = memory.byteLength / 4 / ROW_CELLS
    this.#seed = seed
  }

  total(transport: StreamTransport): number {
    return this.#sum(COLUMNS[transport] * COLUMN_CELLS)
  }

  ofAddress(transport: StreamTransport, address: string): number {
    return this.#sum(COLUMNS[transport] * COLUMN_CELLS + this.#bucket(address))
  }

  /** Counts a connection that was opened (1) or closed (-1) in this thread. */
  add(transport: StreamTransport, address: string, change: 1 | -1): void {
    const start = this.row * ROW_CELLS + COLUMNS[transport] * COLUMN_CELLS
    Atomics.add(this.#cells, start, change)
    Atomics.add(this.#cells, start + this.#bucket(address), change)
  }

  /** The row with most connections; this one if none has more. */
  fullest(transport: StreamTransport): number {
    const of = (row: number): number =>
      Atomics.load(this.#cells, row * ROW_CELLS + COLUMNS[transport] * COLUMN_CELLS)
    let fullest = this.row
    for (let row = 0; row < this.#rows; row += 1) if (of(row) > of(fullest)) fullest = row
    return fullest
  }

  /** The thread of a row has died. */
  clear(row: number): void {
    this.#cells.fill(0, row * ROW_CELLS, (row + 1) * ROW_CELLS)
  }

  #sum(cell: number): number {
    let sum = 0
    for (let row = 0; row < this.#rows; row += 1) sum += Atomics.load(this.#cells, row * ROW_CELLS + cell)
    return sum
  }

  /** FNV-1a. Counters start at 1. */
  #bucket(address: string): number {
    let sum = 0x811c_9dc5 ^ this.#seed
    for (let i = 0; i < address.length; i += 1) sum = Math.imul(sum ^ address.charCodeAt(i), 0x0100_0193)
    return 1 + ((sum ^ (sum >>> 16)) & (BUCKETS - 1))
  }
}
