// The options of an edge: how they are read, and which ones are refused.
import { describe, expect, test } from 'vitest'
import { readEdgeOptions, type EdgeFlags } from './edge-command.ts'

const DECISIONS = { decisions: '127.0.0.1:8090' }
const read = (flags: EdgeFlags) => readEdgeOptions({ ...DECISIONS, ...flags })

test('the least that is needed', () => {
  const { decisions, proxy, undecided, origins } = read({})
  expect([decisions, proxy]).toEqual([{ host: '127.0.0.1', port: 8090 }, undefined])
  expect(undecided).toEqual({
    mode: 'closed',
    phases: new Map([['http_request_firewall_managed', 'open']]),
  })
  expect(origins).toEqual({ origin: undefined, scheme: 'http', port: undefined, isPrivateAllowed: false })
})

test('sockets in the file system', () => {
  const { decisions, spop } = read({ decisions: 'unix:/run/edge.sock', spop: 'unix:/run/edge-1/spop' })
  expect([decisions, spop]).toEqual([{ path: '/run/edge.sock' }, { path: '/run/edge-1/spop' }])
})

describe('what happens to undecided requests', () => {
  test.each([
    ['closed', 'closed', []],
    ['open', 'open', []],
    [
      'closed, managed=open,ddos=open',
      'closed',
      [
        ['http_request_firewall_managed', 'open'],
        ['ddos_l7', 'open'],
      ],
    ],
    ['open,custom=closed', 'open', [['http_request_firewall_custom', 'closed']]],
  ])('%s', (undecided, mode, phases) => {
    const found = read({ undecided }).undecided
    expect([found.mode, [...found.phases]]).toEqual([mode, phases])
  })
})

test.each<[EdgeFlags, string]>([
  [{ decisions: undefined }, '--decisions host:port'],
  [{ decisions: '8090' }, '--decisions must be host:port, like 127.0.0.1:8090; got 8090'],
  [{ proxy: '127.0.0.1:70000' }, '--proxy must be host:port'],
  [
    { decisions: 'unix:edge.sock' },
    '--decisions must be unix: and an absolute path of at most 107 characters',
  ],
  [{ spop: 'unix:/run/a;b' }, '--spop must be unix: and an absolute path'],
  [{ spop: `unix:/${'a'.repeat(107)}` }, '--spop must be unix: and an absolute path'],
  [{ proxy: 'unix:/run/edge.sock' }, '--proxy must be host:port'],
  [{ undecided: 'maybe' }, '--undecided must be closed or open; got maybe'],
  [{ undecided: 'managed=open' }, '--undecided must be closed or open; got managed=open'],
  [
    { undecided: 'closed,waf=open' },
    'a phase is one of redirects, ddos, custom, ratelimit, managed, lists, access, responses; got waf',
  ],
  [{ undecided: 'closed,managed' }, '--undecided managed= must be closed or open; got '],
  [{ originPort: '0' }, '--origin-port must be 1 to 65535; got 0'],
  [{ originScheme: 'ftp' }, '--origin-scheme must be http or https; got ftp'],
  [{ appsecKeyFile: '/dev/null' }, '--appsec-key-file: /dev/null is empty'],
  [{ challengeKeyFile: '/dev/null' }, '--challenge-key-file: /dev/null must have at least 16 bytes'],
])('refused: %j', (flags, message) => expect(() => read(flags)).toThrow(message))
