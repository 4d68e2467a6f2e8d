// A write, mostly of a zone's settings: says what it did, and has the changed data asked for again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../app/toasts.tsx'
import { zoneKeys } from '../api/zones.ts'

interface Action {
  readonly run: () => Promise<unknown>
  /** What is said when it is done. */
  readonly done: string
}

type QueryKey = readonly unknown[]

/** A write that makes what these queries fetched stale. The caller shows the error. */
export function useWriteAction(stale: readonly QueryKey[]) {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: ({ run }: Action) => run(),
    onSuccess: async (_, { done }) => {
      toast({ text: done })
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
  })
}

/** The caller shows the error. @param alsoStale Other queries that the write changes. */
export const useZoneAction = (zoneId: string, alsoStale: readonly string[] = []) =>
  useWriteAction([zoneKeys.of(zoneId), ...(alsoStale.length === 0 ? [] : [alsoStale])])
