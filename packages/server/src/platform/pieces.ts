// Long texts that are made while they are sent.
import { portions } from './portions.ts'

/** Each is sent when the one before has gone; everybody else has a turn between two of them. */
export type Pieces = Iterable<string>

const TEXTS_IN_PIECE = 50

/** Many texts, one behind the other, as pieces of a reply. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  for (const some of portions(texts, TEXTS_IN_PIECE)) yield some.join('')
}
