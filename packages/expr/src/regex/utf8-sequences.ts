// Code-point ranges as alternatives of byte-set sequences, so that an automaton over bytes can match text.
import { encodeScalar } from '../bytes.ts'
import type { Hir } from './hir.ts'
import type { Range, Ranges } from './ranges.ts'

/** Where the length of the encoding changes. */
const LENGTH_LIMITS = [0x7f, 0x7ff, 0xffff, 0x10ffff]

const encoded = new WeakMap<Ranges, Hir>()

/** A choice between byte sequences that are the UTF-8 of exactly these code points. Surrogates are left out. */
export function encodeRanges(ranges: Ranges): Hir {
  let hir = encoded.get(ranges)
  if (hir === undefined) {
    hir = encode(ranges)
    encoded.set(ranges, hir)
  }
  return hir
}

function encode(ranges: Ranges): Hir {
  const ascii: Range[] = []
  const branches: Hir[] = []
  for (const [first, last] of withoutSurrogates(ranges)) {
    let start = first
    for (const limit of LENGTH_LIMITS) {
      if (start > last || start > limit) continue
      const end = Math.min(last, limit)
      if (limit === 0x7f) ascii.push([start, end])
      else addSequences(start, end, branches)
      start = end + 1
    }
  }
  if (ascii.length > 0 || branches.length === 0) branches.unshift({ kind: 'set', ranges: ascii })
  const [only] = branches
  return branches.length === 1 && only !== undefined ? only : { kind: 'alternation', items: branches }
}

function* withoutSurrogates(ranges: Ranges): Generator<Range> {
  for (const [first, last] of ranges) {
    if (first < 0xd800) yield [first, Math.min(last, 0xd7ff)]
    if (last > 0xdfff) yield [Math.max(first, 0xe000), last]
  }
}

/** Splits until each piece is a product of byte ranges. Both ends encode to the same length. */
function addSequences(first: number, last: number, out: Hir[]): void {
  const low = encodeScalar(first)
  const high = encodeScalar(last)
  for (let tail = 1; tail < low.length; tail += 1) {
    const mask = 64 ** tail - 1
    const samePrefix = Math.floor(first / (mask + 1)) === Math.floor(last / (mask + 1))
    if (samePrefix) continue
    if (first % (mask + 1) !== 0) {
      const split = first - (first % (mask + 1)) + mask
      addSequences(first, split, out)
      addSequences(split + 1, last, out)
      return
    }
    if (last % (mask + 1) !== mask) {
      const split = last - (last % (mask + 1))
      addSequences(first, split - 1, out)
      addSequences(split, last, out)
      return
    }
  }
  const items = Array.from({ length: low.length }, (_, i): Hir => ({
    kind: 'set',
    ranges: [[low.charCodeAt(i), high.charCodeAt(i)]],
  }))
  out.push({ kind: 'concat', items })
}
