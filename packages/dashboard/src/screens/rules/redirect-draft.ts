// What the form of a redirect has, and the rule that it writes.
import type { RuleDraft } from '../../api/rulesets.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { stringProblemOf } from './expression-problem.ts'

export const REDIRECT_STATUSES = [301, 302, 303, 307, 308] as const

/** Of a redirect that names none. */
const DEFAULT_STATUS = 301

export interface RedirectDraft {
  readonly description: string
  readonly expression: string
  readonly isComputed: boolean
  /** Used unless the target is computed. */
  readonly url: string
  /** Used if the target is computed. */
  readonly target: string
  readonly status: number
  readonly keepsQuery: boolean
}

interface FromValue {
  readonly target_url?: { readonly value?: string; readonly expression?: string }
  readonly status_code?: number
  readonly preserve_query_string?: boolean
}

export function readRedirect({ description, expression, actionParameters }: RuleDraft): RedirectDraft {
  const parameters = (actionParameters ?? {}) as { readonly from_value?: FromValue } // as the API accepted them
  const {
    target_url: target = {},
    status_code: status,
    preserve_query_string: keeps,
  } = parameters.from_value ?? {}
  return {
    description,
    expression,
    isComputed: target.expression !== undefined,
    url: target.value ?? '', // a computed target has none
    target: target.expression ?? '', // a fixed target has none
    status: status ?? DEFAULT_STATUS,
    keepsQuery: keeps === true,
  }
}

export const writeRedirect = (draft: RedirectDraft): RuleDraft => ({
  description: draft.description,
  action: 'redirect',
  expression: draft.expression,
  actionParameters: {
    from_value: {
      target_url: draft.isComputed ? { expression: draft.target } : { value: draft.url.trim() },
      status_code: draft.status,
      preserve_query_string: draft.keepsQuery,
    },
  },
})

/** Why the target cannot be sent; undefined if it can. */
export function targetProblem({ isComputed, url, target }: RedirectDraft): string | undefined {
  if (!isComputed) return url.trim() === '' ? text.redirect.noUrl : undefined
  return stringProblemOf(target)?.message
}
