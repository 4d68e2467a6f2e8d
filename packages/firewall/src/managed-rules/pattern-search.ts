// Searches many patterns in the texts of one request. One pass over each text finds the patterns that could match,
// and only those are run.
import { type Bytes, parseRegex, type Regex } from '@zonereeve/expr'
import {
  createScanner,
  isPossible,
  type PooledString,
  type Requirement,
  requirementOfWords,
  type Scanner,
  StringPool,
  type TransformChain,
  TransformChains,
  type UnitedScan,
} from '@zonereeve/seclang'
import type { InspectedRequest } from './inspected-request.ts'
import type { PatternCheck } from './managed-rule.ts'
import type { PartText, RequestPart } from './request-parts.ts'
import { CHANGED_BYTES, type Transform, TRANSFORMS } from './transforms.ts'

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
  readonly chain: TransformChain
}

interface NumberedRegex {
  readonly regex: Regex
  /** Its index among all patterns of the search. */
  readonly number: number
  readonly requirement: Requirement
}

/** A match of a pattern in a text of the request, both after transforms. */
export interface PatternMatch {
  readonly field: string
  readonly text: Bytes
  readonly start: number
  readonly end: number
}

/** One request, with everything already computed about its strings. */
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

const isTransform = (name: string): name is Transform => Object.hasOwn(TRANSFORMS, name)

export function createPatternSearch(): PatternSearch {
  const regexes: Regex[] = []
  const requirements: Requirement[] = []
  const places = new Map<string, PatternPlace>()
  const chains = new TransformChains((name) =>
    isTransform(name) ? { apply: TRANSFORMS[name], changes: CHANGED_BYTES[name] } : undefined,
  )
  let scanner: Scanner | undefined

  function compile({ parts, transforms, patterns }: PatternCheck): CompiledCheck {
    scanner = undefined
    const numbered = patterns.map(readPattern)
    return {
      places: parts.map((part) => placeOf(part, transforms)),
      patterns: numbered,
      isAlwaysPossible: numbered.some(({ requirement }) => requirement.clauses.length === 0),
    }
  }

  function placeOf(part: RequestPart, transforms: readonly Transform[]): PatternPlace {
    const key = [part, ...transforms].join(' ')
    const place = places.get(key) ?? { number: places.size, part, chain: chains.of(transforms) }
    places.set(key, place)
    return place
  }

  function readPattern(source: string): NumberedRegex {
    const regex = parseRegex(source, MAX_REGEX_BYTES)
    if (typeof regex === 'string') throw new Error(`${source}: ${regex}`)
    const needed = regex.needles()
    // Without needles a match is possible in every text.
    const requirement = needed === undefined ? { clauses: [], masks: [] } : requirementOfWords(needed)
    requirements.push(requirement)
    return { regex, number: regexes.push(regex) - 1, requirement }
  }

  return {
    compile,
    open: (request) => openSearch(request, new StringPool((scanner ??= createScanner(requirements)))),
    prepare: () => void (scanner ??= createScanner(requirements)),
    regexes,
  }
}

interface View {
  readonly fields: readonly PartText[]
  /** Their texts after transforms, at the same positions. */
  readonly strings: readonly PooledString[]
  readonly scan: UnitedScan
}

function openSearch(request: InspectedRequest, pool: StringPool): RequestSearch {
  const parts = new Map<RequestPart, View>()
  /** By number of the place. */
  const views: (View | undefined)[] = []

  function viewOf(fields: readonly PartText[], strings: readonly PooledString[]): View {
    return { fields, strings, scan: pool.scanAll(strings) }
  }

  function asSent(part: RequestPart): View {
    let found = parts.get(part)
    if (found === undefined) {
      const fields = request.stringsOf(part)
      found = viewOf(
        fields,
        fields.map(({ text }) => pool.get(text)),
      )
      parts.set(part, found)
    }
    return found
  }

  /** Most transforms change nothing. */
  function view({ part, chain }: PatternPlace): View {
    const sent = asSent(part)
    let strings: PooledString[] | undefined
    for (let place = 0; place < sent.strings.length; place += 1) {
      const before = sent.strings[place]
      if (before === undefined) continue
      const after = pool.transform(before, chain)
      if (after === before) continue
      strings ??= sent.strings.slice()
      strings[place] = after
    }
    return strings === undefined ? sent : viewOf(sent.fields, strings)
  }

  // Loops by index: these run some thousand times for each request, and iterators are objects.
  function findIn(
    { fields, strings }: View,
    { regex, number, requirement }: NumberedRegex,
  ): PatternMatch | null {
    for (let place = 0; place < strings.length; place += 1) {
      const string = strings[place]
      const field = fields[place]?.field
      if (string === undefined || field === undefined) continue
      if (!isPossible(pool.scanOf(string), number, requirement)) continue
      // Finding costs more than testing, and most tested patterns do not match.
      const text = string.value
      const match = regex.test(text) ? regex.find(text) : undefined
      if (match !== undefined) return { field, text, start: match.start, end: match.end }
    }
    return null
  }

  function find({ places, patterns, isAlwaysPossible }: CompiledCheck): PatternMatch | null {
    for (let i = 0; i < places.length; i += 1) {
      const place = places[i]
      if (place === undefined) continue
      const found = (views[place.number] ??= view(place))
      if (found.scan.candidates === undefined && !isAlwaysPossible) continue
      for (let j = 0; j < patterns.length; j += 1) {
        const pattern = patterns[j]
        if (pattern === undefined || !isPossible(found.scan, pattern.number, pattern.requirement)) continue
        const match = findIn(found, pattern)
        if (match !== null) return match
      }
    }
    return null
  }

  return { find }
}
