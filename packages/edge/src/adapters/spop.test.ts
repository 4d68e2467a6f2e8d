// The agent over a real socket, spoken to by the second codec: handshake, decisions, responses that count, and frames
// that it refuses.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { ipText } from '@zonereeve/expr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EdgeDecision, EdgeRequest } from '../engine.ts'
import {
  frameOctets,
  framesIn,
  headersOctets,
  messagesOctets,
  pairsOctets,
  sentPairs,
  sentVariables,
  type Pairs,
  type ReadFrame,
} from '../spop/second-codec.cases.ts'
import { type AnswerMessages, serveConnection } from '../spop/connection.ts'
import { createSpopAgent } from './spop.ts'

const TEAPOT = '100%\n"a teapot" äöü\n'
const RAY = '00000000000000aa'
/** By target. */
const PAGES = new Map([
  ['/page/16kB', 'x'.repeat(16_000)],
  ['/page/17kB', 'x'.repeat(17_000)],
  ['/page/cjk', '漢'.repeat(30_720)],
])
const decided: EdgeRequest[] = []
const notedAnswers: unknown[] = []
const notedSent: unknown[] = []
const problems: unknown[] = []

/** Blocks by path, so that the test sees what the agent does with a decision. */
function decide(request: EdgeRequest): EdgeDecision {
  decided.push(request)
  const all = { rayId: RAY, outcome: 'decided', zone: undefined } as const
  switch (request.target) {
    case '/blocked':
      return { ...all, action: 'block', response: { statusCode: 403 } }
    case '/old':
      return {
        ...all,
        action: 'redirect',
        response: { statusCode: 301, location: 'https://example.com/näw' },
      }
    case '/own': {
      const response = { statusCode: 418, contentType: 'text/x', content: TEAPOT }
      return { ...all, action: 'block', response }
    }
    case '/counted':
      return {
        ...all,
        action: 'allow',
        response: undefined,
        noteAnswer: (answer) => notedAnswers.push(answer),
      }
    case '/watched':
      return {
        ...all,
        action: 'allow',
        response: undefined,
        noteSent: (sent) => notedSent.push(sent),
        responseHeaders: ({ headers }) => [...headers, ['x-frame-options', 'DENY']],
      }
    case '/long':
      return {
        ...all,
        action: 'allow',
        response: undefined,
        forwarded: {
          target: undefined,
          edits: [{ operation: 'set', name: 'x-long', value: 'x'.repeat(17_000) }],
        },
      }
    default: {
      const content = PAGES.get(request.target)
      if (content === undefined) return { ...all, action: 'allow', response: undefined }
      const errorPage = () => ({ statusCode: 404, contentType: 'text/html', content })
      return { ...all, action: 'allow', response: undefined, errorPage }
    }
  }
}

const agent = createSpopAgent({
  engine: { decide },
  log: { info: () => undefined, warn: (fields) => void problems.push(fields) },
})

