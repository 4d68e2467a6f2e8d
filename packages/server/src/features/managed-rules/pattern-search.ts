// Many patterns over the texts of one request: which of them could match is known after one pass over each text, and
// only those are run.
import { type Bytes, parseRegex, type Regex } from '@zonereeve/expr'
import type { InspectedRequest } from './inspected-request.ts'
import { createLiteralScanner, type LiteralScanner } from './literal-scanner.ts'
import type { PatternCheck } from './managed-rule.ts'
import type { PartText, RequestPart } from './request-parts.ts'
import { applyTransforms, type Transform } from './transforms.ts'

/** The automaton of one pattern. The largest of the catalogue takes a tenth of it. */
const MAX_REGEX_BYTES = 256 * 1024

/** A check whose patterns were read, to be asked about with `find`. */
export interface CompiledCheck {
  readonly parts: readonly RequestPart[]
  readonly view: View
  readonly patterns: readonly NumberedRegex[]
}

interface NumberedRegex {
  readonly regex: Regex
  /** Its place among all patterns of the search. */
  readonly number: number
  /** True where no literal text tells that it cannot match. */
  readonly isAlwaysPossible: boolean
}

/** A list of transforms; one object for all checks that have the same. */
interface View {
  readonly transforms: readonly Transform[]
}

/** A match of a pattern in a text of the request, both after transforms. */
export interface PatternMatch {
  readonly field: string
  readonly text: Bytes
  readonly start: number
  readonly end: number
}

/** What is known of one request: texts by view and part, each with what could match in it. */
export interface RequestSearch {
  readonly find: (check: CompiledCheck) => PatternMatch | null
}

interface ViewedPart {
  readonly texts: readonly PartText[]
  /** The union over the texts. */
  readonly possible: ReadonlySet<number>
}

export interface PatternSearch {
  /** Reads a check; the search serves it from then on. @throws Error: a pattern that cannot be read */
  readonly compile: (check: PatternCheck) => CompiledCheck
  readonly open: (request: InspectedRequest) => RequestSearch
  readonly regexes: readonly Regex[]
}

const NONE: ReadonlySet<number> = new Set()

export function createPatternSearch(): PatternSearch {
  const regexes: Regex[] = []
  const needles: (readonly [Bytes, number])[] = []
  const views = new Map<string, View>()
  let scanner: LiteralScanner | undefined

  function compile(check: PatternCheck): CompiledCheck {
    const key = check.transforms.join(' ')
    const view = views.get(key) ?? { transforms: check.transforms }
    views.set(key, view)
    scanner = undefined
    return { parts: check.parts, view, patterns: check.patterns.map(readPattern) }
  }

  function readPattern(source: string): NumberedRegex {
    const regex = parseRegex(source, MAX_REGEX_BYTES)
    if (typeof regex === 'string') throw new Error(`${source}: ${regex}`)
    const number = regexes.push(regex) - 1
    const needed = regex.needles()
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

  function open(request: InspectedRequest): RequestSearch {
    /** Most texts are the same in every view. */
    const scanned = new Map<Bytes, ReadonlySet<number>>()
    const viewed = new Map<View, Map<RequestPart, ViewedPart>>()
    const scan = (text: Bytes): ReadonlySet<number> => {
      let possible = scanned.get(text)
      if (possible === undefined) {
        possible = possibleIn(text)
        scanned.set(text, possible)
      }
      return possible
    }
    const look = (view: View, part: RequestPart): ViewedPart => {
      const parts = viewed.get(view) ?? new Map<RequestPart, ViewedPart>()
      viewed.set(view, parts)
      let known = parts.get(part)
      if (known === undefined) {
        known = viewPart(request.textsOf(part), view, scan)
        parts.set(part, known)
      }
      return known
    }
    return { find: (check) => findFirst(check, look, scan) }
  }

  return { compile, open, regexes }
}

function viewPart(
  texts: readonly PartText[],
  view: View,
  scan: (text: Bytes) => ReadonlySet<number>,
): ViewedPart {
  const changed = texts.map(({ field, text }) => ({ field, text: applyTransforms(text, view.transforms) }))
  const sets = changed.map(({ text }) => scan(text)).filter((set) => set.size > 0)
  if (sets.length < 2) return { texts: changed, possible: sets[0] ?? NONE }
  const possible = new Set<number>()
  for (const set of sets) for (const number of set) possible.add(number)
  return { texts: changed, possible }
}

function findFirst(
  { parts, view, patterns }: CompiledCheck,
  look: (view: View, part: RequestPart) => ViewedPart,
  scan: (text: Bytes) => ReadonlySet<number>,
): PatternMatch | null {
  for (const part of parts) {
    const { texts, possible } = look(view, part)
    for (const { regex, number, isAlwaysPossible } of patterns) {
      if (!isAlwaysPossible && !possible.has(number)) continue
      for (const { field, text } of texts) {
        if (!isAlwaysPossible && !scan(text).has(number)) continue
        // Finding costs more than testing, and nearly everything that is tested does not match.
        const match = regex.test(text) ? regex.find(text) : undefined
        if (match !== undefined) return { field, text, start: match.start, end: match.end }
      }
    }
  }
  return null
}
