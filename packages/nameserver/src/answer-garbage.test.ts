// What an answer leaves behind is freed by the quick collections of young objects. If each answer's garbage refers to
// that of the next one, only a full collection frees it, and memory grows by many megabytes between two of them.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { CLIENT, client, decoded, opt, queryOf, seen, zoneOf } from './asking.cases.ts'
import { MAX_REPLY_OCTETS } from './responder.ts'

const ANSWERS = 100_000
const SAMPLES = 20
/** The leak that this test is for took 120 octets. */
const MAX_OCTETS_PER_ANSWER = 12

const { respond } = client([
  zoneOf(
    'example.com',
    `
    www   300 A     192.0.2.1
    alias 300 CNAME www
    mx    300 MX    10 www
    sub   300 NS    ns.sub
    ns.sub 300 A    192.0.2.53
    to    300 DNAME from
    a.from 300 A    192.0.2.2
    `,
  ),
])

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void // exists with this flag

test.each([
  ['a name in no zone', queryOf('www.example.org'), 'REFUSED'],
  ['an address', queryOf('www.example.com'), 'NOERROR'],
  ['no such name', queryOf('none.example.com'), 'NXDOMAIN'],
  ['an alias', queryOf('alias.example.com'), 'NOERROR'],
  ['a mail server with addresses', queryOf('mx.example.com MX'), 'NOERROR'],
  ['a delegation with glue', queryOf('x.sub.example.com'), 'NOERROR'],
  ['a redirection', queryOf('a.to.example.com'), 'NOERROR'],
  ['an option', queryOf('www.example.com', { tail: opt(1232, { rdata: [0, 3, 0, 0] }) }), 'NOERROR'],
])('%s', (_, query, rcode) => {
  expect(seen(decoded(respond, query)).rcode).toBe(rcode)
  const out = new Uint8Array(MAX_REPLY_OCTETS)
  const peer = { transport: 'udp', address: CLIENT } as const
  const answer = (count: number): void => {
    for (let i = 0; i < count; i += 1) respond(query, query.length, peer, out)
  }
  answer(1_000)
  // Moves what is in use now to the old objects, where such a chain begins.
  collect()
  const before = oldOctets()
  let most = 0
  for (let i = 0; i < SAMPLES; i += 1) {
    answer(ANSWERS / SAMPLES)
    most = Math.max(most, oldOctets() - before)
  }
  expect(most / ANSWERS).toBeLessThan(MAX_OCTETS_PER_ANSWER)
})

function oldOctets(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === 'old_space' || name === 'large_object_space')
    .reduce((sum, { space_used_size: octets }) => sum + octets, 0)
}
