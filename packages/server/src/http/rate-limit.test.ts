// Requests per credential: headers, the 429, and which requests share a count.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ADMIN_EMAIL,
  ADMIN_KEY,
  ADMIN_TOKEN,
  startTestApp,
  type Answer,
  type TestApp,
} from '../testing/app.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

const LIMIT = { requests: 3, windowSeconds: 60 }

describe('rate limit', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ rateLimit: LIMIT })
  })
  afterAll(() => app.close())

  const get = (token: string | null, path = '/user', headers = {}) =>
    app.call({ method: 'GET', path, token, headers })
  const headersOf = ({ status, headers }: Answer) => [
    status,
    headers['ratelimit'],
    headers['ratelimit-policy'],
    headers['retry-after'],
  ]

  const newToken = () => makeToken(app, [allow(['User Details Read'], 'user.*')])

  test('counts down in the headers, then answers 429 with the time to wait', async () => {
    const token = await newToken()
    const answers = [await get(token), await get(token), await get(token), await get(token)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const seconds = '(?:60|[1-5]?\\d)'
    for (const [index, answer] of answers.entries()) {
      const [, limit, policy, wait] = headersOf(answer)
      expect(limit).toMatch(new RegExp(`^"default";r=${Math.max(0, 2 - index)};t=${seconds}$`))
      expect(policy).toBe('"default";q=3;w=60')
      if (index < 3) expect(wait).toBeUndefined()
      else expect(wait).toMatch(new RegExp(`^${seconds}$`))
    }
    expect(answers[3]?.text).toBe(
      '{"success":false,"errors":[{"code":10100,"message":"More than 3 requests per 60 seconds reached. Please wait and consider throttling your request speed"}],"messages":[],"result":null}',
    )
  })

  test('counts each credential separately, for all paths together', async () => {
    const [one, other] = [await newToken(), await newToken()]
    for (const path of ['/user', '/zones', '/nowhere', '/accounts', '/user/tokens/verify'])
      await get(one, path)
    expect((await get(one)).status).toBe(429)
    expect((await get(other)).status).toBe(200)
  })

  test('the legacy key is a separate credential', async () => {
    const legacy = { 'x-auth-email': ADMIN_EMAIL, 'x-auth-key': ADMIN_KEY }
    const statuses = []
    for (let request = 0; request < 4; request += 1) statuses.push((await get(null, '/user', legacy)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('requests that are refused count too', async () => {
    const unknown = 'u'.repeat(40)
    const statuses = []
    for (let request = 0; request < 4; request += 1) statuses.push((await get(unknown)).status)
    expect(statuses).toEqual([403, 403, 403, 429])
  })

  test('a request over the limit changes nothing', async () => {
    const before = await app.changeCount()
    const statuses = []
    for (let request = 0; request < 4; request += 1) {
      const name = `zone${request}.example`
      statuses.push(
        (await app.call({ method: 'POST', path: '/zones', body: { name }, token: ADMIN_TOKEN })).status,
      )
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await app.changeCount()) - before).toBe(3)
  })

  test('is off by default', async () => {
    const open = await startTestApp()
    const answer = await open.call({ method: 'GET', path: '/user' })
    expect(headersOf(answer)).toEqual([200, undefined, undefined, undefined])
    await open.close()
  })
})
