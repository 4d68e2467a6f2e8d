// A new rule that starts from an event of the activity log, which the URL names.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RuleDraft } from '../../api/rulesets.ts'
import { eventWithRay } from '../../api/security-events.ts'
import { exceptionOf, ruleOf } from '../activity/follow-ups.ts'

export interface PrefilledRule {
  readonly draft: RuleDraft | undefined
  readonly isPending: boolean
  /** The event is no longer stored. */
  readonly isGone: boolean
  /** The URL names no event any more. */
  readonly clear: () => void
}

export function usePrefilledRule(zoneId: string): PrefilledRule {
  const search: { readonly rule?: string; readonly exception?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { rule, exception } = search
  const ray = exception ?? rule
  const { data: event, isLoading } = useQuery({
    ...eventWithRay(zoneId, ray ?? 'none'),
    enabled: ray !== undefined,
  })
  const draft = useMemo(() => {
    if (ray === undefined || event === undefined || event === null) return undefined
    return exception === undefined ? ruleOf(event) : exceptionOf(event)
  }, [ray, exception, event])
  return {
    draft,
    isPending: isLoading,
    isGone: ray !== undefined && event === null,
    clear: () => {
      if (ray !== undefined) void navigate({ to: '.', search: {}, replace: true })
    },
  }
}
