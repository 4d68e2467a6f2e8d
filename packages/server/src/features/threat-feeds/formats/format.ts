// What a format of threat feeds is: a reader of pieces, and whether its entries say of what kind they are.
import type { ThreatCategory } from '../../page-shield/index.ts'
import type { FeedEntry } from '../matching.rules.ts'

/** An entry, with what it is said to be. */
export type ReadEntry = FeedEntry & { readonly categories: readonly ThreatCategory[] }

/**
 * What a piece was.
 *
 * - `nothing`: a comment, a header, an empty line.
 * - `passed-over`: an entry that can mean nothing here: a hash of a file, a rule that hides an element.
 * - `unreadable`: not of this format.
 */
export type ReadPiece = readonly ReadEntry[] | 'nothing' | 'passed-over' | 'unreadable'

export interface FeedFormat<Name extends string = string> {
  readonly name: Name
  /** Whether entries tell their categories, or the feed's owner does. */
  readonly categories: 'of-entries' | 'of-feed'
  /** A text that begins with an array holds one entry in each object of it. */
  readonly isJsonToo?: true
  /** Begins a feed. @returns the reader of its pieces, in their order. */
  begin(categories: readonly ThreatCategory[]): (piece: string) => ReadPiece
}

/** Places of columns by their names, as a header gives them. */
export function columnsOf(header: readonly string[]): (name: string, fields: readonly string[]) => string {
  const places = new Map(header.map((name, index) => [name.trim().toLowerCase(), index]))
  return (name, fields) => fields[places.get(name) ?? -1] ?? ''
}
