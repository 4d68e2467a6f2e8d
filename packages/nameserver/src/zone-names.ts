// The names of a zone: a run of octets for each in the zone store, and the empty non-terminals above them. A change is
// made aside and takes effect at once; readers of an older root go on reading that.
import { type Chunked, CHUNK_SIZE } from '@zonereeve/cooperate'
import { compareOctets } from '@zonereeve/dns'
import { EMPTY_NODE, type Node } from './node.ts'
import { APEX, NamesView, type Tree } from './names-view.ts'
import { SignatureReader } from './signature-batch.ts'
import { parentKey, type WireName } from './wire-name.ts'
import type { NamesImage } from './zone-data.ts'
import type { Draft } from './zone-store/draft.ts'
import { NameInOrder, orderedPages, putInOrder } from './zone-store/ordered-index.ts'
import { hasDenial, type OwnDenial, ownDenialOf } from './zone-store/own-denials.ts'
import { putRun, runsOf } from './zone-store/name-index.ts'
import { octetAt, StoreFullError } from './zone-store/pages.ts'
import { NAME_FLAG, RUN, RunView } from './zone-store/run.ts'
import type { ListedZone, ZoneEntry } from './zone-store/zone-directory.ts'
import type { Place, ZoneStore } from './zone-store/zone-store.ts'

/** What is freed when nothing refers to the names any more, and how threads see the zone. */
interface Held {
  tree: Tree
  listed: ListedZone | undefined
}

const NO_NAMES: Tree = { root: 0, denials: 0, size: 0, cuts: 0, dnames: 0, wildcards: 0, epoch: 0 }

export class ZoneNames extends NamesView {
  readonly store: ZoneStore
  readonly #held: Held
  /** Changes that are being made. */
  #changes = 0

