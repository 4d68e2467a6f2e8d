// What stands in a zone at the nameservers that it is delegated to now.
export { DEFAULT_SURVEY_LIMITS } from './limits.ts'
export { createSurvey } from './survey.ts'
export type { Survey } from './survey.ts'
