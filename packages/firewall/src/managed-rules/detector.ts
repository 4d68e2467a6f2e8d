// Whether rules match a request, and what they found in it.
import { type Bytes, compile, type Condition, decodeUtf8, parseExpression, usageOf } from '@zonereeve/expr'
import { type HeaderCondition, headerConditionsOf } from './header-conditions.ts'
import { DETECTION_SCHEME, fieldText, type InspectedRequest } from './inspected-request.ts'
import type { Detected, ManagedRule } from './managed-rule.ts'
import {
  createPatternSearch,
  type PatternMatch,
  type PatternSearch,
  type RequestSearch,
} from './pattern-search.ts'
import type { RequestWork } from './request-work.ts'
import type { CompiledCheck } from './search-plan.ts'
import { yieldNow } from '@zonereeve/cooperate'
import { addPattern, hasPattern, type PatternSet, patternSetOf, type WorkBudget } from '@zonereeve/seclang'

const MAX_EXCERPT_BYTES = 80
const BYTES_BEFORE_MATCH = 16

export interface Detector {
  /**
   * What the rule finds; null if it does not match.
   * @throws Error for a rule that the detector was not made for, or one whose detection cannot be parsed
   */
  readonly detect: (rule: ManagedRule, request: InspectedRequest) => Detected | null
  /** The number of a rule in `possibleRules`; undefined for rules that are not made of patterns. */
  readonly numberOf: (rule: ManagedRule) => number | undefined
  /** The rules of patterns that can match the request. Looking here costs less than `detect`. */
  readonly possibleRules: (request: InspectedRequest) => PatternSet
  /** True if rules of the request were detected: then others cost little. */
  readonly isOpen: (request: InspectedRequest) => boolean
  /** False if the work on the request was spent before the rules that were detected so far had searched everything. */
  readonly isWholeSoFar: (request: InspectedRequest) => boolean
  /** The same after all rules, which are run for that. */
  readonly isWhole: (request: InspectedRequest) => boolean
  /** The work units of all rules. */
  readonly unitsOfAll: (request: InspectedRequest) => number
  /** Reads all rules. Yields in between. */
  readonly warmUp: () => Promise<void>
  /** Those of all rules. */
  readonly patterns: () => PatternSearch['regexes']
}

type CompiledDetection = CompiledPatterns | CompiledExpression

interface CompiledExpression {
  readonly kind: 'expression'
  readonly headers: readonly HeaderCondition[]
  readonly condition: Condition
  readonly field: string
}

interface CompiledPatterns {
  readonly kind: 'patterns'
  readonly number: number
  readonly checks: readonly CompiledCheck[]
}

interface OpenedRequest {
  readonly work: RequestWork
  readonly search: RequestSearch
  /** By number of the rule. */
  readonly possible: PatternSet
  /** Of the possible rules that were needed so far. */
  readonly findings: Map<number, Detected | null>
}

/**
 * Nothing is parsed before `warmUp` or the first `detect`.
 * @param budgetFor what may be spent on a request; that of the request by default, which all detectors share
 */
