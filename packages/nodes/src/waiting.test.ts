import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createNodeClient } from './node-client.ts'
import { createWaiting } from './waiting.ts'

/** Answers so many requests, and is silent then. */
async function startNode(answers: number): Promise<{ address: string; requests: () => number }> {
  let requests = 0
  const server: Server = createServer((_, reply) => {
    requests += 1
    if (requests <= answers) reply.writeHead(204).end()
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // of a listening server
    requests: () => requests,
  }
}

function waitFor(address: string) {
  const client = createNodeClient()
  onTestFinished(() => client.close())
  return createWaiting({ client, others: async () => [address], headers: {}, limitMillis: 100 })
}

test('a node that has applied the position is not behind', async () => {
  const { address } = await startNode(1)
  expect(await waitFor(address).nodesBehind(1)).toEqual([])
})

test('a node that is silent on a kept connection is behind after one question', async () => {
  const { address, requests } = await startNode(1)
  const waiting = waitFor(address)
  expect(await waiting.nodesBehind(1)).toEqual([])
  expect(await waiting.nodesBehind(2)).toEqual([address])
  expect(requests()).toBe(2)
})

test('nodes are unknown while the database does not name them', async () => {
  const client = createNodeClient()
  onTestFinished(() => client.close())
  const others = () => Promise.reject(new Error('gone'))
  expect(await createWaiting({ client, others, headers: {} }).nodesBehind(1)).toBe('unknown')
})
