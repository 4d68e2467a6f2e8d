// The memory of all zones: what they share.
import { CHUNK_SIZE } from '@zonereeve/cooperate'
import { MAX_NAME_OCTETS } from '@zonereeve/dns'
import { type HashKey, hashOctets } from '../octet-hash.ts'
import type { WireName } from '../wire-name.ts'
import type { ImageBlocks } from '../zone-data.ts'
import { Control } from './control.ts'
import { Draft } from './draft.ts'
import { findRun, pagesOf } from './name-index.ts'
import { orderedPages } from './ordered-index.ts'
import { Arena, type Pages, octetAt } from './pages.ts'
import { RunView, RunWriter } from './run.ts'
import { freeUnused, placeTree } from './tree-image.ts'
import { Versions } from './versions.ts'
import { type DirectoryChange, ZoneDirectory } from './zone-directory.ts'

/** The run of a key below a root, or 0, and the hash that it has there. */
export interface Place {
  readonly run: number
  readonly hash: number
}

interface HeldTree {
  readonly tree: { readonly root: number; readonly denials: number }
}

export class ZoneStore {
  readonly pages: Pages
  readonly versions: Versions
  readonly control = new Control()
  readonly directory: ZoneDirectory
  readonly hashKey: HashKey
  readonly writer = new RunWriter()
  readonly #arena: Arena
  readonly #owners = new FinalizationRegistry<HeldTree>(({ tree }) => {
    this.#abandoned.push(pagesOf(this.pages, tree.root))
    if (tree.denials !== 0) this.#abandoned.push(orderedPages(this.pages, tree.denials))
  })
  /** The key that was located last: a change reads each name before it writes it. */
  #key = ''
  readonly #keyOctets = new Uint8Array(MAX_NAME_OCTETS)
  #keyHash: number
  /** Trees that nothing refers to any more. */
  readonly #abandoned: Generator<readonly [position: number, units: number], void, undefined>[] = []

  constructor(hashKey: HashKey, maxUnits?: number) {
    this.#arena = new Arena(maxUnits)
    this.pages = this.#arena.pages
    this.versions = new Versions(this.#arena, this.control)
    this.hashKey = hashKey
    this.directory = new ZoneDirectory(this.pages, hashKey, this.control.byLabels)
    this.#keyHash = hashOctets(this.#keyOctets, 0, 0, hashKey)
  }

  /** Octets in use, including those that readers of older versions still have. */
  get usedOctets(): number {
    return this.#arena.usedOctets
  }

  /** Octets of memory that were ever used. */
  get touchedOctets(): number {
    return this.#arena.touchedOctets
  }

  /** Finds the run of a key of WireName.key. */
  locate(root: number, key: string): Place {
    if (key !== this.#key) {
      this.#key = key
      for (let i = 0; i < key.length; i += 1) this.#keyOctets[i] = key.charCodeAt(i)
      this.#keyHash = hashOctets(this.#keyOctets, 0, key.length, this.hashKey)
    }
    const hash = this.#keyHash
    return { hash, run: findRun(this.pages, root, hash, this.#keyOctets, 0, key.length) }
  }

  /** The same for a key in `octets[start, end)`. */
  locateOctets(root: number, octets: Uint8Array, start: number, end: number): Place {
    const hash = hashOctets(octets, start, end, this.hashKey)
    return { hash, run: findRun(this.pages, root, hash, octets, start, end) }
  }

  draft(): Draft {
    return new Draft(this.#arena)
  }

  /**
   * Publishes a draft: from now on, what it has replaced is reused as soon as no reader has it.
   *
   * @param change of the directory, if the draft changes it
   */
  publish(draft: Draft, change?: DirectoryChange): void {
    const { directory } = this
    const [positions, units] = draft.finish()
    this.#freeAbandoned(positions, units)
    if (change !== undefined) {
      directory.root = change.root
      directory.rootById = change.rootById
      directory.totals = change.totals
    }
    this.versions.next(positions, units, directory.root)
  }

  /** Places the image of a tree, which nothing refers to yet. Returns its root. @throws as placeTree */
  restoreTree(image: ImageBlocks): number {
    const draft = this.draft()
    try {
      const placed = placeTree(draft, image)
      this.publish(draft)
      freeUnused(this.#arena, placed)
      return placed.root
    } catch (error) {
      draft.undo()
      throw error
    }
  }

  /** Threads do not find the zone of this apex any more. @throws StoreFullError; then nothing has changed */
  unlist(apex: WireName): void {
    const draft = this.draft()
    try {
      this.publish(draft, this.directory.remove(draft, apex))
    } catch (error) {
      draft.undo()
      throw error
    }
    this.directory.countRemoved(apex)
  }

  /** Copies what the writer has written to a run of its own. @throws StoreFullError */
  put(draft: Draft): number {
    const { writer } = this
    const run = draft.take(writer.units)
    this.pages.octetsOf(run).set(writer.octets.subarray(0, writer.end), octetAt(run))
    return run
  }

  /**
   * Frees a tree when nothing refers to its owner any more, some pages with each of the next changes. A removed zone
   * may still be read by a transfer; the garbage collector knows when it is not.
   */
  freeWith(owner: object, held: HeldTree): void {
    this.#owners.register(owner, held, owner)
  }

  /** The directory refers to the tree of this owner: it stays without the owner. */
  keepWithout(owner: object): void {
    this.#owners.unregister(owner)
  }

  #freeAbandoned(positions: number[], units: number[]): void {
    const view = new RunView()
    for (let left = CHUNK_SIZE; left > 0; left -= 1) {
      const next = this.#abandoned[0]?.next()
      if (next === undefined) return
      if (next.done === true) this.#abandoned.shift()
      else {
        const [position, pageUnits] = next.value
        positions.push(position)
        units.push(pageUnits === 0 ? view.show(this.pages, position).units : pageUnits)
      }
    }
  }
}
