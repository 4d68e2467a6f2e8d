// The names of a zone: a node for each, as objects and as octets, and the empty non-terminals above them.
import type { HashKey } from './octet-hash.ts'
import { EMPTY_NODE } from './node.ts'
import type { Node } from './node.ts'
import { PackedNames } from './packed-names.ts'
import { parentKey } from './wire-name.ts'
import type { WireName } from './wire-name.ts'

/** Key of the apex: keys are names relative to it. */
export const APEX = ''

export class ZoneNames {
  #cuts = 0
  #wildcards = 0
  readonly #nodes = new Map<string, Node>()
  /** The same as octets. */
  readonly packed: PackedNames
  /** How many children each node has, for nodes that have any. */
  readonly #children = new Map<string, number>()

  /** Nothing but an empty apex. */
  constructor(apex: WireName, hashKey: HashKey) {
    this.packed = new PackedNames(apex, hashKey)
    this.set(APEX, EMPTY_NODE)
  }

  /** Nodes where another zone is cut off. */
  get cuts(): number {
    return this.#cuts
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

  /** Puts a node in the place of one that is there; counts and names above it stay. */
  set(key: string, node: Node): void {
    this.#nodes.set(key, node)
    this.packed.put(key, node)
  }

  /** Puts a node in place and keeps the counts and the empty non-terminals above it true. Never for the apex's removal. */
  put(key: string, node: Node): void {
    const old = this.#nodes.get(key)
    this.#cuts += Number(node.delegation !== undefined) - Number(old?.delegation !== undefined)
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
    this.packed.put(key, undefined)
  }

  /** A node has come into being: so have the names above it that did not exist. */
  #link(child: string): void {
    for (let key = child; key !== APEX;) {
      if (isWildcardKey(key)) this.#wildcards += 1
      key = parentKey(key)
      this.#children.set(key, (this.#children.get(key) ?? 0) + 1)
      if (this.#nodes.has(key)) return
      this.set(key, EMPTY_NODE)
    }
  }

  /** A node is gone: so are the names above it that existed only for its sake. */
  #unlink(child: string): void {
    for (let key = child; key !== APEX;) {
      if (isWildcardKey(key)) this.#wildcards -= 1
      key = parentKey(key)
      const left = (this.#children.get(key) ?? 0) - 1
      if (left > 0) {
        this.#children.set(key, left)
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
