// How answers are kept and asked for again.
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/call.ts'

const RETRIES = 2

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A refusal stays one; only a server that did not answer is asked again.
        retry: (count, error) => count < RETRIES && error instanceof ApiError && error.status === 0,
      },
    },
  })
}
