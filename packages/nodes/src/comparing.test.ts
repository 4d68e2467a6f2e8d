// Zones of two nodes: alike, at different serials, wrong here, wrong at the node that writes, and wrong at both.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import {
  type ComparedZones,
  createComparing,
  ZONES_PER_RUN,
  zoneStates,
  type ZoneState,
} from './comparing.ts'
import { createNodeClient } from './node-client.ts'

interface Node extends ComparedZones {
  readonly states: Map<string, ZoneState>
  readonly asked: string[]
  readonly reread: ComparedZones['reread']
  readonly rereads: string[]
  /** How often all IDs were listed. */
  sorted: number
}

/** A node whose zones become `stored` when they are read again. */
function nodeWith(states: Record<string, ZoneState>, stored: Record<string, ZoneState> = {}): Node {
  const node: Node = {
    states: new Map(Object.entries(states)),
    asked: [],
    rereads: [],
    sorted: 0,
    ids() {
      node.sorted += 1
      return [...node.states.keys()]
    },
    outOfStep: () => [...node.states].flatMap(([id, { isOutOfStep }]) => (isOutOfStep === true ? [id] : [])),
    async stateOf(id) {
      node.asked.push(id)
      return node.states.get(id)
    },
    async reread(id) {
      node.rereads.push(id)
      const state = stored[id]
      if (state !== undefined) node.states.set(id, state)
    },
  }
  return node
}

type Reply = (response: ServerResponse) => void

/** @param replace of the node that writes: replies in place of it. */
async function compare(here: Node, there: Node, replace?: Reply) {
  const server = createServer(async (request, reply) => {
    if (replace !== undefined) return replace(reply)
    const ids = new URL(request.url ?? '', 'http://node').searchParams.get('zones')?.split(',') ?? []
    if (request.headers['x-of-nodes'] !== 'yes') return void reply.writeHead(404).end()
    if (request.method === 'POST') for (const id of ids) await there.reread(id)
    reply.end(JSON.stringify(await zoneStates(there, ids, RUNNING)))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // of a listening server
  const client = createNodeClient()
  onTestFinished(() => client.close())
  const reports: string[] = []
  const comparing = createComparing({
    client,
    writerAddress: () => `http://127.0.0.1:${port}`,
    headers: { 'x-of-nodes': 'yes' },
    zones: here,
    report: (id, wrongAt) => void reports.push(`${id}: ${wrongAt}`),
  })
  return { ...comparing, reports }
}

const right = { serial: 7, checksum: 'a' }
const wrong = { serial: 7, checksum: 'b' }
const outOfStep = { serial: 0, checksum: '', isOutOfStep: true }
const RUNNING = new AbortController().signal

test.each([
  ['alike', right, right, [], [], []],
  ['one is later', right, { serial: 8, checksum: 'b' }, [], [], []],
  ['one is not answered there', right, undefined, [], [], []],
  ['wrong here', wrong, right, ['z: self'], ['z'], []],
  ['wrong there', right, wrong, ['z: writer'], ['z'], ['z']],
  ['wrong at both', wrong, { serial: 7, checksum: 'c' }, ['z: writer'], ['z'], ['z']],
  ['out of step here', outOfStep, right, ['z: self'], ['z'], []],
  ['out of step here, and not answered there', outOfStep, undefined, ['z: self'], ['z'], []],
  ['out of step there', right, outOfStep, ['z: writer'], ['z'], ['z']],
])('%s', async (_, own, their, reports, readHere, readThere) => {
  const here = nodeWith({ z: own }, { z: right })
  const there = nodeWith(their === undefined ? {} : { z: their }, { z: right })
  const comparing = await compare(here, there)
  await comparing.compareSome(RUNNING)
  expect([comparing.reports, here.rereads, there.rereads]).toEqual([reports, readHere, readThere])
  await comparing.compareSome(RUNNING)
  expect(comparing.reports).toEqual(reports)
})

test('a zone that cannot be repaired is reported as such', async () => {
  const comparing = await compare(nodeWith({ z: wrong }), nodeWith({ z: right }))
  await comparing.compareSome(RUNNING)
  expect(comparing.reports).toEqual(['z: unknown'])
})

test('all zones have their turn, and none is left out', async () => {
  const names = Array.from({ length: 2 * ZONES_PER_RUN + 3 }, (_, at) => `z${String(at).padStart(3, '0')}`)
  const states = Object.fromEntries(names.map((name) => [name, right]))
  const here = nodeWith(states)
  const comparing = await compare(here, nodeWith(states))
  for (let run = 0; run < 3; run++) await comparing.compareSome(RUNNING)
  expect(here.asked).toEqual(names)
  expect(here.sorted).toBe(1)
  await comparing.compareSome(RUNNING)
  expect(here.asked.slice(names.length)).toEqual(names.slice(0, ZONES_PER_RUN))
})

test.each<[string, Reply, RegExp]>([
  ['a page of something in between', (reply) => void reply.end('<html>'), /JSON/],
  ['no states', (reply) => void reply.end('null'), /no states/],
  ['no JSON', (reply) => void reply.end(), /JSON/],
  [
    'without an end',
    (reply) =>
      void Readable.from(endless())
        .on('error', () => {})
        .pipe(reply),
    /reply has no end/,
  ],
  ['another status', (reply) => void reply.writeHead(503).end('{}'), /status 503/],
  ['half a reply', (reply) => void reply.write('{', () => reply.destroy()), /aborted|closed/],
])('a reply that is %s is left to the next run', async (_, replace, problem) => {
  const here = nodeWith({ z: wrong }, { z: right })
  const comparing = await compare(here, nodeWith({ z: right }), replace)
  await expect(comparing.compareSome(RUNNING)).rejects.toThrow(problem)
  expect([comparing.reports, here.rereads]).toEqual([[], []])
})

test('a run ends with its signal, without a failure: the reply does not come', async () => {
  const here = nodeWith({ z: wrong }, { z: right })
  const ending = new AbortController()
  const comparing = await compare(here, nodeWith({ z: right }), () => ending.abort())
  await comparing.compareSome(ending.signal)
  await comparing.compareSome(ending.signal)
  expect([here.asked, here.rereads, comparing.reports]).toEqual([[], [], []])
})

test('the node that is asked ends with its signal, too', async () => {
  const ending = new AbortController()
  const node = nodeWith({ a: right, b: right, c: right })
  const stateOf = async (id: string) => {
    if (id === 'b') ending.abort()
    return node.stateOf(id)
  }
  expect(Object.keys(await zoneStates({ stateOf }, ['a', 'b', 'c'], ending.signal))).toEqual(['a', 'b'])
})

function* endless(): Generator<string> {
  for (;;) yield ' '.repeat(1000)
}