  /** @param listed as the directory has it; otherwise there are no names yet */
  constructor(apex: WireName, store: ZoneStore, listed?: ZoneEntry) {
    super(apex, store.pages, store.hashKey)
    this.store = store
    this.#held = { tree: listed?.tree ?? NO_NAMES, listed }
    if (listed === undefined) store.freeWith(this, this.#held)
  }

  /** The newest version. */
  override get tree(): Tree {
    return this.#held.tree
  }

  /** Threads do not find the zone by these names any more: it was removed, or another one took its place. */
  unlist(): void {
    this.#held.listed = undefined
    this.store.freeWith(this, this.#held)
  }

  /** As find(), by a key of WireName.key. */
  override findKey(key: string): boolean {
    return this.show(this.#runOf(key))
  }

  #runOf(key: string): number {
    return this.store.locate(this.tree.root, key).run
  }

  /**
   * Stores the signatures of a zone's number in a batch, except those of rrsets that have changed since. Only a cache: it
   * may not be possible. Returns whether all are stored.
   */
  keepSignatures(batch: Uint8Array, zone = 0): boolean {
    const { store, tree } = this
    // A change that is being made would replace the tree by one without the signatures, and free its pages again.
    if (this.#changes > 0 || tree.denials !== 0) return false
    const draft = store.draft()
    const made = new SignatureReader(batch)
    let { root } = tree
    let areStored = true
    try {
      while (made.next(zone)) {
        const changed = this.#putSigned(draft, root, made)
        if (changed === 0) areStored = false
        else root = changed
      }
      if (root === tree.root) return areStored
      const signed = { ...tree, root }
      const { listed } = this.#held
      const directory = listed && store.directory.put(draft, this.apex, listed, signed)
      this.#held.tree = signed
      store.publish(draft, directory)
      return areStored
    } catch (error) {
      draft.undo()
      if (!(error instanceof StoreFullError)) throw error
      return false
    }
  }

  /** Returns the root of the tree with the signatures that were read; 0 if they are of other records. @throws StoreFullError */
  #putSigned(draft: Draft, root: number, made: SignatureReader): number {
    const { found, store } = this
    const { octets, name, records, signatures, end } = made
    const { run, hash } = store.locateOctets(root, octets, name, records)
    if (!this.show(run)) return 0
    const set = found.findSet(made.type)
    if (set === -1 || compareOctets(found.records(set), octets.subarray(records, signatures)) !== 0) return 0
    const { units } = found
    store.writer.writeSigned(found, set, octets.subarray(signatures, end), this.tree.epoch)
    const changed = putRun(draft, root, hash, run, store.put(draft))
    draft.drop(run, units)
    return changed
  }

  /** Keys of all names, in no order. */
  keys(): string[] {
    const view = new RunView()
    const { pages } = this.store
    return Array.from(runsOf(pages, this.tree.root), (run) => view.show(pages, run).key)
  }

  /**
   * All names as they are now, the apex first, the others in no order; they can be read several times. The version is
   * held until `release`.
   */
  snapshot(): {
    readonly entries: Iterable<readonly [key: string, node: Node]>
    readonly release: () => void
  } {
    return { entries: this.entries(), release: this.store.versions.hold() }
  }

  /** Takes the names from an image in place of those that it has; their signatures are invalid. @throws as placeTree */
  restore({ counts, blocks }: NamesImage): void {
    const root = this.store.restoreTree(blocks)
    this.#held.tree = { ...counts, root, denials: 0, epoch: (counts.epoch + 1) >>> 0 }
  }

  /** All names of the newest version. To be read before anything changes. */
  entries(): Iterable<readonly [key: string, node: Node]> {
    const { root } = this.tree
    const apex = this.#runOf(APEX)
    return { [Symbol.iterator]: () => this.#entriesOf(root, apex) }
  }

  /** Whether a change has begun that is not committed. */
  get isChanging(): boolean {
    return this.#changes > 0
  }

  *#entriesOf(root: number, apex: number): Generator<readonly [key: string, node: Node], void, undefined> {
    yield this.#entryAt(apex)
    for (const run of runsOf(this.store.pages, root)) if (run !== apex) yield this.#entryAt(run)
  }

  #entryAt(run: number): readonly [key: string, node: Node] {
    const view = new RunView().show(this.store.pages, run)
    return [view.key, view.node(this.apex)]
  }

  /** Begins a change. It must be ended with commit() or undo(). Changes of one zone must not overlap. */
  change(): NamesChange {
    this.#changes += 1
    return new NamesChange(this, this.#held, {
      commit: (held) => {
        if (this.#held.listed === undefined && held.listed !== undefined) this.store.keepWithout(this)
        Object.assign(this.#held, held)
      },
      end: () => void (this.#changes -= 1),
    })
  }
}

/** The name that is put in order. */
const ordered = new NameInOrder()

interface ChangeEnd {
  readonly commit: (held: Held) => void
  readonly end: () => void
}

/** A change of a zone's names that is invisible before commit(). */
export class NamesChange {
  readonly #store: ZoneStore
  readonly #apex: WireName
  readonly #draft: Draft
  readonly #end: ChangeEnd
  readonly #view = new RunView()
  /** Another change may be committed meanwhile: then this one is refused, but it may still read. */
  readonly #release: () => void
  #isOpen = true
  #root: number
  #size: number
  #denials: number
  /** How the apex announced denials before this change. */
  readonly #announced: OwnDenial | undefined
  /** The same if there are such denials: what the names are in order by. */
  readonly #denial: OwnDenial | undefined
  /** Whether names with denials were replaced that are not in order yet. */
  #isDenialMissing = false
  #cuts: number
  #dnames: number
  #wildcards: number
  #epoch: number
  #listed: ListedZone | undefined
  /** The name whose children were counted last, and its run: most names of a file have the same parent. */
  #countedKey: string | undefined
  #countedRun = 0

  constructor({ store, apex }: ZoneNames, { tree, listed }: Held, end: ChangeEnd) {
    this.#store = store
    this.#apex = apex
    this.#draft = store.draft()
    this.#release = store.versions.hold()
    this.#end = end
    this.#root = tree.root
    this.#size = tree.size
    this.#denials = tree.denials
    this.#announced = this.#announcedNow()
    this.#denial = tree.denials === 0 ? undefined : this.#announced
    this.#cuts = tree.cuts
    this.#dnames = tree.dnames
    this.#wildcards = tree.wildcards
    this.#epoch = tree.epoch
    this.#listed = listed
  }

  /** The names are from an image, which does not have the order of denials. */
  disorderDenials(): void {
    this.#isDenialMissing = true
  }

  /** Invalidates all signatures. */
  forgetSignatures(): void {
    this.#epoch = (this.#epoch + 1) >>> 0
  }

  /** From commit() on, threads find the zone, with these properties. */
  list(zone: ListedZone): void {
    this.#listed = zone
  }

  /** How threads find the zone. */
  get listed(): ListedZone | undefined {
    return this.#listed
  }

  /** The node of a key, as this change has left it. */
  node(key: string): Node | undefined {
    return this.#show(this.#locate(key).run)?.node(this.#apex)
  }

  /**
   * Sets a node, and updates the counts and the empty non-terminals above it. An empty node stays only if it is the
   * apex or has names below it. @throws StoreFullError
   */
  put(key: string, node: Node): void {
    const { run, hash } = this.#locate(key)
    const old = this.#show(run)
    const children = old?.children ?? 0
    this.#cuts += Number(node.delegation !== undefined) - flagOf(old, NAME_FLAG.CUT)
    this.#dnames += Number(node.dname !== undefined) - flagOf(old, NAME_FLAG.DNAME)
    if (node === EMPTY_NODE && children === 0 && key !== APEX) {
      if (old === undefined) return
      this.#replace(hash, run, 0)
      this.#unlink(key)
      return
    }
    this.#store.writer.write(key, node, children, this.#apex, old)
    this.#replace(hash, run, this.#store.put(this.#draft))
    if (run === 0) this.#link(key)
  }

  /**
   * Puts the names with the zone's own denials in order, if they are not: those of a new zone, or with new parameters.
   * The denials may have come with an earlier change, because primaries announce a chain when it is complete (RFC 5155
   * §10.4). To be called after the last change of a name. @throws StoreFullError
   *
   * @param isSigned whether the zone is signed here: then it has no denials of its own
   */
  *orderDenials(isSigned: boolean): Chunked<void> {
    const denial = isSigned ? undefined : this.#announcedNow()
    const isOver = denial === undefined && this.#denials !== 0
    const isNew = denial !== undefined && (this.#isDenialMissing || denial.key !== this.#announced?.key)
    if (!isOver && !isNew) return
    const { pages } = this.#store
    for (const [page, units] of orderedPages(pages, this.#denials)) this.#draft.drop(page, units)
    this.#denials = 0
    if (denial === undefined) return
    let done = 0
    for (const run of runsOf(pages, this.#root)) {
      if ((this.#at(run).flags & NAME_FLAG.DENIES) !== 0 && hasDenial(this.#at(run), denial))
        this.#order(run, run)
      if ((done += 1) % CHUNK_SIZE === 0) yield
    }
  }

  #announcedNow(): OwnDenial | undefined {
    const apex = this.#show(this.#locate(APEX).run)
    return apex && ownDenialOf(apex)
  }

  /** Makes the change visible. @throws StoreFullError; then nothing has changed */
  commit(): void {
    const tree = {
      root: this.#root,
      denials: this.#denials,
      size: this.#size,
      cuts: this.#cuts,
      dnames: this.#dnames,
      wildcards: this.#wildcards,
      epoch: this.#epoch,
    }
    const listed = this.#listed
    const directory = listed && this.#store.directory.put(this.#draft, this.#apex, listed, tree)
    this.#end.commit({ tree, listed })
    this.#store.publish(this.#draft, directory)
    this.#close()
  }

  /** Frees everything, unless the change was committed. */
  undo(): void {
    if (!this.#isOpen) return
    this.#draft.undo()
    this.#close()
  }

  #close(): void {
    this.#isOpen = false
    this.#release()
    this.#end.end()
  }

  #locate(key: string): Place {
    return this.#store.locate(this.#root, key)
  }

  #show(run: number): RunView | undefined {
    return run === 0 ? undefined : this.#at(run)
  }

  #at(run: number): RunView {
    return this.#view.show(this.#store.pages, run)
  }

  #replace(hash: number, before: number, after: number): void {
    this.#root = putRun(this.#draft, this.#root, hash, before, after)
    this.#size += Number(after !== 0) - Number(before !== 0)
    this.#replaceDenial(before, after)
    if (before === this.#countedRun) this.#countedKey = undefined
    if (before !== 0) this.#draft.drop(before, this.#at(before).units)
  }

  #replaceDenial(before: number, after: number): void {
    if (!this.#isDenying(before) && !this.#isDenying(after)) return
    if (this.#denial === undefined) {
      this.#isDenialMissing = true
      return
    }
    const isThere = after !== 0 && hasDenial(this.#at(after), this.#denial)
    if (isThere || (before !== 0 && hasDenial(this.#at(before), this.#denial)))
      this.#order(after === 0 ? before : after, isThere ? after : 0)
  }

  #isDenying(run: number): boolean {
    return run !== 0 && (this.#at(run).flags & NAME_FLAG.DENIES) !== 0
  }

  #order(named: number, run: number): void {
    ordered.showRun(this.#store.pages, named)
    this.#denials = putInOrder(this.#draft, this.#denials, ordered, run)
  }

  /** Counts a new name at its parent, and adds missing names above it. */
  #link(child: string): void {
    for (let key = child; key !== APEX;) {
      if (isWildcardKey(key)) this.#wildcards += 1
      key = parentKey(key)
      if (key === this.#countedKey) return this.#countChild(this.#countedRun)
      const { run, hash } = this.#locate(key)
      if (run !== 0) {
        this.#countedRun = this.#setChildren(hash, run, this.#at(run).children + 1)
        this.#countedKey = key
        return
      }
      this.#store.writer.write(key, EMPTY_NODE, 1, this.#apex, undefined)
      this.#replace(hash, 0, this.#store.put(this.#draft))
    }
  }

  /** Removes a name from its parent, and removes names above it that existed only because of it. */
  #unlink(child: string): void {
    for (let key = child; key !== APEX;) {
      if (isWildcardKey(key)) this.#wildcards -= 1
      key = parentKey(key)
      const { run, hash } = this.#locate(key)
      if (run === 0) throw new Error('a name has no parent')
      const { children, rrsets, flags } = this.#at(run)
      if (children > 1 || rrsets > 0 || flags !== 0 || key === APEX)
        return void this.#setChildren(hash, run, children - 1)
      this.#replace(hash, run, 0)
    }
  }

  /** Counts one more child of a run that this change has made. */
  #countChild(run: number): void {
    const data = this.#store.pages.dataOf(run)
    const at = octetAt(run) + RUN.CHILDREN
    data.setInt32(at, data.getInt32(at, true) + 1, true)
  }

  /** Returns the run, which no reader can see. */
  #setChildren(hash: number, run: number, children: number): number {
    const { pages } = this.#store
    let own = run
    if (!this.#draft.isOwn(run)) {
      const { units } = this.#at(run)
      own = this.#draft.take(units)
      pages.copy(run, own, units)
      this.#replace(hash, run, own)
    }
    pages.dataOf(own).setInt32(octetAt(own) + RUN.CHILDREN, children, true)
    return own
  }
}

const flagOf = (view: RunView | undefined, flag: number): number =>
  view !== undefined && (view.flags & flag) !== 0 ? 1 : 0

const isWildcardKey = (key: string): boolean => key.startsWith('\u0001*')
