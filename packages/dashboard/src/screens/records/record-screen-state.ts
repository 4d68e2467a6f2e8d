// What the record list writes: each write says what it did, can be undone, and leaves scroll and filter as they are.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../../app/toasts.tsx'
import type { Answer } from '../../api/call.ts'
import { undoRequest } from '../../api/records.ts'
import { zoneKeys } from '../../api/zones.ts'
import { sentenceOf } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'

interface Write {
  readonly run: () => Promise<Answer<unknown>>
  /** What is said when it is done. */
  readonly done: string
}

/** Runs a write of the zone. Its error is in a toast, unless the caller shows it. */
export function useZoneWrite(zoneId: string, options: { readonly showsErrors?: boolean } = {}) {
  const queries = useQueryClient()
  const toast = useToast()
  const refresh = () => queries.invalidateQueries({ queryKey: zoneKeys.of(zoneId) })
  const undo = async (requestId: string): Promise<void> => {
    try {
      await undoRequest(zoneId, requestId)
      toast({ text: strings.records.undone })
    } catch (error) {
      toast({ text: strings.records.notUndone(sentenceOf(error)), isError: true })
    }
    await refresh()
  }
  return useMutation({
    mutationFn: ({ run }: Write) => run(),
    onSuccess: async ({ requestId }, { done }) => {
      toast({ text: done, ...(requestId === undefined ? {} : { undo: () => void undo(requestId) }) })
      await refresh()
    },
    onError: (error) => {
      if (options.showsErrors !== true)
        toast({ text: strings.records.notSaved(sentenceOf(error)), isError: true })
    },
  })
}