export function createDetector(
  rules: readonly ManagedRule[],
  budgetFor: (request: InspectedRequest) => WorkBudget = ({ work }) => work.budget,
): Detector {
  const search = createPatternSearch()
  const unread = [...rules].toReversed()
  const compiled = new Map<ManagedRule, CompiledDetection>()
  const noRules = patternSetOf([], rules.length)
  /** By number of the check: the detection that it belongs to. */
  const ofChecks: CompiledPatterns[] = []
  /** Requests are decided one after the other. */
  let last: OpenedRequest | undefined

  function readNext(): boolean {
    const rule = unread.pop()
    if (rule === undefined) return false
    const detection = compileDetection(rule, search, compiled.size)
    compiled.set(rule, detection)
    if (detection.kind === 'patterns') for (const { number } of detection.checks) ofChecks[number] = detection
    return true
  }

  function readAll(): void {
    while (unread.length > 0) readNext()
  }

  // Copies of a request share its work. Most calls are about the last one.
  const open = (request: InspectedRequest): OpenedRequest =>
    last !== undefined && last.work === request.work ? last : openOther(request)

  function openOther(request: InspectedRequest): OpenedRequest {
    readAll()
    last = request.work.keep(search, () => {
      const opened = search.open(request, budgetFor(request))
      const possible = possibleIn(opened, ofChecks, noRules.slice())
      return { work: request.work, search: opened, possible, findings: new Map() }
    })
    return last
  }

  function searchAll(request: InspectedRequest): RequestSearch {
    const opened = open(request)
    for (const detection of compiled.values())
      if (detection.kind === 'patterns') detectPatterns(detection, opened)
    return opened.search
  }

  const numbers = new Map(
    rules.flatMap((rule, i) => (rule.detection.kind === 'patterns' ? [[rule, i] as const] : [])),
  )

  return {
    detect(rule, request) {
      readAll()
      const detection = compiled.get(rule)
      if (detection === undefined) throw new Error(`this detector has no rule "${rule.description}"`)
      if (detection.kind === 'patterns') return detectPatterns(detection, open(request))
      if (!hasHeaders(request, detection.headers) || !detection.condition(request.context())) return null
      const text = fieldText(request, detection.field)
      return { field: detection.field, excerpt: printable(text.slice(0, MAX_EXCERPT_BYTES)) }
    },
    numberOf: (rule) => numbers.get(rule),
    possibleRules: (request) => open(request).possible,
    isOpen: ({ work }) => work.find(search) !== undefined,
    isWholeSoFar: ({ work }) => work.find<OpenedRequest>(search)?.search.isSpent() !== true,
    isWhole: (request) => !searchAll(request).isSpent(),
    unitsOfAll: (request) => searchAll(request).spentUnits(),
    async warmUp() {
      while (readNext()) await yieldNow()
      search.prepare()
    },
    patterns() {
      readAll()
      return search.regexes
    },
  }
}

/** Adds those of which each check is possible. @param ofChecks by number of the check: its detection */
function possibleIn(
  search: RequestSearch,
  ofChecks: readonly CompiledPatterns[],
  possible: number[],
): PatternSet {
  search.visitPossible((check) => {
    const { number, checks } = ofChecks[check] as CompiledPatterns // every check is of a detection
    if (checks.length === 1 || checks.every((other) => search.isPossible(other))) addPattern(possible, number)
  })
  return possible
}

function compileDetection(
  { detection, description }: ManagedRule,
  search: PatternSearch,
  number: number,
): CompiledDetection {
  try {
    if (detection.kind === 'patterns')
      return { kind: 'patterns', number, checks: detection.all.map(search.compile) }
    if (detection.kind !== 'expression') throw new Error(`${detection.kind}: not for this detector`)
    const node = parseExpression(detection.expression, DETECTION_SCHEME)
    const [field = ''] = usageOf(node).fields
    return {
      kind: 'expression',
      headers: headerConditionsOf(node),
      condition: compile(node, DETECTION_SCHEME),
      field,
    }
  } catch (error) {
    throw new Error(`the detection of "${description}" cannot be read`, { cause: error })
  }
}

function hasHeaders(request: InspectedRequest, conditions: readonly HeaderCondition[]): boolean {
  for (let i = 0; i < conditions.length; i += 1) {
    const { name, isSent } = conditions[i] as HeaderCondition // within the list
    if (request.hasHeader(name) !== isSent) return false
  }
  return true
}

/** Most rules cannot match most requests. */
function detectPatterns(
  { number, checks }: CompiledPatterns,
  { search, possible, findings }: OpenedRequest,
): Detected | null {
  if (!hasPattern(possible, number)) return null
  let found = findings.get(number)
  if (found === undefined) {
    found = findAll(checks, search)
    findings.set(number, found)
  }
  return found
}

function findAll(checks: readonly CompiledCheck[], request: RequestSearch): Detected | null {
  let last: PatternMatch | null = null
  for (const check of checks) {
    last = request.find(check)
    if (last === null) return null
  }
  if (last === null) return null
  const { field, text, findStart } = last
  return {
    field,
    // Only traces show it.
    get excerpt() {
      return excerptOf(text, findStart())
    },
  }
}

function excerptOf(text: Bytes, start: number): string {
  const from = Math.max(0, start - BYTES_BEFORE_MATCH)
  return printable(text.slice(from, from + MAX_EXCERPT_BYTES))
}

/** Safe for logs and pages: control characters are removed. */
const printable = (bytes: Bytes): string => decodeUtf8(bytes).replaceAll(/\p{Cc}/gu, '\ufffd')
