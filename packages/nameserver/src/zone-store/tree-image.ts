// The pages of one zone as a file stores them: copied into blocks of units, with positions that are relative to the
// blocks. The copy is made from a version that is held; it is placed into a draft, in any store with the same hash key.
import { elementAt } from '@zonereeve/dns'
import type { ImageBlocks } from '../zone-data.ts'
import type { Draft } from './draft.ts'
import { copyIndexPage, indexPageUnits, moveIndexPages, pageReferences } from './name-index.ts'
import { type Arena, octetAt, type Pages, UNIT_OCTETS, unitsTaken } from './pages.ts'
import { RunView } from './run.ts'

/** Changes with the layout of runs, index pages or blocks: other images are not read. */
export const IMAGE_FORMAT = 1

/** Units of a block, unless one run is larger: 128 KiB. */
const BLOCK_BITS = 14
const BLOCK_UNITS = 1 << BLOCK_BITS
/** Units of the first block of a zone until it needs more: there may be very many small zones. */
const FIRST_UNITS = 1 << 7
const MAX_BLOCKS = 1 << (31 - BLOCK_BITS)

/** Copies all pages and runs below a root. The version must be held until the end. */
export function* copyTree(pages: Pages, root: number): ImageBlocks {
  const blocks = new BlockWriter()
  const view = new RunView()
  const relativeRoot = yield* copyPage(root)
  yield blocks.finish()
  return relativeRoot

  function* copyPage(page: number): ImageBlocks {
    const moved: number[] = []
    for (const [position, isRun] of pageReferences(pages, page)) {
      moved.push(isRun ? copyRun(position) : yield* copyPage(position))
      yield* blocks.takeFull()
    }
    yield undefined
    const to = blocks.reserve(indexPageUnits(pages, page))
    yield* blocks.takeFull()
    copyIndexPage(pages, page, { octets: blocks.octets, at: blocks.at }, moved)
    return to
  }

  function copyRun(position: number): number {
    const { units } = view.show(pages, position)
    const to = blocks.reserve(units)
    const start = octetAt(position)
    blocks.octets.set(pages.octetsOf(position).subarray(start, start + units * UNIT_OCTETS), blocks.at)
    return to
  }
}

/** Collects runs of units. */
class BlockWriter {
  octets = new Uint8Array(FIRST_UNITS * UNIT_OCTETS)
  /** Where the run that was reserved last begins. */
  at = 0
  /** Position 0 is none. */
  #used = 1
  #number = 0
  readonly #full: Uint8Array[] = []

  /** Returns the relative position of a run of this many units. */
  reserve(units: number): number {
    const size = unitsTaken(units)
    if (this.#used + size > BLOCK_UNITS && this.#used > 0) this.#next()
    const end = (this.#used + size) * UNIT_OCTETS
    if (end > this.octets.length) this.#grow(end)
    const position = this.#number * BLOCK_UNITS + this.#used
    this.at = this.#used * UNIT_OCTETS
    this.#used += size
    return position
  }

  #grow(octets: number): void {
    const doubled = Math.min(2 * this.octets.length, BLOCK_UNITS * UNIT_OCTETS)
    const larger = new Uint8Array(Math.max(octets, doubled))
    larger.set(this.octets.subarray(0, this.#used * UNIT_OCTETS))
    this.octets = larger
  }

  #next(): void {
    this.#full.push(this.octets.subarray(0, this.#used * UNIT_OCTETS))
    this.octets = new Uint8Array(BLOCK_UNITS * UNIT_OCTETS)
    this.#used = 0
    this.#number += 1
    if (this.#number === MAX_BLOCKS) throw new Error('a zone has more blocks than positions')
  }

  *takeFull(): Generator<Uint8Array, void, void> {
    for (let block = this.#full.shift(); block !== undefined; block = this.#full.shift()) yield block
  }

  finish(): Uint8Array {
    return this.octets.subarray(0, this.#used * UNIT_OCTETS)
  }
}

/** Where the blocks of an image were placed. */
interface PlacedBlock {
  readonly position: number
  readonly units: number
}

/** A tree in a draft that is not published yet. */
export interface PlacedTree {
  readonly root: number
  readonly blocks: readonly PlacedBlock[]
}

/** Places an image into a draft. @throws StoreFullError, RangeError if it is none, and what `image` throws */
export function placeTree(draft: Draft, image: ImageBlocks): PlacedTree {
  const blocks: PlacedBlock[] = []
  for (;;) {
    const step = image.next()
    if (step.done === true) {
      const root = moveIndexPages(draft.pages, positionIn(blocks, step.value), (at) => positionIn(blocks, at))
      return { root, blocks }
    }
    if (step.value === undefined) continue
    const units = step.value.length / UNIT_OCTETS
    const position = draft.take(units)
    draft.pages.octetsOf(position).set(step.value, octetAt(position))
    blocks.push({ position, units })
  }
}

function positionIn(blocks: readonly PlacedBlock[], relative: number): number {
  const offset = relative & (BLOCK_UNITS - 1)
  const block = relative >>> BLOCK_BITS
  if (relative <= 0 || block >= blocks.length) throw new RangeError(`no block has position ${relative}`)
  const { position, units } = elementAt(blocks, block)
  if (offset >= units) throw new RangeError(`block ${block} has no position ${offset}`)
  return position + offset
}

/** Frees the units of published blocks that are in no run. Each run is freed by itself from now on. */
export function freeUnused(arena: Arena, { blocks }: PlacedTree): void {
  for (const [index, { position, units }] of blocks.entries()) {
    if (index === 0) arena.giveBack(position, 1)
    arena.freeRest(position, units)
  }
}
