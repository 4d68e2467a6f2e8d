// Counts many words in one pass over a text (Aho and Corasick, "Efficient string matching", 1975).
import { elementAt } from './checked-reads.ts'

/** Words have ASCII characters; any other one is in no word. */
const CHARACTERS = 128

interface Automaton {
  /** The next state, by state and character. */
  readonly next: Int32Array
  /** Words that end in a state, by their places in the list. */
  readonly ends: readonly (readonly number[])[]
}

export type CountWords = (text: string, most: number) => readonly number[]

/**
 * A function that counts how often each of the words occurs in a text, also within other words, without overlaps with
 * itself. It counts up to `most`.
 *
 * @param words of ASCII characters, none of them empty
 * @throws RangeError for other characters
 */
export function createWordCounter(words: readonly string[]): CountWords {
  const { next, ends } = automatonOf(words)
  return (text, most) => {
    const counts = words.map(() => 0)
    /** By word, where it may begin again. */
    const free = words.map(() => 0)
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at)
      state = character < CHARACTERS ? stateAt(next, state * CHARACTERS + character) : 0
      const found = elementAt(ends, state)
      for (const word of found) {
        const start = at + 1 - elementAt(words, word).length
        if (start < elementAt(free, word) || elementAt(counts, word) >= most) continue
        counts[word] = elementAt(counts, word) + 1
        free[word] = at + 1
      }
    }
    return counts
  }
}

const stateAt = (next: Int32Array, place: number): number => next[place] ?? 0 // within the table

function automatonOf(words: readonly string[]): Automaton {
  const states = 1 + words.reduce((sum, { length }) => sum + length, 0)
  const next = new Int32Array(states * CHARACTERS)
  const ends: number[][] = [[]]
  for (const [number, word] of words.entries()) {
    let state = 0
    for (let at = 0; at < word.length; at += 1) {
      const character = word.charCodeAt(at)
      if (character >= CHARACTERS) throw new RangeError(`${word} has other characters than ASCII`)
      const place = state * CHARACTERS + character
      if (stateAt(next, place) === 0) next[place] = ends.push([]) - 1
      state = stateAt(next, place)
    }
    elementAt(ends, state).push(number)
  }
  linkSuffixes(next, ends)
  return { next: next.subarray(0, ends.length * CHARACTERS), ends }
}

/** Completes the tree of words: where a state has no child, it goes on as the longest suffix that is a state does. */
function linkSuffixes(next: Int32Array, ends: readonly number[][]): void {
  const suffixes = ends.map(() => 0)
  const waiting = [0]
  for (const state of waiting) {
    const suffix = elementAt(suffixes, state)
    for (let character = 0; character < CHARACTERS; character += 1) {
      const child = stateAt(next, state * CHARACTERS + character)
      const other = state === 0 ? 0 : stateAt(next, suffix * CHARACTERS + character)
      if (child === 0) {
        next[state * CHARACTERS + character] = other
        continue
      }
      suffixes[child] = other
      elementAt(ends, child).push(...elementAt(ends, other))
      waiting.push(child)
    }
  }
}
