// Anomaly scores: counted by decisions and by edges, stored by the job, and shown for each threshold.
import { OWASP_RULESET_ID, OWASP_SCORE_RULE_ID } from '@zonereeve/firewall'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

const ATTACK = '/?q=1%27%20UNION%20SELECT%20password%20FROM%20users--%20%3Cscript%3Ealert(1)%3C/script%3E'
const NO_COUNTS = [5, 25, 40, 60].map((threshold) => ({ threshold, requests: 0 }))

interface Scores {
  readonly threshold: number | null
  readonly requests: number
  readonly thresholds: readonly { readonly threshold: number; readonly requests: number }[]
  readonly scores: readonly { readonly score: number; readonly requests: number }[]
}

describe('the scores of a zone', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
    zone = (await app.must<{ id: string }>('POST', '/zones', { name: 'scores.example' })).id
  })
  afterAll(() => app.close())

  const scores = (days = 7) =>
    app.must<Scores>('GET', `/zonereeve/zones/${zone}/firewall/scores?days=${days}`)
  const decide = (target: string) =>
    app.must('POST', `/zonereeve/zones/${zone}/firewall/decide`, {
      method: 'GET',
      url: `https://scores.example${target}`,
      ip: '192.0.2.1',
      headers: { 'user-agent': 'Mozilla/5.0', accept: '*/*' },
    })
  const execute = (threshold: number | undefined) =>
    app.must('PUT', `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
      rules: [
        {
          action: 'execute',
          expression: 'true',
          action_parameters: {
            id: OWASP_RULESET_ID,
            ...(threshold !== undefined && {
              overrides: { rules: [{ id: OWASP_SCORE_RULE_ID, score_threshold: threshold }] },
            }),
          },
        },
      ],
    })

  test('a zone that does not execute the ruleset has none', async () => {
    await decide(ATTACK)
    await app.anomalyScores.save()
    expect(await scores()).toMatchObject({ threshold: null, requests: 0, thresholds: NO_COUNTS, scores: [] })
  })

  test('each request with a score is counted, stopped or not', async () => {
    await execute(undefined)
    await decide(ATTACK)
    await decide('/?q=harmless')
    await execute(5)
    await decide(ATTACK)
    await app.anomalyScores.save()
    const found = await scores()
    const [only] = found.scores
    expect([found.threshold, found.requests, found.scores.length, only?.requests]).toEqual([5, 2, 1, 2])
    for (const { threshold, requests } of found.thresholds)
      expect([threshold, requests]).toEqual([threshold, threshold <= (only?.score ?? 0) ? 2 : 0])
    expect(found.thresholds[0]?.requests).toBe(2)
  })

  test('an edge adds its counts', async () => {
    const before = await scores()
    const path = `/zonereeve/zones/${zone}/edge/activity`
    await app.must('POST', path, {
      events: [],
      scores: [
        { score: 3, requests: 10 },
        { score: 100, requests: 7 },
      ],
    })
    await app.anomalyScores.save()
    await app.anomalyScores.save()
    const after = await scores()
    expect(after.requests - before.requests).toBe(17)
    expect(
      after.thresholds.map(({ requests }, i) => requests - Number(before.thresholds[i]?.requests)),
    ).toEqual([7, 7, 7, 7])
  })

  test.each([
    [[{ score: 0, requests: 1 }], '/scores/0/score'],
    [[{ score: 101, requests: 1 }], '/scores/0/score'],
    [[{ score: 5, requests: 0 }], '/scores/0/requests'],
    [[{ score: 5 }], '/scores/0/requests'],
  ])('an edge is refused: %j', async (sent, pointer) => {
    const before = (await scores()).requests
    const path = `/zonereeve/zones/${zone}/edge/activity`
    const { status, json } = await app.call({ method: 'POST', path, body: { events: [], scores: sent } })
    expect([status, json.errors[0]?.source?.pointer]).toEqual([400, pointer])
    await app.anomalyScores.save()
    expect((await scores()).requests).toBe(before)
  })

  test.each(['0', '91', 'x'])('days=%s is refused', async (days) => {
    const path = `/zonereeve/zones/${zone}/firewall/scores?days=${days}`
    expect((await app.call({ method: 'GET', path })).status).toBe(400)
  })

  test('a deleted zone has no counts, also those that still waited', async () => {
    await decide(ATTACK)
    await app.must('DELETE', `/zones/${zone}`)
    await app.anomalyScores.save()
    await app.anomalyScores.sweep()
    const { status } = await app.call({ method: 'GET', path: `/zonereeve/zones/${zone}/firewall/scores` })
    expect(status).toBe(404)
  })
})
