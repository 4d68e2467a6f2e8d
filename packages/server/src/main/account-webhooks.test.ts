// Webhooks of accounts in the real program, which is killed between a change and its delivery, and during a delivery.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { ON_FREE_PORTS, runProgram } from '../testing/run-program.ts'

const TOKEN = 'token-of-the-webhook-test-0123456789-abcd'

interface Webhook {
  readonly id: string
  readonly secret: string
  readonly status: { readonly delivered_at: string | null; readonly failures: number }
}

/** A server that gets what is posted, and answers as the test says. */
async function startReceiver() {
  const posted: { readonly body: string; readonly signature: string }[] = []
  const answer = { with: (reply: ServerResponse): void => void reply.end() }
  const server = createServer((request, reply) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      posted.push({ body, signature: String(request.headers['zonereeve-signature']) })
      answer.with(reply)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const zones = (): readonly string[] =>
    posted.flatMap(({ body }) =>
      (JSON.parse(body) as { events: { metadata: { zone_name: string } }[] }).events.map(
        ({ metadata }) => metadata.zone_name,
      ),
    )
  return { posted, answer, port, zones }
}

test('no change is lost when the program is killed, and each arrives signed and in order', async () => {
  const receiver = await startReceiver()
  const data = scratchFolder()
  const start = async () => {
    const flags = ['--fetch-networks', '127.0.0.0/8', '--fetch-ports', 'any', ...ON_FREE_PORTS]
    const program = runProgram({ ZONEREEVE_ADMIN_TOKEN: TOKEN }, ['serve', '--data', data, ...flags])
    const { port } = await program.ready
    const must = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
      const reply = await fetch(`http://127.0.0.1:${port}/client/v4${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`${method} ${path}: ${text}`)
      return (JSON.parse(text) as { result: Result }).result
    }
    const kill = async () => {
      program.child.kill('SIGKILL')
      await program.ended
    }
    return { must, kill }
  }

  const first = await start()
  const [account] = await first.must<{ id: string }[]>('GET', '/accounts')
  const path = `/zonereeve/accounts/${account?.id}/webhooks`
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const hook = { source: 'changes', url, kinds: ['zone'], enabled: false }
  const { id, secret } = await first.must<Webhook>('POST', path, hook)

  // The reply says that the change is stored; it was not posted when the process ends.
  await first.must('POST', '/zones', { name: 'a.example' })
  await first.must('POST', '/zones', { name: 'b.example' })
  await first.kill()
  expect(receiver.posted).toEqual([])

  // Posted, but the process ends before it has the confirmation.
  receiver.answer.with = () => undefined
  const second = await start()
  await second.must('PATCH', `${path}/${id}`, { enabled: true })
  await expect.poll(receiver.zones, { timeout: 60_000 }).toEqual(['a.example', 'b.example'])
  await second.kill()

  receiver.answer.with = (reply) => void reply.end()
  const third = await start()
  const both = ['a.example', 'b.example']
  await expect.poll(receiver.zones, { timeout: 60_000 }).toEqual([...both, ...both])
  await expect
    .poll(async () => (await third.must<Webhook>('GET', `${path}/${id}`)).status, { timeout: 60_000 })
    .toMatchObject({ failures: 0, delivered_at: expect.any(String) })

  // What was confirmed is not posted again after the next kill.
  await third.kill()
  const fourth = await start()
  await fourth.must('POST', '/zones', { name: 'c.example' })
  await expect.poll(() => receiver.zones().at(-1), { timeout: 60_000 }).toBe('c.example')
  expect(receiver.zones()).toEqual([...both, ...both, 'c.example'])
  for (const { body, signature } of receiver.posted) {
    const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
    expect(hex).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  }
}, 240_000)

test('nothing is posted into the network of the server unless that is allowed', async () => {
  const receiver = await startReceiver()
  const flags = ['--fetch-ports', 'any', ...ON_FREE_PORTS]
  const program = runProgram({ ZONEREEVE_ADMIN_TOKEN: TOKEN }, ['serve', '--data', scratchFolder(), ...flags])
  const { port } = await program.ready
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`http://127.0.0.1:${port}/client/v4${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return ((await reply.json()) as { result: unknown }).result
  }
  const [account] = (await call('GET', '/accounts')) as { id: string }[]
  const path = `/zonereeve/accounts/${account?.id}/webhooks`
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const { id } = (await call('POST', path, { source: 'changes', url })) as Webhook
  expect(await call('POST', `${path}/${id}/test`, {})).toEqual({
    accepted: false,
    problem: expect.stringContaining('127.0.0.1'),
  })
  await expect
    .poll(async () => ((await call('GET', `${path}/${id}`)) as Webhook).status.failures, { timeout: 60_000 })
    .toBeGreaterThan(0)
  expect(receiver.posted).toEqual([])
}, 120_000)
