// Numbers transformations, so that equal beginnings of several chains are computed once.
import type { Bytes } from '../bytes.ts'
import { byteMask } from '../pattern/byte-mask.ts'

export interface Transform {
  readonly apply: (text: Bytes) => Bytes
  /** A text without any of these bytes stays as it is; undefined if every text can change. */
  readonly changes: string | undefined
}

/** Transformations in order. */
export interface TransformChain {
  readonly steps: readonly TransformStep[]
}

export interface TransformStep {
  /** Identifies all steps from the first one to this. */
  readonly number: number
  readonly apply: (text: Bytes) => Bytes
  /** A text without one of these bits of the byte mask stays as it is; -1 if every text can change. */
  readonly mask: number
  /** True if texts with capital letters can change, too. */
  readonly isForUpperCase: boolean
}

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
    return { steps }
  }
}

function triggersOf(bytes: string | undefined): Pick<TransformStep, 'mask' | 'isForUpperCase'> {
  if (bytes === undefined) return { mask: -1, isForUpperCase: true }
  return { mask: byteMask(bytes), isForUpperCase: /[A-Z]/.test(bytes) }
}
