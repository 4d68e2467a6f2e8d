// Writes to threat feeds.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { feedList } from '../../api/feeds.ts'
import { useToast } from '../../app/toasts.tsx'

/** What a write did is said, and the list is asked for again. */
export function useFeedAction() {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: ({ run }: { readonly run: () => Promise<unknown>; readonly done: string }) => run(),
    onSuccess: async (_, { done }) => {
      toast({ text: done })
      await queries.invalidateQueries({ queryKey: feedList.queryKey })
    },
  })
}
