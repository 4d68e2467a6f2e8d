// What a text must contain for a pattern of the filter language to match it.
import type { Hir, Regex } from '@zonereeve/expr'
import { EMPTY_PATTERN, type PatternNode, type Requirement, requirementOf, setOf } from '@zonereeve/seclang'

/** Sound: if the pattern matches a text, the text meets the requirement. */
export const requirementOfRegex = ({ hir }: Regex): Requirement => requirementOf(toPatternNode(hir))

function toPatternNode(hir: Hir): PatternNode {
  switch (hir.kind) {
    case 'empty':
      return EMPTY_PATTERN
    case 'look':
      return hir.look === 'start-text' ? { kind: 'assertion', at: 'start' } : EMPTY_PATTERN
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

/** Trees are not changed, so equal bytes share a node. */
const BYTES: readonly PatternNode[] = Array.from({ length: 256 }, (_, byte) => ({
  kind: 'set',
  set: setOf([byte, byte]),
}))

const toByte = (character: string): PatternNode => BYTES[character.charCodeAt(0)] ?? EMPTY_PATTERN // bytes are below 256
