// Converts code-point ranges to alternatives of byte-set sequences, so that an automaton over bytes can match text.
import { encodeScalar } from '../bytes.ts'
import { BRANCH_BYTES, type ClassHir, type Hir, STATE_BYTES, TRANSITION_BYTES } from './hir.ts'
import { FEW_RANGES, type Range, type Ranges } from './ranges.ts'

/** The last code points of each encoding length. */
const LENGTH_LIMITS = [0x7f, 0x7ff, 0xffff, 0x10ffff]

const known = new WeakMap<Ranges, ClassHir>()

/**
 * Matches the UTF-8 of exactly these code points. Surrogates are left out. Cached for each large array, and for small
 * ones if the caller keeps them.
 */
export function classOf(ranges: Ranges, isKept = ranges.length > FEW_RANGES): ClassHir {
  let hir = isKept ? known.get(ranges) : undefined
  if (hir === undefined) {
    hir = { kind: 'class', ...measure(ranges), bytes: lazily(() => encode(ranges)) }
    if (isKept) known.set(ranges, hir)
  }
  return hir
}

/** A class with only an estimate; it is computed when its bytes are needed. */
export const unreadClass = (sizeBytes: number, read: () => Ranges): ClassHir => ({
  kind: 'class',
  sizeBytes,
  shortest: 1,
  bytes: lazily(() => classOf(read()).bytes()),
})

function lazily(read: () => Hir): () => Hir {
  let hir: Hir | undefined
  return () => (hir ??= read())
}

/** The results of `automatonBytes` and `shortestMatch` for the encoded set, without encoding it. */
function measure(ranges: Ranges): { sizeBytes: number; shortest: number } {
  let ascii = 0
  let branches = 0
  let bytes = 0
  let shortest = Number.POSITIVE_INFINITY
  eachSegment(ranges, (first, last, length) => {
    shortest = Math.min(shortest, length)
    if (length === 1) ascii += 1
    else {
      splitSequences(first, last, length, () => {
        branches += 1
        bytes += length * STATE_BYTES
      })
    }
  })
  if (ascii > 0 || branches === 0) {
    branches += 1
    bytes += STATE_BYTES + (ascii > 1 ? ascii * TRANSITION_BYTES : 0)
  }
  return { sizeBytes: branches === 1 ? bytes : bytes + branches * BRANCH_BYTES + 2 * STATE_BYTES, shortest }
}

function encode(ranges: Ranges): Hir {
  const ascii: Range[] = []
  const branches: Hir[] = []
  eachSegment(ranges, (first, last, length) => {
    if (length === 1) ascii.push([first, last])
    else splitSequences(first, last, length, (low, high) => branches.push(sequence(low, high)))
  })
  if (ascii.length > 0 || branches.length === 0) branches.unshift({ kind: 'set', ranges: ascii })
  const [only] = branches
  return branches.length === 1 && only !== undefined ? only : { kind: 'alternation', items: branches }
}

function sequence(first: number, last: number): Hir {
  const low = encodeScalar(first)
  const high = encodeScalar(last)
  const items = Array.from({ length: low.length }, (_, i): Hir => ({
    kind: 'set',
    ranges: [[low.charCodeAt(i), high.charCodeAt(i)]],
  }))
  return { kind: 'concat', items }
}

type Take = (first: number, last: number, length: number) => void

/** Yields the ranges without surrogates, split where the encoding length changes. */
function eachSegment(ranges: Ranges, take: Take): void {
  for (const [first, last] of ranges) {
    if (first < 0xd800) cut(first, Math.min(last, 0xd7ff), take)
    if (last > 0xdfff) cut(Math.max(first, 0xe000), last, take)
  }
}

function cut(first: number, last: number, take: Take): void {
  let start = first
  for (let i = 0; start <= last; i += 1) {
    const limit = LENGTH_LIMITS[i] ?? last
    if (start > limit) continue
    const end = Math.min(last, limit)
    take(start, end, i + 1)
    start = end + 1
  }
}

/** Splits until each part is a product of byte ranges. Both ends encode to `length` bytes. */
function splitSequences(
  first: number,
  last: number,
  length: number,
  add: (first: number, last: number) => void,
): void {
  for (let tail = 1; tail < length; tail += 1) {
    const size = 64 ** tail
    if (Math.floor(first / size) === Math.floor(last / size)) continue
    const headRest = first % size
    const tailRest = last % size
    if (headRest === 0 && tailRest === size - 1) continue
    const split = headRest === 0 ? last - tailRest : first - headRest + size
    splitSequences(first, split - 1, length, add)
    splitSequences(split, last, length, add)
    return
  }
  add(first, last)
}
