// What is known before a request: which patterns are searched in which parts, and what a text needs for them to match.
import type { Bytes, Regex } from '@zonereeve/expr'
import {
  ANY_BYTE,
  createScanner,
  lettersIn,
  type PatternSet,
  patternSetOf,
  RepeatedStrings,
  type Requirement,
  type Scanner,
  type TransformChain,
} from '@zonereeve/seclang'
import { nameIn, type RequestPart } from './request-parts.ts'

/** A check whose patterns were parsed, for `find`. */
export interface CompiledCheck {
  /** Its index among all checks of the search. */
  readonly number: number
  readonly places: readonly PatternPlace[]
  readonly patterns: readonly NumberedRegex[]
}

/** A part after transforms: one object, shared by all checks that use it. */
export interface PatternPlace {
  /** Its index among the places of the part. */
  readonly number: number
  readonly part: InspectedPart
  readonly chain: TransformChain
}

/** A part that rules inspect. */
export interface InspectedPart {
  readonly number: number
  readonly part: RequestPart
  readonly places: PatternPlace[]
}

export interface NumberedRegex {
  readonly regex: Regex
  /** Its index among all patterns of the search. */
  readonly number: number
  readonly requirement: Requirement
}

export interface SearchPlan {
  readonly scanner: Scanner
  readonly repeated: RepeatedStrings
  /** Parts that every request has. */
  readonly parts: readonly PlannedPart[]
  /** Headers and arguments of a name, by the name. */
  readonly named: Readonly<Record<'arg' | 'header', ReadonlyMap<Bytes, PlannedPart>>>
  readonly requirements: readonly Requirement[]
  /** By number of the pattern: the number of its check. */
  readonly checkOf: readonly number[]
  /** The empty set of checks, and a list without an entry for any part. */
  readonly noChecks: PatternSet
  readonly nothingSent: readonly undefined[]
}

export interface PlannedPart extends InspectedPart {
  /** The patterns that are searched in it in one of its forms and need words. */
  readonly worded: PatternSet
  /** Those that need none. */
  readonly wordless: readonly number[]
  /** The bytes that some of its places change, other than capital letters: words are found in either case. */
  readonly triggers: number
  /** True if some change whitespace that is not a single space. */
  readonly isForRuns: boolean
  /** By its place: the patterns that are searched there. */
  readonly searched: readonly SearchedPlace[]
}

export interface SearchedPlace {
  readonly chain: TransformChain
  readonly worded: PatternSet
  readonly needed: Needed
}

/** A text without any of these bits and letters matches nothing in a place. */
interface Needed {
  readonly mask: number
  /** As in `lettersIn`. */
  readonly letters: number
  /** True if every text can match. */
  readonly isNothing: boolean
}

export function planSearch(
  parts: readonly InspectedPart[],
  checks: readonly CompiledCheck[],
  patterns: readonly NumberedRegex[],
): SearchPlan {
  const checkOf: number[] = []
  const numbersAt = new Map<PatternPlace, number[]>()
  for (const { number: check, places, patterns: searched } of checks) {
    for (const { number } of searched) checkOf[number] = check
    for (const place of places) {
      const numbers = searched.map(({ number }) => number)
      numbersAt.set(place, [...(numbersAt.get(place) ?? []), ...numbers]) // the first one there
    }
  }
  const requirements = patterns.map(({ requirement }) => requirement)
  const needsWords = (number: number): boolean => requirements[number]?.clauses.length !== 0
  const plannedParts = parts.map((part): PlannedPart => {
    const at = part.places.map((place) => numbersAt.get(place) ?? []) // every place is of a check
    const setOfWorded = (numbers: readonly number[]): PatternSet =>
      patternSetOf(numbers.filter(needsWords), patterns.length)
    return {
      ...part,
      worded: setOfWorded(at.flat()),
      wordless: [...new Set(at.flat())].filter((number) => !needsWords(number)),
      triggers: part.places.reduce((all, { chain }) => all | chain.mask, 0),
      isForRuns: part.places.some(({ chain }) => chain.isForRuns),
      searched: part.places.map(({ chain }, i) => {
        const numbers = at[i] ?? [] // as long as the places
        return { chain, worded: setOfWorded(numbers), needed: neededIn(numbers, requirements) }
      }),
    }
  })
  const namedOf = (kind: 'arg' | 'header'): ReadonlyMap<Bytes, PlannedPart> =>
    new Map(
      plannedParts.flatMap((part) => {
        const name = nameIn(part.part, kind)
        return name === undefined ? [] : [[name, part] as const]
      }),
    )
  return {
    scanner: createScanner(requirements),
    repeated: new RepeatedStrings(),
    parts: plannedParts.filter(
      ({ part }) => nameIn(part, 'arg') === undefined && nameIn(part, 'header') === undefined,
    ),
    named: { arg: namedOf('arg'), header: namedOf('header') },
    requirements,
    checkOf,
    noChecks: patternSetOf([], checks.length),
    nothingSent: parts.map(() => undefined),
  }
}

function neededIn(numbers: readonly number[], requirements: readonly Requirement[]): Needed {
  let mask = 0
  let letters = 0
  for (const number of numbers) {
    const { masks, clauses } = requirements[number] as Requirement // every pattern has one
    const own = clauses.map(lettersIn).find((found) => found !== 0)
    if (masks[0] !== undefined) mask |= masks[0]
    else if (own === undefined) return { mask, letters, isNothing: true }
    else letters |= own
  }
  return { mask, letters, isNothing: false }
}

/** False if a text with these bits and letters has none of those that are needed, in whichever form. */
export const canHold = (needed: Needed, mask: number, letters: number): boolean =>
  mask === ANY_BYTE || (mask & needed.mask) !== 0 || (letters & needed.letters) !== 0
