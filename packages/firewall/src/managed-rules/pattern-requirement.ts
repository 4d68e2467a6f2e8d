// What a text must contain for a pattern of the filter language to match it.
import type { Hir, Regex } from '@zonereeve/expr'
import { EMPTY_PATTERN, type PatternNode, type Requirement, requirementOf, setOf } from '@zonereeve/seclang'

/** Sound: if the pattern matches a text, the text meets the requirement. */
export const requirementOfRegex = ({ hir, needles }: Regex): Requirement =>
  requirementOf(toPatternNode(hir), needles())

function toPatternNode(hir: Hir): PatternNode {
  switch (hir.kind) {
    case 'empty':
    case 'look':
      return EMPTY_PATTERN
    case 'set':
      return { kind: 'set', set: setOf(...hir.ranges) }
    case 'class':
      return toPatternNode(hir.bytes())
    case 'literal':
      return { kind: 'sequence', items: Array.from(hir.bytes, toByte) }
    case 'repeat':
      return {
        kind: 'repeat',
        item: toPatternNode(hir.item),
        min: hir.min,
        max: hir.max,
        isLazy: !hir.greedy,
      }
    case 'capture':
      return toPatternNode(hir.item)
    case 'concat':
      return { kind: 'sequence', items: hir.items.map(toPatternNode) }
    case 'alternation':
      return { kind: 'choice', items: hir.items.map(toPatternNode) }
  }
}

function toByte(character: string): PatternNode {
  const byte = character.charCodeAt(0)
  return { kind: 'set', set: setOf([byte, byte]) }
}
