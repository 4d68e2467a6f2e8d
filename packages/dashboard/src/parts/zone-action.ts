// A write of a zone's settings: says what it did, and has the zone's data asked for again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../app/toasts.tsx'
import { zoneKeys } from '../api/zones.ts'

interface Action {
  readonly run: () => Promise<unknown>
  /** What is said when it is done. */
  readonly done: string
}

/** The caller shows the error. @param alsoStale Other queries that the write changes. */
export function useZoneAction(zoneId: string, alsoStale: readonly string[] = []) {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: ({ run }: Action) => run(),
    onSuccess: async (_, { done }) => {
      toast({ text: done })
      await Promise.all([
        queries.invalidateQueries({ queryKey: zoneKeys.of(zoneId) }),
        ...(alsoStale.length === 0 ? [] : [queries.invalidateQueries({ queryKey: alsoStale })]),
      ])
    },
  })
}
