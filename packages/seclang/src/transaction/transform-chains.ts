// Numbers transformations, so that several chains share what each makes of a string.
import type { Bytes } from '../bytes.ts'
import { byteMask } from '../pattern/byte-mask.ts'
import type { Scan } from '../pattern/literal-automaton.ts'

export interface Transform {
  readonly apply: (text: Bytes) => Bytes
  /** A text without any of these bytes stays as it is; undefined if every text can change. */
  readonly changes: string | undefined
  /** True if whitespace that is not a single space is changed, too. */
  readonly changesRuns?: true
  /** Work units for each byte beyond those of other transformations; 0 if undefined. */
  readonly extraUnits?: number
  /** True if it changes nothing but the case of letters. */
  readonly isFolding?: true
  /** The bytes that a changed text can contain without the text before; undefined if they can be any. */
  readonly adds?: string | undefined
}

/** Transformations in order. One object for equal ones. */
export interface TransformChain extends Triggers {
  readonly number: number
  readonly steps: readonly TransformStep[]
}

/** Which strings can change. */
export interface Triggers {
  /** Those with one of these bits of the byte mask. */
  readonly mask: number
  /** Those with capital letters, too. */
  readonly isForUpperCase: boolean
  /** Those with whitespace that is not a single space, too. */
  readonly isForRuns: boolean
  /** All of them, also the empty one. */
  readonly isForAll: boolean
}

export interface TransformStep extends Triggers {
  /** Of the transformation, in all chains. */
  readonly number: number
  readonly apply: (text: Bytes) => Bytes
  readonly isFolding: boolean
  readonly extraUnits: number
  /** The bits of the bytes that it can bring into a text. */
  readonly addedMask: number
}

/** The bits that can be set after the transformations of a text with these. */
export function maskAfter({ steps }: TransformChain, mask: number): number {
  let reachable = mask
  for (let i = 0; i < steps.length; i += 1) {
    const step = steps[i]
    if (step === undefined) continue
    const triggers = step.isForRuns ? step.mask | WHITESPACE_BITS : step.mask
    if (step.isForAll || (reachable & triggers) !== 0) reachable |= step.addedMask
  }
  return reachable
}

const WHITESPACE_BITS = byteMask(' \t\n\u00a0')

/** True if a string stays as it is but for the case of letters. Then the same words and bytes are found in it. */
export const changesCaseOnly = (
  { mask, isForRuns, isForAll }: Triggers,
  scan: Pick<Scan, 'mask' | 'hasRuns'>,
): boolean => !isForAll && (scan.mask & mask) === 0 && !(isForRuns && scan.hasRuns)

/** False if a string stays as it is. @param scan what occurs in the string */
export const canChange = (
  triggers: Triggers,
  scan: Pick<Scan, 'mask' | 'hasUpperCase' | 'hasRuns'>,
): boolean => !changesCaseOnly(triggers, scan) || (triggers.isForUpperCase && scan.hasUpperCase)

/** The number of the chain without transformations. */
export const PLAIN_CHAIN = 0

export class TransformChains {
  private readonly numbers = new Map<string, number>()
  private readonly known = new Map<string, TransformChain>()
  private readonly transformNamed: (name: string) => Transform | undefined

  constructor(transformNamed: (name: string) => Transform | undefined) {
    this.transformNamed = transformNamed
    this.of([])
  }

  /** The chain of these names; names that are not known are left out. */
  of(names: readonly string[]): TransformChain {
    const key = names.join(' ')
    const known = this.known.get(key)
    if (known !== undefined) return known
    const steps: TransformStep[] = []
    for (const name of names) {
      const transform = this.transformNamed(name)
      if (transform === undefined) continue
      let number = this.numbers.get(name)
      if (number === undefined) {
        number = this.numbers.size
        this.numbers.set(name, number)
      }
      const { apply, changes, changesRuns = false, isFolding = false, extraUnits = 0, adds } = transform
      const addedMask = adds === undefined ? ANY_BYTE : byteMask(adds)
      steps.push({ number, apply, isFolding, extraUnits, addedMask, ...triggersOf(changes, changesRuns) })
    }
    const chain = { number: this.known.size, steps, ...uniteTriggers(steps) }
    this.known.set(key, chain)
    return chain
  }
}

/** The mask of a text that can contain anything. */
export const ANY_BYTE = -1

const triggersOf = (bytes: string | undefined, isForRuns: boolean): Triggers =>
  bytes === undefined
    ? { mask: 0, isForUpperCase: false, isForRuns, isForAll: true }
    : { mask: byteMask(bytes), isForUpperCase: /[A-Z]/.test(bytes), isForRuns, isForAll: false }

/** A string without any of the triggers passes every step unchanged. */
const uniteTriggers = (steps: readonly Triggers[]): Triggers => ({
  mask: steps.reduce((all, { mask }) => all | mask, 0),
  isForUpperCase: steps.some((step) => step.isForUpperCase),
  isForRuns: steps.some((step) => step.isForRuns),
  isForAll: steps.some((step) => step.isForAll),
})
