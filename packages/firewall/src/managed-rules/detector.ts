// Whether rules match a request, and what they found in it.
import { type Bytes, compile, type Condition, decodeUtf8, parseExpression, usageOf } from '@zonereeve/expr'
import { DETECTION_SCHEME, fieldText, type InspectedRequest } from './inspected-request.ts'
import type { Detected, ManagedRule } from './managed-rule.ts'
import {
  type CompiledCheck,
  createPatternSearch,
  type PatternMatch,
  type PatternSearch,
  type RequestSearch,
} from './pattern-search.ts'
import { yieldNow } from '@zonereeve/cooperate'

const MAX_EXCERPT_BYTES = 80
const BYTES_BEFORE_MATCH = 16

export interface Detector {
  /**
   * What the rule finds; null if it does not match.
   * @throws Error for a rule that the detector was not made for, or one whose detection cannot be parsed
   */
  readonly detect: (rule: ManagedRule, request: InspectedRequest) => Detected | null
  /** Parses and compiles what no request has needed so far, rule by rule, and yields in between. */
  readonly warmUp: (signal?: AbortSignal) => Promise<void>
}

type CompiledDetection =
  | { readonly kind: 'expression'; readonly condition: Condition; readonly field: string }
  | { readonly kind: 'patterns'; readonly checks: readonly CompiledCheck[] }

/** Nothing is parsed before `warmUp` or the first `detect`. */
export function createDetector(rules: readonly ManagedRule[]): Detector {
  const search = createPatternSearch()
  const unread = [...rules].toReversed()
  const compiled = new Map<ManagedRule, CompiledDetection>()
  /** Requests are decided one after the other; a map with weak keys would make each garbage collection slower. */
  let last: { readonly request: InspectedRequest; readonly search: RequestSearch } | undefined

  function readNext(): boolean {
    const rule = unread.pop()
    if (rule !== undefined) compiled.set(rule, compileDetection(rule, search))
    return rule !== undefined
  }

  function open(request: InspectedRequest): RequestSearch {
    if (last?.request !== request) last = { request, search: search.open(request) }
    return last.search
  }

  return {
    detect(rule, request) {
      while (readNext());
      const detection = compiled.get(rule)
      if (detection === undefined) throw new Error(`this detector has no rule "${rule.description}"`)
      if (detection.kind === 'patterns') return findAll(detection.checks, open(request))
      if (!detection.condition(request.context)) return null
      const text = fieldText(request, detection.field)
      return { field: detection.field, excerpt: printable(text.slice(0, MAX_EXCERPT_BYTES)) }
    },
    async warmUp(signal) {
      while (signal?.aborted !== true && readNext()) await yieldNow()
      search.prepare()
      for (const regex of search.regexes) {
        if (signal?.aborted === true) return
        regex.test(LONG_TEXT)
        await yieldNow()
      }
    },
  }
}

/** Patterns are compiled for the first text that is long enough for them. */
const LONG_TEXT = ' '.repeat(1024)

function compileDetection({ detection, description }: ManagedRule, search: PatternSearch): CompiledDetection {
  try {
    if (detection.kind === 'patterns') return { kind: 'patterns', checks: detection.all.map(search.compile) }
    if (detection.kind !== 'expression') throw new Error(`${detection.kind}: not for this detector`)
    const node = parseExpression(detection.expression, DETECTION_SCHEME)
    const [field = ''] = usageOf(node).fields
    return { kind: 'expression', condition: compile(node, DETECTION_SCHEME), field }
  } catch (error) {
    throw new Error(`the detection of "${description}" cannot be read`, { cause: error })
  }
}

function findAll(checks: readonly CompiledCheck[], request: RequestSearch): Detected | null {
  let last: PatternMatch | null = null
  for (const check of checks) {
    last = request.find(check)
    if (last === null) return null
  }
  return last === null ? null : { field: last.field, excerpt: excerptOf(last) }
}

function excerptOf({ text, start }: PatternMatch): string {
  const from = Math.max(0, start - BYTES_BEFORE_MATCH)
  return printable(text.slice(from, from + MAX_EXCERPT_BYTES))
}

/** Safe for logs and pages: control characters are removed. */
const printable = (bytes: Bytes): string => decodeUtf8(bytes).replaceAll(/\p{Cc}/gu, '\ufffd')
