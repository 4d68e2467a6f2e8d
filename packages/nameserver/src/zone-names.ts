// The names of a zone: a node for each, as objects and as octets, and the empty non-terminals above them.
import type { HashKey } from './octet-hash.ts'
import { EMPTY_NODE } from './node.ts'
import type { Node } from './node.ts'
import { WireIndex } from './wire-index.ts'
import { parentKey } from './wire-name.ts'
import type { WireName } from './wire-name.ts'

/** Key of the apex: keys are names relative to it. */
export const APEX = ''

export class ZoneNames {
  #cuts = 0
  #dnames = 0
  #wildcards = 0
  readonly #nodes = new Map<string, Node>()
  /** The wire index of the same nodes. */
  readonly wireIndex: WireIndex
  /** The number of children of each node that has any. */
  readonly #children = new Map<string, number>()

  /** Starts with an empty apex. */
  constructor(apex: WireName, hashKey: HashKey) {
    this.wireIndex = new WireIndex(apex, hashKey)
    this.set(APEX, EMPTY_NODE)
  }

  /** Nodes with a delegation. */
  get cuts(): number {
    return this.#cuts
  }

  /** Nodes with a DNAME. */
  get dnames(): number {
    return this.#dnames
  }

  /** Nodes whose first label is `*`. */
  get wildcards(): number {
    return this.#wildcards
  }

  get size(): number {
    return this.#nodes.size
  }

  get(key: string): Node | undefined {
    return this.#nodes.get(key)
  }

  entries(): IterableIterator<[key: string, node: Node]> {
    return this.#nodes.entries()
  }

  /** Replaces an existing node; counts and the names above it stay. */
  set(key: string, node: Node): void {
    this.#nodes.set(key, node)
    this.wireIndex.put(key, node)
  }

  /**
   * Sets a node, and updates the counts and the empty non-terminals above it. Must not be used to remove the apex.
   */
  put(key: string, node: Node): void {
    const old = this.#nodes.get(key)
    this.#cuts += Number(node.delegation !== undefined) - Number(old?.delegation !== undefined)
    this.#dnames += Number(node.dname !== undefined) - Number(old?.dname !== undefined)
    if (node !== EMPTY_NODE) {
      this.set(key, node)
      if (old === undefined) this.#link(key)
    } else if (old !== undefined) {
      if (key === APEX || this.#children.has(key)) this.set(key, EMPTY_NODE)
      else {
        this.#delete(key)
        this.#unlink(key)
      }
    }
  }

  #delete(key: string): void {
    this.#nodes.delete(key)
    this.wireIndex.put(key, undefined)
  }

  /** Adds a new node to its parent, and adds missing names above it. */
  #link(child: string): void {
    for (let key = child; key !== APEX;) {
      if (isWildcardKey(key)) this.#wildcards += 1
      key = parentKey(key)
      this.#children.set(key, (this.#children.get(key) ?? 0) + 1)
      if (this.#nodes.has(key)) return
      this.set(key, EMPTY_NODE)
    }
  }

  /** Removes a node from its parent, and removes names above it that existed only because of it. */
  #unlink(child: string): void {
    for (let key = child; key !== APEX;) {
      if (isWildcardKey(key)) this.#wildcards -= 1
      key = parentKey(key)
      const children = this.#children.get(key)
      if (children === undefined) throw new Error('a node with children has no child count')
      if (children > 1) {
        this.#children.set(key, children - 1)
        return
      }
      this.#children.delete(key)
      if (key === APEX || this.#nodes.get(key) !== EMPTY_NODE) return
      this.#delete(key)
    }
  }
}

function isWildcardKey(key: string): boolean {
  return key.startsWith('\u0001*')
}
