export { queryRoutes } from './query.routes.ts'
export type { AnswerChain, AnsweredRrset, AnswerSource, AnswerStep, ExplainedAnswer } from './query.rules.ts'
export { createQuery, type QueryDeps } from './query.service.ts'
