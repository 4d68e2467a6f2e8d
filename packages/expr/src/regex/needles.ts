// Literal strings that every match must contain: searching them is much cheaper than running an automaton.
import type { Hir } from './hir.ts'

/** More strings than this do not help, and neither do more than this combined from parts. */
const MAX_NEEDLES = 128
const MAX_PRODUCT = 32
const MAX_NEEDLE_BYTES = 24

/**
 * What is known about a pattern's matches: `exact` are all of them, if they are few; `needed` are strings of which
 * every match contains at least one, if there are any.
 */
type KnownStrings = { readonly exact?: readonly string[]; readonly needed?: readonly string[] }

const ANYTHING: KnownStrings = {}
const NOTHING_MORE: KnownStrings = { exact: [''] }

/** Strings of which every match contains at least one, none of them empty; undefined if there are none. */
export function needlesOf(hir: Hir): readonly string[] | undefined {
  return neededBy(knownOf(hir))
}

function knownOf(hir: Hir): KnownStrings {
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

/** Larger sets are not enumerated. */
const MAX_SET = 16

function knownOfSet(ranges: readonly (readonly [number, number])[]): KnownStrings {
  const size = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  if (size > MAX_SET) return ANYTHING
  const bytes = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i)),
  )
  return { exact: bytes }
}

function knownOfRepeat(item: KnownStrings, min: number, max: number): KnownStrings {
  if (min === 0) return max === 1 && item.exact !== undefined ? boundNeedles(['', ...item.exact]) : ANYTHING
  if (min === max)
    return knownOfConcat(
      Array.from({ length: Math.min(min, MAX_SET) }, () => item),
      min > MAX_SET,
    )
  return asNeeded(item)
}

/** Consecutive enumerable parts are joined; the best run, or the best needles of any part, are the result. */
function knownOfConcat(parts: readonly KnownStrings[], isOpen = false): KnownStrings {
  const candidates: KnownStrings[] = []
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
    // An enumerable part that was too large to join begins the next run.
    if (part.exact === undefined) candidates.push(part)
    else run = part.exact
  }
  if (isWhole) return { exact: run }
  close()
  return withNeeded(best(candidates.map(neededBy)))
}

function knownOfAlternation(branches: readonly KnownStrings[]): KnownStrings {
  const exacts = branches.map(({ exact }) => exact)
  if (exacts.every((exact) => exact !== undefined)) {
    const all = boundNeedles([...new Set(exacts.flat())])
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

const few = (strings: readonly string[]): readonly string[] | undefined =>
  strings.length <= MAX_NEEDLES ? strings : undefined
const boundNeedles = (strings: readonly string[]): KnownStrings =>
  strings.length <= MAX_NEEDLES ? { exact: strings } : ANYTHING
const withNeeded = (needed: readonly string[] | undefined): KnownStrings =>
  needed === undefined ? ANYTHING : { needed }
const asNeeded = (item: KnownStrings): KnownStrings => withNeeded(neededBy(item))

function neededBy({ exact, needed }: KnownStrings): readonly string[] | undefined {
  if (exact === undefined) return needed
  return exact.includes('') || exact.length === 0 ? undefined : exact
}

/**
 * The set whose shortest string is longest wins, because it occurs by chance least often; of equals, the one with the
 * fewest strings.
 */
function best(all: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const shortest = (strings: readonly string[]): number => Math.min(...strings.map((text) => text.length))
  return all
    .filter((strings) => strings !== undefined)
    .toSorted((a, b) => shortest(b) - shortest(a) || a.length - b.length)[0]
}
