// The limits of the engine that runs in linear time (RE2). It has them when a pattern is compiled, which is on first use:
// a rule that it would refuse must be known before.
import { PatternError } from './parse-pattern.ts'
import type { PatternNode } from './pattern-tree.ts'

/** Of repetitions in repetitions, multiplied: RE2's own. */
const MAX_REPEATS = 1000
/** Instructions. RE2 stops at 1.4 million, which it counts in a similar way. */
const MAX_SIZE = 1_000_000
/** Levels of the tree. RE2 stops at 1,000, and a level of ours is up to two of its own. */
const MAX_HEIGHT = 450

interface Measure {
  readonly size: number
  readonly height: number
}

/** @throws PatternError for a pattern that RE2 would refuse, with the reason */
export function checkLinearLimits(tree: PatternNode): void {
  const { size, height } = measure(tree, MAX_REPEATS)
  if (size > MAX_SIZE) throw new PatternError('it is too large')
  if (height > MAX_HEIGHT) throw new PatternError('it is nested too deeply')
}

/** @param repeatsLeft how often the node may be repeated; RE2 divides in whole numbers, too */
function measure(node: PatternNode, repeatsLeft: number): Measure {
  switch (node.kind) {
    case 'sequence':
    case 'choice': {
      let [size, height] = [1, 0]
      for (const item of node.items) {
        const inner = measure(item, repeatsLeft)
        size += inner.size + 1
        height = Math.max(height, inner.height)
      }
      return { size, height: height + 1 }
    }
    case 'repeat': {
      const { item, min, max } = node
      if (max < min) throw new PatternError('a repetition whose bounds are out of order')
      const times = max === Infinity ? min : max
      if (times > repeatsLeft)
        throw new PatternError(`nested repetitions of more than ${MAX_REPEATS} together`)
      const inner = measure(item, times === 0 ? repeatsLeft : Math.floor(repeatsLeft / times))
      return { size: (inner.size + 1) * Math.max(1, times) + 1, height: inner.height + 1 }
    }
    case 'capture': {
      const { size, height } = measure(node.item, repeatsLeft)
      return { size: size + 2, height: height + 1 }
    }
    default:
      return { size: 1, height: 1 }
  }
}
