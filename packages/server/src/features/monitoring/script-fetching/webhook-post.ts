// Posts webhooks with the same protections as fetches of scripts: never to addresses of the server's own network.
import { FetchFailed, type SafeFetch } from '@zonereeve/safe-fetch'
import type { PostWebhook } from '../page-shield-webhooks/index.ts'

const TOTAL_MILLIS = 10_000

export function createWebhookPost(safe: Pick<SafeFetch, 'post'>): PostWebhook {
  return async (request) => {
    try {
      const status = await safe.post({ ...request, totalMillis: TOTAL_MILLIS })
      return status >= 200 && status <= 299 ? undefined : `status: ${status}`
    } catch (error) {
      if (error instanceof FetchFailed) return `${error.problem}: ${error.message}`
      throw error
    }
  }
}
