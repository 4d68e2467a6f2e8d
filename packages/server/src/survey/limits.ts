// Every bound of a survey, with its reason.

export interface SurveyLimits {
  /** Milliseconds until a survey ends with what it has: somebody waits for it. */
  readonly totalMs: number
  /** Milliseconds until a server's answer is no longer waited for. */
  readonly attemptMs: number
  /** Wrong packets that are passed over before one question is taken to TCP: somebody is guessing (RFC 5452 §9.2). */
  readonly wrongReplies: number
  /** Questions under way at once: other people's servers are not to be pressed. */
  readonly concurrency: number
  /** Questions in all. */
  readonly questions: number
  /** Times that one question is sent, to one server after another. */
  readonly attempts: number
  /** Failures in a row after which a server is not asked any more. */
  readonly failuresUntilDropped: number
  /** Servers that are asked. */
  readonly servers: number
  /** Records that are kept. */
  readonly records: number
  /** How often names that found records point to are looked for in their turn. */
  readonly rounds: number
}

export const DEFAULT_SURVEY_LIMITS: SurveyLimits = {
  totalMs: 25_000,
  attemptMs: 1500,
  wrongReplies: 20,
  concurrency: 8,
  questions: 3000,
  attempts: 3,
  failuresUntilDropped: 3,
  servers: 8,
  records: 1000,
  rounds: 3,
}
