// Prints a tree in the syntax of RE2, for an engine that runs in linear time.
import { bytesOf, type ByteSet } from './byte-set.ts'
import { PatternError } from './parse-pattern.ts'
import type { Assertion, PatternNode } from './pattern-tree.ts'

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  'line-start': '(?m:^)',
  'line-end': '(?m:$)',
  start: '\\A',
  end: '\\z',
  'word-edge': '\\b',
  'no-word-edge': '\\B',
}

/** @throws PatternError for look-around and back-references, which no engine runs in linear time */
export function printPattern(node: PatternNode): string {
  switch (node.kind) {
    case 'set':
      return printSet(node.set)
    case 'sequence':
      return printSequence(node.items)
    case 'choice':
      return node.items.map(printPattern).join('|')
    case 'repeat': {
      const { item, min, max, isLazy } = node
      return `${printRepeated(item)}${quantifier(min, max)}${isLazy ? '?' : ''}`
    }
    case 'capture':
      return `(${printPattern(node.item)})`
    case 'assertion':
      return ASSERTIONS[node.at]
    case 'look':
      throw new PatternError('look-around is not supported')
    case 'reference':
      throw new PatternError('back-references are not supported')
  }
}

/** Runs of letters in either case are shorter to read as such than as sets. */
function printSequence(items: readonly PatternNode[]): string {
  let text = ''
  let run = ''
  for (const item of items) {
    const letter = item.kind === 'set' ? letterInBothCases(item.set) : undefined
    if (letter === undefined) {
      text += foldedRun(run) + printItem(item)
      run = ''
    } else run += letter
  }
  return text + foldedRun(run)
}

const foldedRun = (letters: string): string => (letters === '' ? '' : `(?i:${letters})`)

function letterInBothCases(set: ByteSet): string | undefined {
  const [upper, lower, other] = bytesOf(set)
  if (upper === undefined || lower !== upper + 32 || other !== undefined) return undefined
  return upper >= 65 && upper <= 90 ? String.fromCharCode(lower) : undefined
}

const printItem = (node: PatternNode): string =>
  node.kind === 'choice' ? `(?:${printPattern(node)})` : printPattern(node)

const printRepeated = (node: PatternNode): string =>
  node.kind === 'set' || node.kind === 'capture' ? printPattern(node) : `(?:${printPattern(node)})`

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}

function printSet(set: ByteSet): string {
  const bytes = bytesOf(set)
  const [first] = bytes
  if (first === undefined) return '[^\\x00-\\x{10FFFF}]'
  if (bytes.length === 1) return hex(first)
  let text = ''
  let start = first
  for (const [i, byte] of bytes.entries()) {
    if (bytes[i + 1] === byte + 1) continue
    text += start === byte ? hex(byte) : `${hex(start)}-${hex(byte)}`
    start = bytes[i + 1] ?? 0 // after the last byte it is not read
  }
  return `[${text}]`
}

const hex = (byte: number): string =>
  /[a-zA-Z0-9]/.test(String.fromCharCode(byte))
    ? String.fromCharCode(byte)
    : `\\x${byte.toString(16).padStart(2, '0')}`
