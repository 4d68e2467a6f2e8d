// Searches many patterns in the texts of one request. One pass over each text finds the patterns that could match,
// and only those are run.
import { type Bytes, parseRegex, type Regex } from '@zonereeve/expr'
import type { InspectedRequest } from './inspected-request.ts'
import { createLiteralScanner, type LiteralScanner } from './literal-scanner.ts'
import type { PatternCheck } from './managed-rule.ts'
import type { PartText, RequestPart } from './request-parts.ts'
import { type Transform, TRANSFORMS } from './transforms.ts'

/** Maximum estimated size of the automaton of one pattern. */
const MAX_REGEX_BYTES = 256 * 1024

/** A check whose patterns were parsed, for `find`. */
export interface CompiledCheck {
  readonly places: readonly PatternPlace[]
  readonly patterns: readonly NumberedRegex[]
  /** True if one of the patterns must be run on every text. */
  readonly isAlwaysPossible: boolean
}

/** A part after transforms: one object, with its own number, shared by all checks that use it. */
interface PatternPlace {
  readonly number: number
  readonly part: RequestPart
  readonly transforms: readonly Transform[]
}

interface NumberedRegex {
  readonly regex: Regex
  /** Its index among all patterns of the search. */
  readonly number: number
  /** True if there is no literal text that can rule out a match. */
  readonly isAlwaysPossible: boolean
}

/** A match of a pattern in a text of the request, both after transforms. */
export interface PatternMatch {
  readonly field: string
  readonly text: Bytes
  readonly start: number
  readonly end: number
}

/** One request, with everything already computed about its texts. */
export interface RequestSearch {
  readonly find: (check: CompiledCheck) => PatternMatch | null
}

export interface PatternSearch {
  /** Parses a check and adds it to the search. @throws Error for a pattern that cannot be parsed */
  readonly compile: (check: PatternCheck) => CompiledCheck
  readonly open: (request: InspectedRequest) => RequestSearch
  /** Builds what the first request would have to wait for, except the regular expressions themselves. */
  readonly prepare: () => void
  readonly regexes: readonly Regex[]
}

/** Numbers of the patterns that could match in one text. */
type Scan = (text: Bytes) => ReadonlySet<number>

const NONE: ReadonlySet<number> = new Set()

export function createPatternSearch(): PatternSearch {
  const regexes: Regex[] = []
  const needles: (readonly [Bytes, number])[] = []
  const places = new Map<string, PatternPlace>()
  let scanner: LiteralScanner | undefined

  function compile({ parts, transforms, patterns }: PatternCheck): CompiledCheck {
    scanner = undefined
    const numbered = patterns.map(readPattern)
    return {
      places: parts.map((part) => placeOf(part, transforms)),
      patterns: numbered,
      isAlwaysPossible: numbered.some(({ isAlwaysPossible }) => isAlwaysPossible),
    }
  }

  function placeOf(part: RequestPart, transforms: readonly Transform[]): PatternPlace {
    const key = [part, ...transforms].join(' ')
    const place = places.get(key) ?? { number: places.size, part, transforms }
    places.set(key, place)
    return place
  }

  function readPattern(source: string): NumberedRegex {
    const regex = parseRegex(source, MAX_REGEX_BYTES)
    if (typeof regex === 'string') throw new Error(`${source}: ${regex}`)
    const number = regexes.push(regex) - 1
    const needed = regex.needles()
    // Without needles a match is possible in every text.
    for (const needle of needed ?? []) needles.push([needle, number])
    return { regex, number, isAlwaysPossible: needed === undefined }
  }

  function possibleIn(text: Bytes): ReadonlySet<number> {
    scanner ??= createLiteralScanner(needles)
    let found: Set<number> | undefined
    scanner(text, (owners) => {
      found ??= new Set()
      for (const owner of owners) found.add(owner)
    })
    return found ?? NONE
  }

  return {
    compile,
    open: (request) => openSearch(request, places.size, possibleIn),
    prepare: () => void possibleIn(''),
    regexes,
  }
}

interface ViewedPart {
  readonly strings: readonly PartText[]
  /** The union over the texts. */
  readonly possible: ReadonlySet<number>
}

const NOTHING: ViewedPart = { strings: [], possible: NONE }

function openSearch(request: InspectedRequest, placeCount: number, possibleIn: Scan): RequestSearch {
  // Most transforms change nothing, and most texts are equal in every place: both are cached.
  const scanned = new Map<Bytes, ReadonlySet<number>>()
  const unions = new Map<readonly PartText[], ReadonlySet<number>>()
  const steps = new Map<readonly PartText[], Map<Transform, readonly PartText[]>>()
  const viewed = Array.from<ViewedPart | undefined>({ length: placeCount })

  const scan: Scan = (text) => memoize(scanned, text, possibleIn)
  const unionOf = (strings: readonly PartText[]): ReadonlySet<number> =>
    unite(strings.map(({ text }) => scan(text)))
  const step = (strings: readonly PartText[], transform: Transform): readonly PartText[] =>
    memoize(memoize(steps, strings, newMap<Transform, readonly PartText[]>), transform, () =>
      transformAll(strings, transform),
    )

  function view({ part, transforms }: PatternPlace): ViewedPart {
    let strings = request.stringsOf(part)
    if (strings.length === 0) return NOTHING
    for (const transform of transforms) strings = step(strings, transform)
    return { strings, possible: memoize(unions, strings, unionOf) }
  }

  return {
    find(check) {
      for (const place of check.places) {
        const found = (viewed[place.number] ??= view(place))
        if (found.possible.size === 0 && !check.isAlwaysPossible) continue
        const match = findIn(found, check.patterns, scan)
        if (match !== null) return match
      }
      return null
    },
  }
}

function findIn(
  { strings, possible }: ViewedPart,
  patterns: readonly NumberedRegex[],
  scan: Scan,
): PatternMatch | null {
  for (const { regex, number, isAlwaysPossible } of patterns) {
    if (!isAlwaysPossible && !possible.has(number)) continue
    for (const { field, text } of strings) {
      if (!isAlwaysPossible && !scan(text).has(number)) continue
      // Finding costs more than testing, and most tested patterns do not match.
      const match = regex.test(text) ? regex.find(text) : undefined
      if (match !== undefined) return { field, text, start: match.start, end: match.end }
    }
  }
  return null
}

const newMap = <K, V>(): Map<K, V> => new Map()

function memoize<K, V>(known: Map<K, V>, key: K, compute: (key: K) => V): V {
  let value = known.get(key)
  if (value === undefined) {
    value = compute(key)
    known.set(key, value)
  }
  return value
}

/** Returns the same list if no text changes. */
function transformAll(strings: readonly PartText[], name: Transform): readonly PartText[] {
  const transform = TRANSFORMS[name]
  let out: PartText[] | undefined
  for (const [i, { field, text }] of strings.entries()) {
    const changed = transform(text)
    if (changed === text && out === undefined) continue
    out ??= strings.slice(0, i)
    out.push({ field, text: changed })
  }
  return out ?? strings
}

function unite(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const some = sets.filter((set) => set.size > 0)
  if (some.length < 2) return some[0] ?? NONE
  const union = new Set<number>()
  for (const set of some) for (const number of set) union.add(number)
  return union
}
