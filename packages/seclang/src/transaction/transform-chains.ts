// Numbers transformations, so that equal beginnings of several chains are computed once.
import type { Bytes } from '../bytes.ts'
import { byteMask } from '../pattern/byte-mask.ts'

export interface Transform {
  readonly apply: (text: Bytes) => Bytes
  /** A text without any of these bytes stays as it is; undefined if every text can change. */
  readonly changes: string | undefined
}

/** Transformations in order. */
export interface TransformChain extends Triggers {
  readonly steps: readonly TransformStep[]
}

/** Which strings can change. */
export interface Triggers {
  /** Those with one of these bits of the byte mask. */
  readonly mask: number
  /** Those with capital letters, too. */
  readonly isForUpperCase: boolean
  /** All of them, also the empty one. */
  readonly isForAll: boolean
}

export interface TransformStep extends Triggers {
  /** Identifies all steps from the first one to this. */
  readonly number: number
  readonly apply: (text: Bytes) => Bytes
}

/** False if a string stays as it is. @param scan what occurs in the string */
export const canChange = (
  { mask, isForUpperCase, isForAll }: Triggers,
  scan: { readonly mask: number; readonly hasUpperCase: boolean },
): boolean => isForAll || (scan.mask & mask) !== 0 || (isForUpperCase && scan.hasUpperCase)

export class TransformChains {
  private readonly numbers = new Map<string, number>()
  private readonly transformNamed: (name: string) => Transform | undefined

  constructor(transformNamed: (name: string) => Transform | undefined) {
    this.transformNamed = transformNamed
  }

  /** The chain of these names; names that are not known are left out. */
  of(names: readonly string[]): TransformChain {
    const steps: TransformStep[] = []
    let path = ''
    for (const name of names) {
      const transform = this.transformNamed(name)
      if (transform === undefined) continue
      path += `${name},`
      let number = this.numbers.get(path)
      if (number === undefined) {
        number = this.numbers.size
        this.numbers.set(path, number)
      }
      steps.push({ number, apply: transform.apply, ...triggersOf(transform.changes) })
    }
    return { steps, ...uniteTriggers(steps) }
  }
}

const triggersOf = (bytes: string | undefined): Triggers =>
  bytes === undefined
    ? { mask: 0, isForUpperCase: false, isForAll: true }
    : { mask: byteMask(bytes), isForUpperCase: /[A-Z]/.test(bytes), isForAll: false }

/** A string without any of the triggers passes every step unchanged. */
const uniteTriggers = (steps: readonly Triggers[]): Triggers => ({
  mask: steps.reduce((all, { mask }) => all | mask, 0),
  isForUpperCase: steps.some((step) => step.isForUpperCase),
  isForAll: steps.some((step) => step.isForAll),
})
