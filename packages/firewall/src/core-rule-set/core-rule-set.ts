// The imported Core Rule Set. Like the built-in managed rules, it is shared by the whole process.
import { type Chunked, runAtOnce, runInChunks, yieldNow } from '@zonereeve/cooperate'
import { type Bytes, ipText } from '@zonereeve/expr'
import {
  type CompiledRuleSet,
  compileRuleSetInSteps,
  type Evaluation,
  evaluateRules,
  type HttpRequest,
  type RuleSet,
  type WorkBudget,
} from '@zonereeve/seclang'
import { compileInBackground } from '../managed-rules/background-compilation.ts'
import type { InspectedRequest } from '../managed-rules/inspected-request.ts'
import type { Detected, ManagedRule } from '../managed-rules/managed-rule.ts'
import type { RequestWork } from '../managed-rules/request-work.ts'
import { warmUpRequests } from '../managed-rules/warm-up-requests.ts'
import { listCoreRule } from './listed-rules.ts'

export interface CoreRuleSet {
  /** The version that its files state, such as `3.3.4`. */
  readonly version: string
  readonly rules: readonly ManagedRule[]
  /** What a rule finds. @param level the paranoia level that the request is evaluated at */
  readonly detect: (number: number, level: number, request: InspectedRequest) => Detected | null
  /** False if limits left a part of the request without inspection. */
  readonly isWhole: (request: InspectedRequest, level: number) => boolean
  /** The same for the levels that the request was evaluated at so far. */
  readonly isWholeSoFar: (request: InspectedRequest) => boolean
  /** Compiles what ordinary requests need. Yields in between. */
  readonly warmUp: () => Promise<void>
  readonly patterns: CompiledRuleSet['patterns']
}

interface Findings {
  readonly byRule: ReadonlyMap<number, Detected>
  readonly isComplete: boolean
}

interface FindingsOfRequest {
  readonly work: RequestWork
  readonly byLevel: Map<number, Findings>
}

let current: CoreRuleSet | undefined
/** Ends the compilation of the patterns of the one before. */
let compiling = new AbortController()
/** Those whose patterns are compiled, or soon will be. */
const prepared = new WeakSet<CoreRuleSet>()

/** The one in use; undefined if none was imported. */
export const coreRuleSet = (): CoreRuleSet | undefined => current

/** Replaces the rule set, or removes it. Takes about 100 ms, during which nothing else runs. */
export function installCoreRuleSet(ruleSet: RuleSet | undefined): void {
  current = ruleSet === undefined ? undefined : runAtOnce(createCoreRuleSet(ruleSet))
}

/**
 * Replaces the rule set, or removes it. The previous one is used until the new one is compiled and warm. Other work runs
 * between the steps.
 */
export async function replaceCoreRuleSet(ruleSet: RuleSet | undefined): Promise<void> {
  const next = ruleSet === undefined ? undefined : await runInChunks(createCoreRuleSet(ruleSet))
  if (next !== undefined) await prepareCoreRuleSet(next)
  else compiling.abort()
  current = next
}

/** Compiles what ordinary requests need, and after that the rest while nothing waits; once for each rule set. */
export async function prepareCoreRuleSet(ruleSet: CoreRuleSet): Promise<void> {
  if (prepared.has(ruleSet)) return
  prepared.add(ruleSet)
  compiling.abort()
  compiling = new AbortController()
  const { signal } = compiling
  await ruleSet.warmUp()
  void compileInBackground(ruleSet.patterns, signal)
}

/** Compiles a rule set for detection. */
export function* createCoreRuleSet(ruleSet: RuleSet): Chunked<CoreRuleSet> {
  const compiled = yield* compileRuleSetInSteps(ruleSet)
  const rules: ManagedRule[] = []
  for (const item of ruleSet.items) {
    rules.push(...listCoreRule(item, ruleSet))
    yield
  }
  /** Findings in the last request. Requests are decided one after the other. */
  let last: FindingsOfRequest | undefined

  function findingsAt(request: InspectedRequest, level: number): Findings {
    const { work } = request
    // Copies of a request share its work.
    if (last?.work !== work)
      last = work.keep(compiled, () => ({ work, byLevel: new Map<number, Findings>() }))
    const { byLevel } = last
    let findings = byLevel.get(level)
    if (findings === undefined) {
      findings = findingsOf(evaluateAt(compiled, level, toHttpRequest(request), work.budget))
      byLevel.set(level, findings)
    }
    return findings
  }

  return {
    version: ruleSet.version,
    rules,
    patterns: compiled.patterns,
    detect: (number, level, request) => findingsAt(request, level).byRule.get(number) ?? null,
    isWhole: (request, level) => findingsAt(request, level).isComplete,
    isWholeSoFar({ work }) {
      const { byLevel } = work.find<FindingsOfRequest>(compiled) ?? { byLevel: new Map<number, Findings>() } // not run
      return [...byLevel.values()].every(({ isComplete }) => isComplete)
    },
    async warmUp() {
      compiled.scan()
      for (const request of warmUpRequests()) {
        await yieldNow()
        evaluateAt(compiled, DEFAULT_LEVEL, toHttpRequest(request), request.work.budget)
      }
    },
  }
}

const DEFAULT_LEVEL = 1

/** Names of the paranoia level in versions 3 and 4. Detection and blocking are the same here: both score. */
function evaluateAt(
  compiled: CompiledRuleSet,
  level: number,
  request: HttpRequest,
  budget: WorkBudget,
): Evaluation {
  const text = String(level)
  return evaluateRules(compiled, request, {
    budget,
    variables: {
      crs_setup_version: SETUP_VERSION,
      paranoia_level: text,
      executing_paranoia_level: text,
      blocking_paranoia_level: text,
      detection_paranoia_level: text,
    },
  })
}

/** The rules refuse to run without a version of the setup file; its defaults are those of the rules themselves. */
const SETUP_VERSION = '999'
const MAX_EXCERPT_BYTES = 80

function findingsOf({ matches, isComplete }: Evaluation): Findings {
  const byRule = new Map<number, Detected>()
  for (const { id, points, variable, value } of matches) {
    byRule.set(id, {
      field: variable,
      excerpt: printable(value.slice(0, MAX_EXCERPT_BYTES)),
      ...(points > 0 && { points }),
      ...(!isComplete && { isIncomplete: true as const }),
    })
  }
  return { byRule, isComplete }
}

/** Safe for logs and pages. */
const printable = (text: Bytes): string => text.replaceAll(/\p{Cc}/gu, '\ufffd')

function toHttpRequest({ facts }: InspectedRequest): HttpRequest {
  const hasHost = facts.headers.some(([name]) => name.toLowerCase() === 'host')
  return {
    method: facts.method,
    target: facts.target,
    version: facts.version,
    // HTTP/2 and later send the host outside of the headers.
    headers: hasHost ? facts.headers : [['host', facts.host], ...facts.headers],
    body: facts.body === undefined ? '' : facts.body.bytes,
    remoteAddress: ipText(facts.clientIp),
  }
}
