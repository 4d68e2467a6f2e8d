// Webhooks of an account, as queries and writes.
import { queryOptions } from '@tanstack/react-query'
import type {
  AccountWebhookPatch,
  AccountWebhookPost,
  accountWebhooks,
  WireAccountWebhook,
  WireDeliveryTest,
} from '@zonereeve/contract'
import { call } from './call.ts'

export type { AccountWebhookPost, WireAccountWebhook } from '@zonereeve/contract'

const ROOT = '/zonereeve/accounts/{account_id}/webhooks'
const ONE = `${ROOT}/{webhook_id}` as const
const MAX_WEBHOOKS = 100

export const accountWebhooksOf = (accountId: string) =>
  queryOptions({
    queryKey: ['account webhooks', accountId],
    queryFn: async ({ signal }): Promise<readonly WireAccountWebhook[]> => {
      const route = { method: 'GET', path: ROOT } as const
      const input = { params: { account_id: accountId }, query: { per_page: MAX_WEBHOOKS } }
      return (await call<typeof accountWebhooks.list>(route, input, { signal })).result
    },
  })

export async function createAccountWebhook(
  accountId: string,
  body: AccountWebhookPost,
): Promise<WireAccountWebhook> {
  const route = { method: 'POST', path: ROOT } as const
  return (await call<typeof accountWebhooks.create>(route, { params: { account_id: accountId }, body }))
    .result
}

export async function changeAccountWebhook(
  accountId: string,
  id: string,
  body: AccountWebhookPatch,
): Promise<void> {
  const route = { method: 'PATCH', path: ONE } as const
  const params = { account_id: accountId, webhook_id: id }
  await call<typeof accountWebhooks.edit>(route, { params, body })
}

export async function testAccountWebhook(accountId: string, id: string): Promise<WireDeliveryTest> {
  const route = { method: 'POST', path: `${ONE}/test` } as const
  const input = { params: { account_id: accountId, webhook_id: id }, body: {} }
  return (await call<typeof accountWebhooks.test>(route, input)).result
}

export async function deleteAccountWebhook(accountId: string, id: string): Promise<void> {
  const route = { method: 'DELETE', path: ONE } as const
  await call<typeof accountWebhooks.delete>(route, { params: { account_id: accountId, webhook_id: id } })
}
