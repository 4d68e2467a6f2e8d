// The problems that an answer names, as one line: a list may have one for each of its members.
import type { ApiError } from '../api/call.ts'
import { strings } from '../strings.ts'

const SHOWN = 3

/** @param issues of an answer of the API; none if there was no answer */
export function issueText(issues: readonly Pick<ApiError['issues'][number], 'code' | 'message'>[]): {
  readonly headline: string
  readonly codes: string
} {
  const messages = [...new Set(issues.map(({ message }) => message))]
  const others = messages.length - SHOWN
  const shown = messages.slice(0, SHOWN)
  const ends = shown.map((message) =>
    shown.length === 1 || /[.!?]$/.test(message) ? message : `${message}.`,
  )
  return {
    headline: [...ends, ...(others > 0 ? [strings.states.moreProblems(others)] : [])].join(' '),
    codes: [...new Set(issues.map(({ code }) => code))].join(', '),
  }
}
