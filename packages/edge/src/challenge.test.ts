// Challenges: a solution gives a clearance for the same host, network and rule, and for nothing else.
import { createHash } from 'node:crypto'
import { parseIp, type HeaderLine, type Ip } from '@zonereeve/expr'
import { describe, expect, test } from 'vitest'
import { CHALLENGE_PATH, createChallenges, type Challenged, type OfferedChallenge } from './challenge.ts'

const NOW = 1_767_571_200_000
const MINUTE = 60_000
const RULE = 'a'.repeat(32)
const KEY: Uint8Array = new Uint8Array(32).fill(7)

function ip(text: string): Ip {
  const parsed = parseIp(text)
  if (parsed === undefined) throw new Error(`${text} is no address`)
  return parsed
}
const client: Challenged = { host: 'example.com', clientIp: ip('192.0.2.1'), isTls: true }

function solve({ token, difficultyBits }: OfferedChallenge): string {
  for (let solution = 0; ; solution += 1) {
    const hash = createHash('sha256').update(`${token}.${solution}`).digest()
    if (hash.readUInt32BE() >>> (32 - difficultyBits) === 0) return String(solution)
  }
}

const solved = (() => {
  const offered = createChallenges(KEY).offer(RULE, client, false, NOW)
  return { token: offered.token, solution: solve(offered) }
})()

const target = (parameters: Readonly<Record<string, string>>): string =>
  `${CHALLENGE_PATH}?${new URLSearchParams({ t: solved.token, n: solved.solution, to: '/shop?a=1', ...parameters })}`
const verify = (parameters = {}, by: Challenged = client, at = NOW + MINUTE, key = KEY) =>
  createChallenges(key).verify(target(parameters), by, at)
const cookieOf = (setCookie: string | undefined): string => String(setCookie).split(';')[0] ?? ''

test('a solution gives a cookie, and leads back', () => {
  const { setCookie, target: back } = verify()
  expect(back).toBe('/shop?a=1')
  expect(setCookie).toMatch(
    /^edge-clearance-a{32}=[\w.-]+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect(verify({}, { ...client, isTls: false }).setCookie).not.toContain('Secure')
})

describe('no cookie', () => {
  test.each<[string, Readonly<Record<string, string>>, Challenged, number, Uint8Array]>([
    ['a wrong solution', { n: String(Number(solved.solution) + 1) }, client, NOW, KEY],
    ['a solution that is no number', { n: '1e3' }, client, NOW, KEY],
    ['a very long solution', { n: '1'.repeat(100) }, client, NOW, KEY],
    ['no solution', { n: '' }, client, NOW, KEY],
    ['an invented token', { t: `${RULE}.${NOW + MINUTE}.abc` }, client, NOW, KEY],
    ['a token of another rule', { t: solved.token.replace('a', 'b') }, client, NOW, KEY],
    [
      'a token with a later end',
      { t: solved.token.replace(String(NOW + 5 * MINUTE), String(NOW + 9 * MINUTE)) },
      client,
      NOW,
      KEY,
    ],
    ['too late', {}, client, NOW + 5 * MINUTE, KEY],
    ['another host', {}, { ...client, host: 'www.example.com' }, NOW, KEY],
    ['another network', {}, { ...client, clientIp: ip('192.0.3.1') }, NOW, KEY],
    ['another key', {}, client, NOW, new Uint8Array(32)],
  ])('%s', (_, parameters, by, at, key) => {
    expect(verify(parameters, by, at, key)).toEqual({ setCookie: undefined, target: '/shop?a=1' })
  })
})

test.each([
  '//evil.example/',
  '/\\evil.example',
  'https://evil.example/',
  '',
  'shop',
  '/a\r\nb: c',
  target({}),
])('nobody is led to %j', (to) => {
  expect(verify({ to }).target).toBe('/')
})

describe('a clearance', () => {
  const cookie = cookieOf(verify().setCookie)
  const line = (text: string): readonly HeaderLine[] => [['Cookie', text]]
  test.each<[string, readonly HeaderLine[], Challenged, number, string, boolean]>([
    ['is valid', line(cookie), client, NOW, RULE, true],
    ['among other cookies', line(`a=b; ${cookie}; c=d`), client, NOW, RULE, true],
    ['in the same network', line(cookie), { ...client, clientIp: ip('192.0.2.200') }, NOW, RULE, true],
    ['until it ends', line(cookie), client, NOW + MINUTE + 30 * MINUTE - 1, RULE, true],
    ['not afterwards', line(cookie), client, NOW + MINUTE + 30 * MINUTE, RULE, false],
    ['not in another network', line(cookie), { ...client, clientIp: ip('198.51.100.1') }, NOW, RULE, false],
    ['not for another host', line(cookie), { ...client, host: 'a.example' }, NOW, RULE, false],
    ['not for another rule', line(cookie), client, NOW, 'b'.repeat(32), false],
    [
      'not under the name of another rule',
      line(cookie.replaceAll('a', 'b')),
      client,
      NOW,
      'b'.repeat(32),
      false,
    ],
    ['not if it is cut', line(cookie.slice(0, -1)), client, NOW, RULE, false],
    ['not a token', line(`edge-clearance-${RULE}=${solved.token}`), client, NOW, RULE, false],
    ['not without a cookie', [['x', cookie]], client, NOW, RULE, false],
  ])('%s', (_, headers, by, at, ruleId, expected) => {
    expect(createChallenges(KEY).isCleared(ruleId, headers, by, at)).toBe(expected)
  })

  test('of version 6 is bound to the first half of the address', () => {
    const six = { ...client, clientIp: ip('2001:db8::1') }
    const challenges = createChallenges(KEY)
    const offered = challenges.offer(RULE, six, true, NOW)
    const query = new URLSearchParams({ t: offered.token, n: solve(offered), to: '/' })
    const own = cookieOf(challenges.verify(`${CHALLENGE_PATH}?${query}`, six, NOW).setCookie)
    const isCleared = (text: string): boolean =>
      challenges.isCleared(RULE, [['cookie', own]], { ...client, clientIp: ip(text) }, NOW)
    expect(['2001:db8::ffff', '2001:db8:0:0:9::1', '2001:db8:0:1::1', '192.0.2.1'].map(isCleared)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
