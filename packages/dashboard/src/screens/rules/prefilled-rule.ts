// A new rule that starts from an event, which the URL names: of the activity log, or one that only legacy rules ended.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RuleDraft } from '../../api/rulesets.ts'
import { eventWithRay } from '../../api/security-events.ts'
import { exceptionOf, ruleOf } from '../activity/follow-ups.ts'
import { ruleInsteadOf } from '../migration/event-groups.ts'

export interface PrefilledRule {
  readonly draft: RuleDraft | undefined
  readonly isPending: boolean
  /** The event is no longer stored. */
  readonly isGone: boolean
  /** Why the event could not be read; null if it could. */
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
  /** The URL names no event any more. */
  readonly clear: () => void
}

export function usePrefilledRule(zoneId: string): PrefilledRule {
  const search: { readonly rule?: string; readonly exception?: string; readonly legacy?: string } = useSearch(
    { strict: false },
  )
  const navigate = useNavigate()
  const { rule, exception, legacy } = search
  const ray = exception ?? legacy ?? rule
  const {
    data: event,
    isLoading,
    error,
    refetch,
  } = useQuery({
    ...eventWithRay(zoneId, ray ?? 'none'),
    enabled: ray !== undefined,
  })
  const draft = useMemo(() => {
    if (ray === undefined || event === undefined || event === null) return undefined
    if (exception !== undefined) return exceptionOf(event)
    return legacy === undefined ? ruleOf(event) : ruleInsteadOf(event)
  }, [ray, exception, legacy, event])
  return {
    draft,
    isPending: isLoading,
    isGone: ray !== undefined && event === null,
    error: ray === undefined ? null : error,
    refetch,
    clear: () => {
      if (ray !== undefined) void navigate({ to: '.', search: {}, replace: true })
    },
  }
}
