// Threat feeds to look at: one with entries, one that cannot be fetched, one that is off.
import type { Api } from '../browsers/api.ts'
import type { Program } from '../program.ts'

export const BLOCKED_FEED = 'House list'

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