/** The edge's listener for decisions. */
const replies = createServer((request, response) => {
  if (!agent.answerStopped(request, response)) response.writeHead(404).end()
})
const fetched = (rayId: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${(replies.address() as AddressInfo).port}/stopped/${rayId}`, {
    redirect: 'manual',
  })

beforeAll(async () => {
  replies.listen(0, '127.0.0.1')
  await once(replies, 'listening')
  agent.server.listen(0, '127.0.0.1')
  await once(agent.server, 'listening')
})
afterAll(async () => {
  replies.closeAllConnections()
  replies.close()
  agent.close()
  agent.server.close()
  await once(agent.server, 'close')
})

const string = (value: string) => ({ type: 'string', value }) as const
const uint32 = (value: number) => ({ type: 'uint32', value: BigInt(value) }) as const
const HELLO: Pairs = [
  ['supported-versions', string('2.0')],
  ['max-frame-size', uint32(16_380)],
  ['capabilities', string('pipelining,async')],
]
const hello = (pairs: Pairs = HELLO): number[] => frameOctets(1, 1, [0n, 0n], pairsOctets(pairs))

const requestArgs = (target: string, more: Pairs = []): Pairs => [
  ['method', string('GET')],
  ['target', string(target)],
  ['version', string('1.1')],
  ['client', { type: 'ipv4', value: Buffer.of(192, 0, 2, 7) }],
  ['port', { type: 'int64', value: 443n }],
  ['tls', { type: 'boolean', value: true }],
  [
    'headers',
    {
      type: 'binary',
      value: Buffer.from(
        headersOctets([
          ['host', 'example.com'],
          ['x-a', 'b'],
        ]),
      ),
    },
  ],
  ...more,
]
const notify = (id: number, message: string, args: Pairs): number[] =>
  frameOctets(3, 1, [BigInt(id), 1n], messagesOctets([[message, args]]))
const ask = (id: number, target: string, more?: Pairs) =>
  notify(id, 'zonereeve-request', requestArgs(target, more))

/** Sends octets, and collects frames until there are enough or the agent closes the connection. */
async function converse(
  octets: readonly number[],
  count: number,
  chunkSize = octets.length,
): Promise<ReadFrame[]> {
  const socket: Socket = connect((agent.server.address() as AddressInfo).port, '127.0.0.1')
  const received: number[] = []
  socket.on('error', () => undefined)
  socket.setNoDelay(true)
  await once(socket, 'connect')
  const enough = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received.push(...chunk)
      if (framesIn(received).frames.length >= count) resolve()
    })
    socket.on('close', () => resolve())
  })
  for (let start = 0; start < octets.length; start += chunkSize) {
    socket.write(Buffer.from(octets.slice(start, start + chunkSize)))
    if (chunkSize < octets.length) await new Promise((resolve) => setImmediate(resolve))
  }
  await enough
  socket.destroy()
  return framesIn(received).frames
}

/** What is written in one go, by the number of its frames. @param millis how long each answer takes */
async function writesFor(octets: readonly number[], millis: number): Promise<number[]> {
  let now = 0
  const answer: AnswerMessages = () => {
    now += millis
    return []
  }
  const writes: number[] = []
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      writes.push(framesIn([...chunk]).frames.length)
      done()
    },
  })
  const unused = { setTimeout: () => socket }
  const problem = (failure: unknown) => expect(failure).toBeUndefined()
  const problems = { onEnd: problem, onLongAnswer: problem }
  serveConnection(Object.assign(socket, unused) as unknown as Socket, answer, problems, () => now)
  socket.push(Buffer.from(octets))
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  return writes
}

test('answers to frames that came together are one write, but none waits for several slow decisions', async () => {
  const frames = [1, 2, 3].flatMap((id) => ask(id, '/'))
  expect(await writesFor([...hello(), ...frames], 0)).toEqual([4])
  expect(await writesFor([...hello(), ...frames], 5)).toEqual([2, 1, 1])
})

const variables = async (target: string, more?: Pairs) => {
  const [, ack] = await converse([...hello(), ...ask(1, target, more)], 2)
  if (ack === undefined) throw new Error('the agent did not answer')
  expect([ack.type, ack.flags, ack.ids]).toEqual([103, 1, [1n, 1n]])
  return sentVariables(ack.payload)
}

describe('the handshake', () => {
  test('agrees on the version, the smaller frame size and pipelining', async () => {
    const [frame] = await converse(hello(), 1)
    expect(frame?.type).toBe(101)
    expect(sentPairs(frame?.payload ?? [])).toEqual({
      version: '2.0',
      'max-frame-size': 16_380,
      capabilities: 'pipelining',
    })
  })

  test('never agrees on larger frames than the agent takes', async () => {
    const large = HELLO.map(([key, value]) =>
      key === 'max-frame-size' ? ([key, uint32(2 ** 30)] as const) : ([key, value] as const),
    )
    const [frame] = await converse(hello(large), 1)
    expect(sentPairs(frame?.payload ?? [])).toMatchObject({ 'max-frame-size': 262_144 })
  })

  test('of a health check ends the connection', async () => {
    const check: Pairs = [...HELLO, ['healthcheck', { type: 'boolean', value: true }]]
    const frames = await converse(hello(check), 99)
    expect(frames.map(({ type }) => type)).toEqual([101])
  })

  const without = (key: string): Pairs => HELLO.filter(([one]) => one !== key)
  test.each<readonly [string, Pairs, number]>([
    ['a version', without('supported-versions'), 5],
    ['a frame size', without('max-frame-size'), 6],
    ['capabilities', without('capabilities'), 7],
    ['version 2', [['supported-versions', string('1.0, 12.0')], ...without('supported-versions')], 8],
    ['frames of 256 octets', [['max-frame-size', uint32(255)], ...without('max-frame-size')], 9],
  ])('without %s is refused', async (_, pairs, status) => {
    const [frame, ...others] = await converse(hello(pairs), 99)
    expect([frame?.type, sentPairs(frame?.payload ?? [])['status-code'], others]).toEqual([102, status, []])
  })
})

describe('requests', () => {
  test('arrive as HAProxy has received them', async () => {
    decided.length = 0
    expect(await variables('/a%2f?b=c')).toEqual({ ray: RAY })
    const [request] = decided
    expect(request).toMatchObject({
      method: 'GET',
      target: '/a%2f?b=c',
      host: 'example.com',
      isTls: true,
      version: 'HTTP/1.1',
      serverPort: 443,
      headers: [
        ['host', 'example.com'],
        ['x-a', 'b'],
      ],
    })
    expect(request && ipText(request.clientIp)).toBe('192.0.2.7')
    expect(request?.body).toBeUndefined()
  })

  test('have IPv6 addresses, too', async () => {
    decided.length = 0
    const address = Buffer.from('20010db8000000000000000000000007', 'hex')
    const args = requestArgs('/').map(([key, value]) =>
      key === 'client' ? ([key, { type: 'ipv6', value: address }] as const) : ([key, value] as const),
    )
    await converse([...hello(), ...notify(1, 'zonereeve-request', args)], 2)
    expect(decided.map(({ clientIp }) => ipText(clientIp))).toEqual(['2001:db8::7'])
  })

  const withLength = (lines: readonly (readonly [string, string])[], size: number): Pairs => [
    ['headers', { type: 'binary', value: Buffer.from(headersOctets([['host', 'example.com'], ...lines])) }],
    ['body', { type: 'binary', value: Buffer.alloc(size, 'x') }],
  ]
  const chunked = [['transfer-encoding', 'chunked']] as const
  test.each<readonly [string, Pairs, object | undefined]>([
    ['a whole body', withLength([['content-length', '5']], 5), { isTruncated: false, sizeBytes: 5 }],
    ['a part of a body', withLength([['content-length', '9']], 5), { isTruncated: true, sizeBytes: 9 }],
    ['no octet of a body', withLength([['content-length', '9']], 0), { isTruncated: true, sizeBytes: 9 }],
    ['an empty body', withLength([['content-length', '0']], 0), { isTruncated: false, sizeBytes: 0 }],
    ['a short chunked body', withLength(chunked, 5_000), { isTruncated: false, sizeBytes: 5_000 }],
    [
      'a chunked body that may be longer',
      withLength(chunked, 8_100),
      { isTruncated: true, sizeBytes: 8_101 },
    ],
    ['no body, because HAProxy sends none', [], undefined],
  ])('%s', async (_, more, expected) => {
    decided.length = 0
    await variables('/form', more)
    const { body } = decided[0] ?? {}
    if (expected === undefined) expect(body).toBeUndefined()
    else expect(body).toMatchObject(expected)
  })

  test('that are stopped get a status, and their reply waits for HAProxy', async () => {
    expect(await variables('/blocked')).toEqual({ ray: RAY, status: 403 })
    const blocked = await fetched(RAY)
    expect([blocked.status, blocked.headers.get('x-ray-id')]).toEqual([403, RAY])
    expect(blocked.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await blocked.text()).toContain(RAY)
    expect(await variables('/old')).toEqual({ ray: RAY, status: 301 })
    const moved = await fetched(RAY)
    expect([moved.status, moved.headers.get('location')]).toEqual([301, 'https://example.com/n%C3%A4w'])
    expect(await variables('/own')).toEqual({ ray: RAY, status: 418 })
    const own = await fetched(RAY)
    expect([own.status, own.headers.get('content-type'), await own.text()]).toEqual([418, 'text/x', TEAPOT])
  })

  test('that were stopped long ago are refused without details', async () => {
    await variables('/own')
    await fetched(RAY)
    const again = await fetched(RAY)
    expect([again.status, again.headers.get('x-ray-id')]).toEqual([403, null])
    expect(await again.text()).not.toContain(TEAPOT)
  })

  test.each(['target', 'client', 'port', 'method', 'headers'])('without %s are refused', async (missing) => {
    decided.length = 0
    const args = requestArgs('/').filter(([key]) => key !== missing)
    const [, ack] = await converse([...hello(), ...notify(1, 'zonereeve-request', args)], 2)
    expect(sentVariables(ack?.payload ?? [])).toMatchObject({ status: 400 })
    expect(decided).toEqual([])
  })

  test('are answered in any division into packets', async () => {
    const octets = [...hello(), ...ask(1, '/'), ...ask(2, '/blocked'), ...ask(3, '/')]
    for (const chunkSize of [1, 7, 100, octets.length]) {
      const frames = await converse(octets, 4, chunkSize)
      expect(frames.map(({ type, ids }) => [type, ids[0]])).toEqual([
        [101, 0n],
        [103, 1n],
        [103, 2n],
        [103, 3n],
      ])
    }
  })

  test('that are aborted, and frames of unknown types, get no answer', async () => {
    const aborted = frameOctets(3, 3, [1n, 1n], [])
    const unknown = frameOctets(77, 1, [1n, 1n], [1, 2, 3])
    const frames = await converse([...hello(), ...aborted, ...unknown, ...ask(2, '/')], 2)
    expect(frames.map(({ type, ids }) => [type, ids[0]])).toEqual([
      [101, 0n],
      [103, 2n],
    ])
  })
})

test('responses reach the rules that count them, once', async () => {
  notedAnswers.length = 0
  expect(await variables('/counted')).toEqual({ ray: RAY, counts: true })
  const headers = Buffer.from(headersOctets([['server', 'x']]))
  const args: Pairs = [
    ['ray', string(RAY)],
    ['status', { type: 'int64', value: 401n }],
    ['headers', { type: 'binary', value: headers }],
  ]
  const both = [...notify(2, 'zonereeve-response', args), ...notify(3, 'zonereeve-response', args)]
  const frames = await converse([...hello(), ...both], 3)
  expect(frames.map(({ type, payload }) => [type, payload])).toEqual([
    [101, expect.anything()],
    [103, []],
    [103, []],
  ])
  expect(notedAnswers).toEqual([{ status: 401, headers: [['server', 'x']] }])
})

test('responses of watched pages are observed as they are sent, once', async () => {
  expect(await variables('/watched')).toEqual({ ray: RAY, counts: true })
  const args: Pairs = [
    ['ray', string(RAY)],
    ['status', { type: 'int64', value: 200n }],
    ['headers', { type: 'binary', value: Buffer.from(headersOctets([['server', 'x']])) }],
  ]
  await converse(
    [...hello(), ...notify(2, 'zonereeve-response', args), ...notify(3, 'zonereeve-response', args)],
    3,
  )
  expect(notedSent).toEqual([
    {
      status: 200,
      headers: [
        ['server', 'x'],
        ['x-frame-options', 'DENY'],
      ],
    },
  ])
})

describe('an answer that is larger than a frame', () => {
  const helloWith = (size: number): number[] =>
    hello(HELLO.map(([key, value]) => (key === 'max-frame-size' ? [key, uint32(size)] : [key, value])))
  const missing: Pairs = [
    ['ray', string(RAY)],
    ['status', { type: 'int64', value: 404n }],
    ['headers', { type: 'binary', value: Buffer.from(headersOctets([])) }],
  ]
  test.each([
    ['/page/16kB', 16_380, true],
    ['/page/17kB', 16_380, false],
    ['/page/17kB', 65_532, true],
    ['/page/cjk', 65_532, false],
    ['/page/cjk', 262_144, true],
  ])('%s in frames of %i octets', async (target, size, isSent) => {
    problems.length = 0
    const octets = [
      ...helloWith(size),
      ...ask(1, target),
      ...notify(2, 'zonereeve-response', missing),
      ...ask(3, '/'),
    ]
    const [, , page, next] = await converse(octets, 4)
    expect(sentVariables(page?.payload ?? [])).toEqual(
      isSent ? expect.objectContaining({ error_status: 404 }) : {},
    )
    expect(page?.payload.length).toBeLessThanOrEqual(size)
    expect(sentVariables(next?.payload ?? [])).toEqual({ ray: RAY })
    expect(problems).toHaveLength(isSent ? 0 : 1)
  })

  test('about a request leaves it undecided, and other ones are answered', async () => {
    problems.length = 0
    const [, long, next] = await converse([...hello(), ...ask(1, '/long'), ...ask(2, '/')], 3)
    expect([long?.type, long?.ids, long?.payload]).toEqual([103, [1n, 1n], []])
    expect(sentVariables(next?.payload ?? [])).toEqual({ ray: RAY })
    expect(problems).toHaveLength(1)
  })
})

describe('a connection ends with a reason', () => {
  const tooBig = [0, 4, 0, 1]
  test.each<readonly [string, readonly number[], number]>([
    ['for a frame before the handshake', ask(1, '/'), 4],
    ['for a frame that is too big before the handshake', tooBig, 3],
    ['for a frame that is larger than agreed', [...hello(), 0, 0, 0x3f, 0xfd], 3],
    ['for a fragment', [...hello(), ...frameOctets(3, 0, [1n, 1n], [])], 10],
    ['for an empty frame', [...hello(), 0, 0, 0, 0], 4],
    ['for a message that ends too early', [...hello(), ...frameOctets(3, 1, [1n, 1n], [9, 65])], 4],
    [
      'for a type that is not defined',
      [...hello(), ...frameOctets(3, 1, [1n, 1n], [1, 65, 1, 1, 66, 15])],
      4,
    ],
    ['when HAProxy ends it', [...hello(), ...frameOctets(2, 1, [0n, 0n], [])], 0],
  ])('%s', async (_, octets, status) => {
    problems.length = 0
    const frames = await converse(octets, 99)
    const last = frames.at(-1)
    expect([last?.type, sentPairs(last?.payload ?? [])['status-code']]).toEqual([102, status])
    expect(problems).toHaveLength(status === 0 ? 0 : 1)
  })
})
