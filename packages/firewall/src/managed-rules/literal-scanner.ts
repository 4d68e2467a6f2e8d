// Finds which of many short texts occur in a longer one, in one pass (Aho and Corasick, CACM 18, 1975).
import type { Bytes } from '@zonereeve/expr'

/** Calls back with the owners of every needle that occurs; an owner may be reported more than once. */
export type LiteralScanner = (text: Bytes, found: (owners: Int32Array) => void) => void

/** @param needles each with the number of its owner; none empty */
export function createLiteralScanner(
  needles: readonly (readonly [needle: Bytes, owner: number])[],
): LiteralScanner {
  const alphabet = alphabetOf(needles)
  const trie = plant(needles, alphabet)
  const outputs = connect(trie, alphabet.size)
  const { classes, size } = alphabet
  const { next } = trie
  return (text, found) => {
    let state = 0
    for (let i = 0; i < text.length; i += 1) {
      state = stateAt(next, state * size + classAt(classes, text.charCodeAt(i)))
      const owners = outputs[state]
      if (owners !== undefined) found(owners)
    }
  }
}

/** Bytes that occur in no needle are all of class 0. */
interface Alphabet {
  readonly classes: Uint8Array
  readonly size: number
}

function alphabetOf(needles: readonly (readonly [Bytes, number])[]): Alphabet {
  const classes = new Uint8Array(256)
  let size = 1
  for (const [needle] of needles) {
    for (let i = 0; i < needle.length; i += 1) {
      const byte = needle.charCodeAt(i) & 0xff
      if (classes[byte] !== 0) continue
      // 256 different bytes would not fit in addition to class 0; patterns contain far fewer.
      classes[byte] = Math.min(size, 255)
      size = Math.min(size + 1, 256)
    }
  }
  return { classes, size }
}

/** @throws RangeError if the automaton leads outside of its tables */
function classAt(classes: Uint8Array, unit: number): number {
  const found = classes[unit & 0xff]
  if (found === undefined) throw new RangeError(`${classes.length} classes of bytes`)
  return found
}

/** @throws RangeError if the automaton leads outside of its tables */
function stateAt(states: Int32Array, at: number): number {
  const state = states[at]
  if (state === undefined) throw new RangeError(`state ${at} of ${states.length} was read`)
  return state
}

interface Trie {
  /** `next[state * size + class]`; 0 is the root, and means "none" until the trie is connected. */
  next: Int32Array
  /** Owners for each state; undefined if no needle ends there. */
  readonly owners: (Set<number> | undefined)[]
}

function plant(needles: readonly (readonly [Bytes, number])[], { classes, size }: Alphabet): Trie {
  const states = 1 + needles.reduce((sum, [needle]) => sum + needle.length, 0)
  const trie: Trie = { next: new Int32Array(states * size), owners: [undefined] }
  for (const [needle, owner] of needles) {
    let state = 0
    for (let i = 0; i < needle.length; i += 1) {
      const edge = state * size + classAt(classes, needle.charCodeAt(i))
      let child = stateAt(trie.next, edge)
      if (child === 0) {
        child = trie.owners.push(undefined) - 1
        trie.next[edge] = child
      }
      state = child
    }
    addTo(trie.owners, state, [owner])
  }
  trie.next = trie.next.slice(0, trie.owners.length * size)
  return trie
}

/** Turns the trie into an automaton, breadth first, and gives each state the owners of all needles that end there. */
function connect({ next, owners }: Trie, size: number): readonly (Int32Array | undefined)[] {
  const fallback = new Int32Array(owners.length)
  const queue = Array.from(next.subarray(0, size)).filter((state) => state !== 0)
  for (const state of queue) {
    const shorter = stateAt(fallback, state)
    addTo(owners, state, owners[shorter] ?? []) // no needle ends there
    for (let c = 0; c < size; c += 1) {
      const child = stateAt(next, state * size + c)
      const other = stateAt(next, shorter * size + c)
      if (child === 0) next[state * size + c] = other
      else {
        fallback[child] = other
        queue.push(child)
      }
    }
  }
  return owners.map((set) => (set === undefined ? undefined : Int32Array.from(set)))
}

function addTo(owners: Trie['owners'], state: number, more: Iterable<number>): void {
  for (const owner of more) {
    const set = owners[state] ?? new Set()
    owners[state] = set.add(owner)
  }
}
