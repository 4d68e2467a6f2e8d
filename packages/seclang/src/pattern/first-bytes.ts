// The bytes that a match must begin with, for patterns that match at the beginning of a text alone.
import type { Bytes } from '../bytes.ts'
import { RARE_BIT } from './byte-mask.ts'
import { bytesOf, type ByteSet, emptySet, setOf, unite } from './byte-set.ts'
import type { PatternNode } from './pattern-tree.ts'

export interface Beginning {
  /** 1 for each byte that the text can begin with. */
  readonly isFirst: Uint8Array
  /** True if a match can begin at the start of a later line, too. */
  readonly isOfLine: boolean
}

/** False if the pattern cannot match, whatever else is in the text. @param mask of the text */
export function canBegin(beginning: Beginning | undefined, text: Bytes, mask: number): boolean {
  if (beginning === undefined || (beginning.isOfLine && (mask & RARE_BIT) !== 0)) return true
  return text !== '' && beginning.isFirst[text.charCodeAt(0) & 0xff] === 1
}

/** Undefined if a match can begin elsewhere, or be empty. */
export function beginningOf(node: PatternNode): Beginning | undefined {
  const found = findAnchor(node)
  if (found === undefined) return undefined
  return firstBytes(bytesOf(found.set), found.isOfLine)
}

/** @param bytes that the text can begin with */
export function firstBytes(bytes: readonly number[], isOfLine: boolean): Beginning {
  const isFirst = new Uint8Array(256)
  for (const byte of bytes) isFirst[byte] = 1
  return { isFirst, isOfLine }
}

/** The bytes that a text can begin with. */
export const bytesIn = ({ isFirst }: Beginning): readonly number[] =>
  Array.from(isFirst.keys()).filter((byte) => isFirst[byte] === 1)

interface Anchored {
  readonly set: ByteSet
  readonly isOfLine: boolean
}

function findAnchor(node: PatternNode): Anchored | undefined {
  switch (node.kind) {
    case 'capture':
      return findAnchor(node.item)
    case 'choice': {
      let all: Anchored | undefined
      for (const item of node.items) {
        const one = findAnchor(item)
        if (one === undefined) return undefined
        all = {
          set: all === undefined ? one.set : unite(all.set, one.set),
          isOfLine: one.isOfLine || all?.isOfLine === true,
        }
      }
      return all
    }
    case 'sequence': {
      const [first, ...rest] = node.items
      if (first === undefined) return undefined
      if (first.kind !== 'assertion') return findAnchor(first)
      if (first.at !== 'start' && first.at !== 'line-start') return undefined
      const { set, canBeEmpty } = firstOf({ kind: 'sequence', items: rest })
      return canBeEmpty ? undefined : { set, isOfLine: first.at === 'line-start' }
    }
    default:
      return undefined
  }
}

interface First {
  readonly set: ByteSet
  readonly canBeEmpty: boolean
}

const ANY: First = { set: setOf([0, 255]), canBeEmpty: true }
const NONE: First = { set: emptySet(), canBeEmpty: true }

function firstOf(node: PatternNode): First {
  switch (node.kind) {
    case 'set':
      return { set: node.set, canBeEmpty: false }
    case 'sequence': {
      let { set } = NONE
      for (const item of node.items) {
        const first = firstOf(item)
        set = unite(set, first.set)
        if (!first.canBeEmpty) return { set, canBeEmpty: false }
      }
      return { set, canBeEmpty: true }
    }
    case 'choice': {
      const all = node.items.map(firstOf)
      return {
        set: all.reduce((union, { set }) => unite(union, set), NONE.set),
        canBeEmpty: all.some(({ canBeEmpty }) => canBeEmpty),
      }
    }
    case 'repeat': {
      const first = firstOf(node.item)
      return { set: first.set, canBeEmpty: first.canBeEmpty || node.min === 0 }
    }
    case 'capture':
      return firstOf(node.item)
    case 'assertion':
    case 'look':
      return NONE
    case 'reference':
      return ANY
  }
}
