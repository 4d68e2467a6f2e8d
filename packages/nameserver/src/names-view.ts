// The names of one version of a zone, to be read: found by their octets, copied on request.
import type { Node } from './node.ts'
import { type HashKey, hashOctets } from './octet-hash.ts'
import { type Rrset, SignedRecords } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { NameCounts } from './zone-data.ts'
import { findRun } from './zone-store/name-index.ts'
import { type NameInOrder, runAtOrBefore } from './zone-store/ordered-index.ts'
import { type OwnDenial, ownDenialOf } from './zone-store/own-denials.ts'
import type { Pages } from './zone-store/pages.ts'
import { RunView } from './zone-store/run.ts'

/** Key of the apex: keys are names relative to it. */
export const APEX = ''

const NO_OCTETS = new Uint8Array(0)

/** A version of the names. Immutable once it is published. */
export interface Tree extends NameCounts {
  readonly root: number
  /** The names with the zone's own denials, in order; 0: it has none. */
  readonly denials: number
}

export abstract class NamesView {
  readonly apex: WireName
  /** The run that was found last. */
  readonly found = new RunView()
  readonly #pages: Pages
  readonly #hashKey: HashKey

  constructor(apex: WireName, pages: Pages, hashKey: HashKey) {
    this.apex = apex
    this.#pages = pages
    this.#hashKey = hashKey
  }

  abstract readonly tree: Tree

  /** Finds the name in `octets[start, end)`, folded and relative to the apex: then `found` shows it. */
  find(octets: Uint8Array, start: number, end: number): boolean {
    const hash = hashOctets(octets, start, end, this.#hashKey)
    const isThere = this.show(findRun(this.#pages, this.tree.root, hash, octets, start, end))
    return isThere && !this.found.isHidden
  }

  /** A copy of the apex, without a change of `found`. */
  apexNode(): Node {
    return this.#apexView().node(this.apex)
  }

  #apexView(): RunView {
    const hash = hashOctets(NO_OCTETS, 0, 0, this.#hashKey)
    const run = findRun(this.#pages, this.tree.root, hash, NO_OCTETS, 0, 0)
    return new RunView().show(this.#pages, run)
  }

  /** How the zone itself denies names; undefined if it has no denials. */
  ownDenial(): OwnDenial | undefined {
    return this.tree.denials === 0 ? undefined : ownDenialOf(this.#apexView())
  }

  /** The name with the zone's own denial at or before this name. Only for zones that have denials. */
  denialAtOrBefore(name: NameInOrder): RunView {
    return new RunView().show(this.#pages, runAtOrBefore(this.#pages, this.tree.denials, name))
  }

  /** As find(), by a key of WireName.key. */
  findKey(key: string): boolean {
    return this.find(Buffer.from(key, 'latin1'), 0, key.length)
  }

  protected show(run: number): boolean {
    if (run === 0) return false
    this.found.show(this.#pages, run)
    return true
  }

  /** A copy of the name that was found. */
  node(): Node {
    return this.found.node(this.apex)
  }

  /** Whether the rrset of the found name has signatures that are used at this time, in seconds. */
  isSigned(set: number, seconds: number): boolean {
    return this.found.isSigned(set, this.tree.epoch, seconds)
  }

  /** An rrset of the name that was found, with its signatures, if they are used at this time. */
  signed(rrset: Rrset, nowMillis: number): Rrset | undefined {
    const set = this.found.findSet(rrset.type)
    if (set === -1 || !this.isSigned(set, nowMillis / 1000)) return undefined
    return new SignedRecords(rrset, this.found.signedSet(set))
  }
}
