export type { AnalysisEnd } from './analysis-state.rules.ts'
export type { Contents, DueScript, FetchedContent } from './contents.service.ts'
export {
  eventsAfter,
  insertEvent,
  lastEventNumber,
  type EventKind,
  type NumberedEvent,
} from './events.store.ts'
export { toWireEvent } from './extensions.wire.ts'
export { pageShieldExtensionRoutes } from './extensions.routes.ts'
export {
  requirementAnswers,
  type AlertFacts,
  type MonitoringFacts,
  type RequirementAnswer,
} from './requirements.rules.ts'
export { foundResources } from './found-resources.service.ts'
export type { Observation, Observations, Observed } from './observations.service.ts'
export { pageShieldRoutes } from './page-shield.routes.ts'
export {
  createPageShield,
  zoneMonitoring,
  type PageShield,
  type PageShieldDeps,
} from './page-shield.service.ts'
export { pageShieldSourceRoutes } from './sources.routes.ts'
export type { CompareScripts, ScriptSource } from './sources.service.ts'
export { readReportingQuery, reportingAddress, type ReportingTicket } from './reporting.rules.ts'
export { recordCookieNames, type CookieName } from './cookies.service.ts'
export { recordCode, type CodeDetection } from './code.service.ts'
export { readCode, type Code } from './code.rules.ts'
export { pageShieldLoadsRoutes } from './loads.routes.ts'
export type { MonitoredZone, ReportingParts, SamplingNow } from './reporting.service.ts'
export { openReportingKey } from './reporting.store.ts'
export { isOfZone, readConnection, readPage, readScript, type Page } from './resources.rules.ts'
export { THREAT_CATEGORIES, type Judgement, type ThreatCategory } from './scores.rules.ts'
export type { BudgetDeps } from './reporters.service.ts'
export { recordDetections, type RecordingDeps, type Detection } from './detections.service.ts'
export { NO_SCORES, type Scores } from './scores.rules.ts'
export type { Validators } from './resources.store.ts'
