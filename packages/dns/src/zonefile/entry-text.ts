// Joins the lines of a zone file to entries: an entry ends with its line, or with the line that closes its
// parentheses.

/** The state of a line's end: open parentheses, and where the comment begins. */
export interface LineScan {
  readonly depth: number
  /** Code units from the start of the line to after the semicolon; -1 if there is no comment. */
  readonly commentAt: number
}

/** Tracks quotes, escapes, parentheses and the comment of a line; malformed text is reported by the tokenizer. */
export function scanLine(line: string, depth: number): LineScan {
  if (depth === 0 && !SPECIAL.test(line)) return { depth, commentAt: -1 }
  let open = depth
  let quoted = false
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]
    if (character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === ';') return { depth: open, commentAt: at + 1 }
    else if (character === '(') open += 1
    else if (character === ')') open = Math.max(0, open - 1)
  }
  return { depth: open, commentAt: -1 }
}

const SPECIAL = /[();]/

/** Yields the lines of a text without copying the whole. */
export function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    yield end === -1 ? text.slice(at) : text.slice(at, end)
    at = end === -1 ? text.length : end + 1
  }
}

/** Line and column, both from 1, of an offset in the text of an entry that began on `firstLine`. */
export function positionOf(
  text: string,
  offset: number,
  firstLine: number,
): { line: number; column: number } {
  const before = text.slice(0, offset)
  const lastBreak = before.lastIndexOf('\n')
  return { line: firstLine + before.split('\n').length - 1, column: offset - lastBreak }
}
