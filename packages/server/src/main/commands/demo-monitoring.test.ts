// The demo's monitoring history: it has every status, and the script that turned malicious is listed first.
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../testing/app.ts'
import { seedMonitoring } from './demo-monitoring.ts'

test('the demo has scripts of every status, connections, cookies, a malicious script and an authorized one', async () => {
  const app = await startTestApp()
  onTestFinished(() => app.close())
  const { id } = await app.must('POST', '/zones', { name: 'example.com' })
  await seedMonitoring(app, app.clock, id)
  const get = <Item>(path: string) => app.must<Item[]>('GET', `/zones/${id}/page_shield/${path}`)
  const all = await get<{ status: string }>('scripts?status=active,infrequent,inactive')
  expect([...new Set(all.map(({ status }) => status))].toSorted()).toEqual([
    'active',
    'inactive',
    'infrequent',
  ])
  const [first] = await get<{ url: string; js_integrity_score: number }>('scripts?prioritize_malicious=true')
  expect(first).toMatchObject({ url: 'https://cdn.reviews.example.org/widget.js', js_integrity_score: 4 })
  const connections = await get<object>('connections?prioritize_malicious=true')
  expect(connections).toMatchObject([
    {
      url: 'https://collect.example.org',
      domain_reported_malicious: true,
      malicious_domain_categories: ['Security threats', 'Malware'],
      url_reported_malicious: false,
      malicious_url_categories: [],
    },
    { domain_reported_malicious: false },
    { domain_reported_malicious: false },
  ])
  expect((await get('cookies')).length).toBe(2)
  const evidence = await app.call({ method: 'GET', path: `/zonereeve/zones/${id}/page_shield/evidence` })
  expect(evidence.text.match(/,valid,/g)).toHaveLength(1)
  const events = await app.must<{ kind: string }[]>('GET', `/zonereeve/zones/${id}/page_shield/events`)
  expect(events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['script.changed', 'script.reported', 'connection.reported']),
  )
})
