// Content security policies: parsing, checking, and predicting what browsers block.
export { checkPolicy } from './check.ts'
export { causesOf, couldHaveCaused } from './could-have-caused.ts'
export { decide, governing, type Decision, type Digest, type Load, type Situation } from './decide.ts'
export { DIRECTIVES } from './directives.ts'
export { ENGINES, type Engine, type Reading } from './match.ts'
export { parsePolicy, parsePolicyList, printPolicy, type Directive, type Policy } from './policy.ts'
export {
  type AddedHeader,
  headersFor,
  isDocument,
  MONITOR_PATH,
  MONITORING_POLICY,
  type OriginHeader,
  type PolicyHeaders,
  REPORTING_PATHS,
  type SentPolicy,
  type AlsoReported,
  type MonitoringHeader,
} from './policy-headers.ts'
export type { Level, Problem } from './problem.ts'
export { type Blocked, classifyReport, type ReportedViolation, type ResourceKind } from './report.ts'
export {
  headerChanges,
  missingPolicies,
  servedHeaders,
  type DeployedPolicy,
  type HeaderChange,
  type ReceivedHeader,
  type ServedHeader,
} from './served-headers.ts'
export { parseSource, printSource, type Source } from './source.ts'
