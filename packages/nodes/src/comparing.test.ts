// Zones of two nodes: alike, at different serials, wrong here, wrong at the node that writes, and wrong at both.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

async function compare(here: Node, there: Node) {
  const server = createServer(async (request, reply) => {
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
