// From the text of a feed to entries, part by part, in bounded memory.
import type { ThreatCategory } from '../page-shield/index.ts'
import type { FeedFormat, ReadEntry } from './formats/format.ts'
import { keysOfEntry } from './matching.rules.ts'
import { lineCutter, MAX_PIECE_CHARACTERS, objectCutter, TOO_LONG, type Cutter } from './pieces.rules.ts'
import type { Tally } from './threat-feeds.rules.ts'

/** An entry as it is kept. */
export interface KeyedEntry {
  readonly key: string
  readonly categories: readonly ThreatCategory[]
}

export interface Reading {
  /** Takes the next part of the text. @returns the entries that it completes. */
  take(text: string): readonly KeyedEntry[]
  end(): readonly KeyedEntry[]
  tally(): Tally
}

/** @param categories of a feed whose entries do not tell their own. */
export function beginReading(format: FeedFormat, categories: readonly ThreatCategory[]): Reading {
  const read = format.begin(categories)
  let cutter: Cutter | undefined
  let begin = ''
  let number = 0
  let entries = 0
  let passedOver = 0
  let unreadable = 0
  let firstUnreadable: number | undefined
  return {
    take(text) {
      if (cutter !== undefined) return cutter.take(text).flatMap(readPiece)
      begin += text
      // What kind of text it is, its first character tells.
      if (begin.trim() === '' && begin.length < MAX_PIECE_CHARACTERS) return []
      const isArray = format.isJsonToo === true && begin.trimStart().startsWith('[')
      cutter = isArray ? objectCutter() : lineCutter()
      return cutter.take(begin).flatMap(readPiece)
    },
    end: () => cutter?.end().flatMap(readPiece) ?? [],
    tally: () => ({ entries, passedOver, unreadable, firstUnreadable }),
  }

  function readPiece(piece: string): readonly KeyedEntry[] {
    number += 1
    const found = piece === TOO_LONG ? 'unreadable' : read(piece)
    if (found === 'nothing') return []
    if (found === 'passed-over') passedOver += 1
    if (found === 'unreadable') tellUnreadable()
    return typeof found === 'string' ? [] : found.flatMap(keyed)
  }

  function keyed(entry: ReadEntry): readonly KeyedEntry[] {
    const keys = keysOfEntry(entry)
    if (keys === 'passed-over') passedOver += 1
    if (keys === 'unreadable') tellUnreadable()
    if (typeof keys === 'string') return []
    entries += 1
    return keys.map((key) => ({ key, categories: entry.categories }))
  }

  function tellUnreadable(): void {
    unreadable += 1
    firstUnreadable ??= number
  }
}
