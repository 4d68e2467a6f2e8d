// Long texts that are made while they are sent.

/** Each is sent when the one before has gone; everybody else has a turn between two of them. */
export type Pieces = Iterable<string>

const TEXTS_IN_PIECE = 50

/** Many texts, one behind the other, as pieces of a reply. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let waiting: string[] = []
  for (const text of texts) {
    waiting.push(text)
    if (waiting.length < TEXTS_IN_PIECE) continue
    yield waiting.join('')
    waiting = []
  }
  yield waiting.join('')
}
