// The difference of two zone files, line by line. Where a line stands does not matter in a zone file.
import type { DiffLine } from '../history/diff-lines.ts'

/** Lines that only one of both has; blank lines and comments are no records. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const old = recordLines(before)
  const next = recordLines(after)
  const isRemoved = missingIn(old, next)
  const isAdded = missingIn(next, old)
  const lines: DiffLine[] = []
  let at = 0
  let nextAt = 0
  while (at < old.length || nextAt < next.length) {
    const removed = old[at]
    const added = next[nextAt]
    if (removed !== undefined && isRemoved[at] === true) {
      lines.push({ mark: '−', text: removed })
      at += 1
    } else if (added !== undefined && isAdded[nextAt] === true) {
      lines.push({ mark: '+', text: added })
      nextAt += 1
    } else {
      // Both have the line, here or elsewhere.
      at += 1
      nextAt += 1
    }
  }
  return lines
}

const recordLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith(';'))

/** For each line whether the others lack it; a line that stands twice must be there twice. */
function missingIn(lines: readonly string[], others: readonly string[]): boolean[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, countOf(left, line) + 1)
  return lines.map((line) => {
    const count = countOf(left, line)
    if (count > 0) left.set(line, count - 1)
    return count === 0
  })
}

function countOf(counts: ReadonlyMap<string, number>, line: string): number {
  const count = counts.get(line)
  return count === undefined ? 0 : count
}
