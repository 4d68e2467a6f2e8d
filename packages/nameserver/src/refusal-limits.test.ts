// Rate limits for refusals of special messages: which are sent, and which are counted elsewhere.
import { expect, test } from 'vitest'
import { createRateLimits } from './rate-limits.ts'
import { createRefusalLimits } from './refusal-limits.ts'
import type { Transport } from './peer.ts'

const REFUSED = Uint8Array.of(0, 0, 0x80, 5)
const DONE = Uint8Array.of(0, 0, 0x80, 0)
const PACKET = new Uint8Array(12)
const sequence = [DONE].values()

function limits(answered: typeof REFUSED | typeof sequence, requests = false) {
  const dropped: string[] = []
  const metrics = {
    countDropped: (transport: string, reason: string) => void dropped.push(`${transport} ${reason}`),
  }
  const exempt = '198.51.100.1'
  const options = {
    perSecond: 2,
    slip: 2,
    isExempt: (address: string) => address === exempt,
    now: () => 1,
    seed: 1,
  }
  const refusals = createRefusalLimits({ rateLimits: createRateLimits(options), metrics })
  const messageHandler = refusals.limitMessageHandler(
    (respond) => ({
      answer(message, peer) {
        if (requests) respond(message, message.length, peer, message)
        return answered
      },
    }),
    () => 0,
  )
  const later = refusals.limitLater(() =>
    Promise.resolve(answered instanceof Uint8Array ? answered : undefined),
  )
  return { messageHandler, later, dropped }
}
const peer = (transport: Transport, address = '192.0.2.1') => ({ transport, address })
const many = [1, 2, 3, 4, 5, 6]

test('refusals over UDP: up to the limit all are sent, above it every second one', async () => {
  const { messageHandler, later, dropped } = limits(REFUSED)
  expect(many.map(() => messageHandler.answer(PACKET, peer('udp')) !== undefined)).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
  ])
  expect(dropped).toEqual(['udp rate', 'udp rate'])
  // The same network, through the other function.
  expect(await later(PACKET, peer('udp', '192.0.2.200'))).toBeUndefined()
  expect(await later(PACKET, peer('udp', '203.0.113.1'))).toBe(REFUSED)
})

test.each([
  ['over TCP', REFUSED, 'tcp', '192.0.2.1', false],
  ['for exempt networks', REFUSED, 'udp', '198.51.100.1', false],
  ['that are not refusals', DONE, 'udp', '192.0.2.1', false],
  ['that were counted as answers', REFUSED, 'udp', '192.0.2.1', true],
  ['of several messages', sequence, 'tcp', '192.0.2.1', false],
] as const)('answers %s are not limited here', async (_, answered, transport, address, requests) => {
  const { messageHandler, later, dropped } = limits(answered, requests)
  for (let i = 0; i < many.length; i += 1)
    expect(messageHandler.answer(PACKET, peer(transport, address))).toBe(answered)
  if (!requests && answered instanceof Uint8Array)
    for (let i = 0; i < many.length; i += 1)
      expect(await later(PACKET, peer(transport, address))).toBe(answered)
  expect(dropped).toEqual([])
})
