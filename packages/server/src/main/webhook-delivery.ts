// Webhooks told as everything is fetched that somebody else's URL names: never anything on one's own network.
import type { Deliveries, PostWebhook } from '../features/page-shield-webhooks/index.ts'
import { repeat, type Repetition } from '../jobs/repeat.ts'
import type { Log } from '../platform/log.ts'
import { FetchFailed, type SafeFetch } from '../scanner/index.ts'

const TOTAL_MILLIS = 10_000
const EVERY_MILLIS = 1_000

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

/** Tells webhooks until it is stopped, which ends what is being told. */
export function startWebhookDelivery(deliveries: Deliveries, log: Log): Repetition {
  const stopping = new AbortController()
  const run = (): Promise<void> => deliveries.deliverDue(stopping.signal)
  const job = repeat({ name: 'webhook delivery', everyMillis: EVERY_MILLIS, run }, log)
  return {
    async stop() {
      stopping.abort()
      await job.stop()
      await deliveries.settled()
    },
  }
}
