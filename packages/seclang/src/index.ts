// Rules in SecLang: parsed into data, compiled, and run on requests. And the search for many patterns at once, which other
// rules use, too.
export { parseRuleSet, type SourceFile } from './rules/parse-rule-set.ts'
export { findMissingReferences } from './rules/missing-references.ts'
export { SecLangError } from './rules/parse-rule.ts'
export type { RuleSet, RuleSetItem, SecRule } from './rules/rule-set.ts'
export { compileRuleSet, compileRuleSetInSteps } from './transaction/compile-rule-set.ts'
export type { CompiledRuleSet } from './transaction/compiled-rule.ts'
export {
  type EvaluateOptions,
  evaluateRules,
  type Evaluation,
  type RuleMatch,
} from './transaction/evaluate.ts'
export type { HttpRequest, HttpResponse } from './transaction/http-message.ts'
export { describeSupport, isRunnable, type RuleSupport } from './transaction/support.ts'
export { setOf } from './pattern/byte-set.ts'
export {
  addPattern,
  createScanner,
  hasPattern,
  isPossible,
  lettersIn,
  patternAt,
  patternSetOf,
  patternsIn,
  type PatternSet,
  type Scan,
  type Scanner,
} from './pattern/literal-automaton.ts'
export { canBegin } from './pattern/first-bytes.ts'
export { EMPTY as EMPTY_PATTERN, type PatternNode } from './pattern/pattern-tree.ts'
export { prepareRuleSet } from './pattern/prepared-patterns.ts'
export { type Requirement, requirementOf } from './pattern/required-literals.ts'
export { RepeatedStrings } from './transaction/repeated-strings.ts'
export { type PooledString, StringPool, type UnitedScan } from './transaction/string-pool.ts'
export {
  ANY_BYTE,
  canChange,
  changesCaseOnly,
  maskAfter,
  type Transform,
  type TransformChain,
  TransformChains,
} from './transaction/transform-chains.ts'
export { DEFAULT_WORK_UNITS, WorkBudget } from './transaction/work-budget.ts'
