// Zones of two nodes: alike, at different serials, wrong here, wrong at the node that writes, and wrong at both.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createAsking } from './asking.ts'
import {
  type ComparedZones,
  createComparing,
  ZONES_PER_RUN,
  zoneStates,
  type ZoneState,
} from './comparing.ts'

interface Node extends ComparedZones {
  readonly states: Map<string, ZoneState>
  readonly asked: string[]
  readonly reread: ComparedZones['reread']
  readonly rereads: string[]
}

/** A node whose zones become `stored` when they are read again. */
function nodeWith(states: Record<string, ZoneState>, stored: Record<string, ZoneState> = {}): Node {
  const node: Node = {
    states: new Map(Object.entries(states)),
    asked: [],
    rereads: [],
    ids: () => [...node.states.keys()],
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
    reply.end(JSON.stringify(await zoneStates(there, ids)))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // of a listening server
  const asking = createAsking()
  onTestFinished(() => asking.close())
  const reports: string[] = []
  const comparing = createComparing({
    asking,
    writerAddress: () => `http://127.0.0.1:${port}`,
    headers: { 'x-of-nodes': 'yes' },
    zones: here,
    report: (id, wrongAt) => void reports.push(`${id}: ${wrongAt}`),
  })
  return { ...comparing, reports }
}

const right = { serial: 7, checksum: 'a' }
const wrong = { serial: 7, checksum: 'b' }

test.each([
  ['alike', right, right, [], [], []],
  ['one is later', right, { serial: 8, checksum: 'b' }, [], [], []],
  ['one is not answered there', right, undefined, [], [], []],
  ['wrong here', wrong, right, ['z: this node'], ['z'], []],
  ['wrong there', right, wrong, ['z: the node that writes'], ['z'], ['z']],
  ['wrong at both', wrong, { serial: 7, checksum: 'c' }, ['z: the node that writes'], ['z'], ['z']],
])('%s', async (_, own, their, reports, readHere, readThere) => {
  const here = nodeWith({ z: own }, { z: right })
  const there = nodeWith(their === undefined ? {} : { z: their }, { z: right })
  const comparing = await compare(here, there)
  await comparing.compareSome()
  expect([comparing.reports, here.rereads, there.rereads]).toEqual([reports, readHere, readThere])
  await comparing.compareSome()
  expect(comparing.reports).toEqual(reports)
})

test('a zone that cannot be repaired is reported as such', async () => {
  const comparing = await compare(nodeWith({ z: wrong }), nodeWith({ z: right }))
  await comparing.compareSome()
  expect(comparing.reports).toEqual(['z: unknown'])
})

test('all zones have their turn, and none is left out', async () => {
  const names = Array.from({ length: 2 * ZONES_PER_RUN + 3 }, (_, at) => `z${String(at).padStart(3, '0')}`)
  const states = Object.fromEntries(names.map((name) => [name, right]))
  const here = nodeWith(states)
  const comparing = await compare(here, nodeWith(states))
  for (let run = 0; run < 3; run++) await comparing.compareSome()
  expect(here.asked).toEqual(names)
  await comparing.compareSome()
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
  await expect(comparing.compareSome()).rejects.toThrow(problem)
  expect([comparing.reports, here.rereads]).toEqual([[], []])
})

function* endless(): Generator<string> {
  for (;;) yield ' '.repeat(1000)
}
