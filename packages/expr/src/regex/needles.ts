// Literal texts that a match cannot do without: looking for them is far cheaper than running an automaton.
import type { Hir } from './hir.ts'

/** More texts than this are no help, and neither are more than this that are put together from parts. */
const MAX_NEEDLES = 128
const MAX_PRODUCT = 32
const MAX_NEEDLE_BYTES = 24

/**
 * What is known of a pattern's matches: `exact` are all of them, where they are few; `needed` are texts of which every
 * match contains one, where there are such.
 */
type Known = { readonly exact?: readonly string[]; readonly needed?: readonly string[] }

const ANYTHING: Known = {}
const NOTHING_MORE: Known = { exact: [''] }

/** Texts of which every match contains at least one, none of them empty; undefined where there are none to name. */
export function needlesOf(hir: Hir): readonly string[] | undefined {
  return neededBy(knownOf(hir))
}

function knownOf(hir: Hir): Known {
  switch (hir.kind) {
    case 'empty':
    case 'look':
      return NOTHING_MORE
    case 'literal':
      return { exact: [hir.bytes] }
    case 'set':
      return knownOfSet(hir.ranges)
    case 'class':
      return ANYTHING
    case 'capture':
      return knownOf(hir.item)
    case 'repeat':
      return knownOfRepeat(knownOf(hir.item), hir.min, hir.max)
    case 'concat':
      return knownOfConcat(hir.items.map(knownOf))
    case 'alternation':
      return knownOfAlternation(hir.items.map(knownOf))
  }
}

/** Sets of more bytes are not spelt out. */
const MAX_SET = 16

function knownOfSet(ranges: readonly (readonly [number, number])[]): Known {
  const size = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  if (size > MAX_SET) return ANYTHING
  const bytes = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i)),
  )
  return { exact: bytes }
}

function knownOfRepeat(item: Known, min: number, max: number): Known {
  if (min === 0) return max === 1 && item.exact !== undefined ? bounded(['', ...item.exact]) : ANYTHING
  if (min === max)
    return knownOfConcat(
      Array.from({ length: Math.min(min, MAX_SET) }, () => item),
      min > MAX_SET,
    )
  return asNeeded(item)
}

/** Runs of parts that are spelt out are joined; the best run, or the best of what any part needs, is what all needs. */
function knownOfConcat(parts: readonly Known[], isOpen = false): Known {
  const candidates: Known[] = []
  let run: readonly string[] = ['']
  let isWhole = !isOpen
  const close = (): void => {
    candidates.push({ exact: run })
    run = ['']
  }
  for (const part of parts) {
    const joined = part.exact === undefined ? undefined : product(run, part.exact)
    if (joined !== undefined) {
      run = joined
      continue
    }
    isWhole = false
    close()
    // A part that is spelt out but was too much to join begins the next run.
    if (part.exact === undefined) candidates.push(part)
    else run = part.exact
  }
  if (isWhole) return { exact: run }
  close()
  return withNeeded(best(candidates.map(neededBy)))
}

function knownOfAlternation(branches: readonly Known[]): Known {
  const exacts = branches.map(({ exact }) => exact)
  if (exacts.every((exact) => exact !== undefined)) {
    const all = bounded([...new Set(exacts.flat())])
    if (all.exact !== undefined) return all
  }
  const needs = branches.map(neededBy)
  return needs.every((need) => need !== undefined) ? withNeeded(few([...new Set(needs.flat())])) : ANYTHING
}

function product(left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  if (left.length * right.length > Math.max(MAX_PRODUCT, left.length, right.length)) return undefined
  const all = left.flatMap((a) => right.map((b) => a + b))
  return all.every((text) => text.length <= MAX_NEEDLE_BYTES) ? all : undefined
}

const few = (texts: readonly string[]): readonly string[] | undefined =>
  texts.length <= MAX_NEEDLES ? texts : undefined
const bounded = (texts: readonly string[]): Known =>
  texts.length <= MAX_NEEDLES ? { exact: texts } : ANYTHING
const withNeeded = (needed: readonly string[] | undefined): Known =>
  needed === undefined ? ANYTHING : { needed }
const asNeeded = (item: Known): Known => withNeeded(neededBy(item))

function neededBy({ exact, needed }: Known): readonly string[] | undefined {
  if (exact === undefined) return needed
  return exact.includes('') || exact.length === 0 ? undefined : exact
}

/** The longest shortest text wins, since it is found by chance least often; of equals, the fewest texts. */
function best(all: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const shortest = (texts: readonly string[]): number => Math.min(...texts.map((text) => text.length))
  return all
    .filter((texts) => texts !== undefined)
    .toSorted((a, b) => shortest(b) - shortest(a) || a.length - b.length)[0]
}
