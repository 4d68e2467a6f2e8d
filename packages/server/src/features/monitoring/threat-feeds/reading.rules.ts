// Parses a feed into entries, chunk by chunk, in bounded memory.
import { type Chunked, chunksOf } from '@zonereeve/cooperate'
import type { ThreatCategory } from '../page-shield/index.ts'
import type { FeedFormat, ReadEntry } from './formats/format.ts'
import { keysOfEntry } from './matching.rules.ts'
import {
  lineSplitter,
  MAX_CHUNK_CHARACTERS,
  objectSplitter,
  TOO_LONG,
  type Splitter,
} from './splitter.rules.ts'
import type { Tally } from './threat-feeds.rules.ts'

/** Lines or objects read before yielding to other work. */
const CHUNK_SIZE = 100

/** The stored form of an entry. */
export interface KeyedEntry {
  readonly key: string
  readonly categories: readonly ThreatCategory[]
}

export interface Reading {
  /**
   * Takes the next chunk of the text.
   * @returns the entries it completes.
   */
  take(text: string): Chunked<readonly KeyedEntry[]>
  end(): readonly KeyedEntry[]
  tally(): Tally
}

/** @param categories for feeds whose entries have none of their own. */
export function beginReading(format: FeedFormat, categories: readonly ThreatCategory[]): Reading {
  const read = format.begin(categories)
  let splitter: Splitter | undefined
  let begin = ''
  let number = 0
  let entries = 0
  let passedOver = 0
  let unreadable = 0
  let firstUnreadable: number | undefined
  return {
    *take(text) {
      if (splitter !== undefined) return yield* readChunks(splitter.take(text))
      begin += text
      // The first character decides between JSON and lines.
      if (begin.trim() === '' && begin.length < MAX_CHUNK_CHARACTERS) return []
      const isArray = format.isJsonToo === true && begin.trimStart().startsWith('[')
      splitter = isArray ? objectSplitter() : lineSplitter()
      return yield* readChunks(splitter.take(begin))
    },
    end: () => (splitter === undefined ? [] : splitter.end().flatMap(readChunk)),
    tally: () => ({ entries, passedOver, unreadable, firstUnreadable }),
  }

  /** One chunk of text can contain tens of thousands of lines. */
  function* readChunks(chunks: readonly string[]): Chunked<readonly KeyedEntry[]> {
    const found: KeyedEntry[] = []
    for (const some of chunksOf(chunks, CHUNK_SIZE)) {
      for (const chunk of some) found.push(...readChunk(chunk))
      yield
    }
    return found
  }

  function readChunk(chunk: string): readonly KeyedEntry[] {
    number += 1
    const found = chunk === TOO_LONG ? 'unreadable' : read(chunk)
    if (found === 'nothing') return []
    if (found === 'passed-over') passedOver += 1
    if (found === 'unreadable') reportUnreadable()
    return typeof found === 'string' ? [] : found.flatMap(toKeyedEntries)
  }

  function toKeyedEntries(entry: ReadEntry): readonly KeyedEntry[] {
    const keys = keysOfEntry(entry)
    if (keys === 'passed-over') passedOver += 1
    if (keys === 'unreadable') reportUnreadable()
    if (typeof keys === 'string') return []
    entries += 1
    return keys.map((key) => ({ key, categories: entry.categories }))
  }

  function reportUnreadable(): void {
    unreadable += 1
    firstUnreadable ??= number
  }
}
