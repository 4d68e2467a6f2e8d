// What the API found wrong with a rule, by the field of the form that it is about.
import { ApiError } from '../../api/call.ts'

export interface RuleIssues {
  readonly byField: ReadonlyMap<string, string>
  /** What is about no field; null if that is nothing. */
  readonly other: Error | null
}

/** A rule that creates its ruleset is sent in a list. */
const PLACE_OF_RULE = /^\/(?:rules\/\d+\/)?/

/** @param fields Paths in the rule, `ratelimit/period`; an issue belongs to the longest that it is in. */
export function issuesByField(error: Error | null, fields: readonly string[]): RuleIssues {
  const byField = new Map<string, string>()
  if (!(error instanceof ApiError)) return { byField, other: error }
  const others = error.issues.filter(({ source, message, code }) => {
    const path = source === undefined ? '' : source.pointer.replace(PLACE_OF_RULE, '')
    const [field] = fields
      .filter((one) => path === one || path.startsWith(`${one}/`))
      .toSorted((a, b) => b.length - a.length)
    if (field === undefined) return true
    const known = byField.get(field)
    const sentence = `${message} (${code})`
    byField.set(field, known === undefined ? sentence : `${known} ${sentence}`)
    return false
  })
  const { status, issues, requestId } = error
  const isElsewhere = others.length > 0 || issues.length === 0
  return { byField, other: isElsewhere ? new ApiError(status, others, requestId) : null }
}
