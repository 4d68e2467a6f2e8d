// Threat feeds to look at: one with entries, one that cannot be fetched, one that is off. And a webhook of the account.
import type { Api } from '../browsers/api.ts'
import type { Program } from '../program.ts'

export const BLOCKED_FEED = 'House list'

export const WEBHOOK = 'https://hooks.example.net/zonereeve'

/** Nothing listens at port 9 (discard). */
const UNREACHABLE = 'http://127.0.0.1:9/feeds/urlhaus/csv_online.csv'

export async function addFeeds(api: Api, { http, token }: Program): Promise<void> {
  const path = '/zonereeve/threat_feeds'
  const { id } = await api.post<{ id: string }>(path, {
    name: BLOCKED_FEED,
    format: 'plain',
    categories: ['Malware', 'Phishing'],
  })
  const reply = await fetch(`${http}/client/v4${path}/${id}/entries`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: 'collect.stats-cdn.example\nskimmer.example.net\nhttps://files.example.org/kit/loader.js\n',
  })
  if (!reply.ok) throw new Error(`entries: ${await reply.text()}`)
  await api.post(path, { name: 'URLhaus', format: 'urlhaus', url: UNREACHABLE, interval_minutes: 60 })
  await api.post(path, {
    name: 'NoCoin',
    format: 'adblock',
    url: UNREACHABLE,
    categories: ['Crypto mining'],
    enabled: false,
  })
}

/** Posts changes of records and DNSSEC to a server that does not exist. */
export async function addWebhook(api: Api): Promise<void> {
  const [account] = await api.get<readonly { id: string }[]>('/accounts')
  await api.post(`/zonereeve/accounts/${account?.id}/webhooks`, {
    source: 'changes',
    url: WEBHOOK,
    kinds: ['records', 'dnssec'],
    enabled: false,
  })
}
