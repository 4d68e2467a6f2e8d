// The interface of a feed format: a parser of pieces (lines or objects), and whether its entries have
// categories.
import type { ThreatCategory } from '../../page-shield/index.ts'
import type { FeedEntry } from '../matching.rules.ts'

/** An entry with its categories. */
export type ReadEntry = FeedEntry & { readonly categories: readonly ThreatCategory[] }

/**
 * What a piece was:
 * - `nothing`: a comment, a header, an empty line.
 * - `passed-over`: an entry that does not apply here, such as a file hash or a rule that hides an element.
 * - `unreadable`: not in this format.
 */
export type ChunkReading = readonly ReadEntry[] | 'nothing' | 'passed-over' | 'unreadable'

export interface FeedFormat<Name extends string = string> {
  readonly name: Name
  /** Whether each entry has categories, or the feed's owner sets them for all. */
  readonly categories: 'of-entries' | 'of-feed'
  /** If the text begins with an array, each object in it is one entry. */
  readonly isJsonToo?: true
  /**
   * Starts a feed.
   * @returns a parser for its pieces, to be called in their order.
   */
  begin(categories: readonly ThreatCategory[]): (chunk: string) => ChunkReading
}

/** Indexes of columns by the names in a header. */
export function columnsOf(header: readonly string[]): (name: string, fields: readonly string[]) => string {
  const places = new Map(header.map((name, index) => [name.trim().toLowerCase(), index]))
  return (name, fields) => {
    const index = places.get(name)
    const field = index === undefined ? undefined : fields[index]
    return field ?? '' // the feed has no such column, or the line ends before it
  }
}
