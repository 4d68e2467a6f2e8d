// The program on a full or read-only disk: it answers DNS, reports why it cannot write, and recovers by itself.
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { decode, encode } from 'dns-packet'
import { expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { createHttpClient } from '../testing/http-client.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'

const BIN = fileURLToPath(new URL('../../dist/start.js', import.meta.url))
const TOKEN = 'token-of-the-disk-test-0123456789-abcdefg'

/** A small file system that only this test can see. */
async function mountDisk() {
  const folder = scratchFolder()
  const script =
    'mount -t tmpfs -o size=8m tmpfs "$0" && mkdir "$0/data" && echo mounted && exec sleep infinity'
  const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  const inside = ['--mount=/proc/' + String(holder.pid) + '/ns/mnt']
  const shell = (command: string) => {
    const { status, stderr } = spawnSync('nsenter', [...inside, 'sh', '-c', command, folder])
    if (status !== 0) throw new Error(`${command}: ${stderr.toString()}`)
  }
  return {
    inside,
    data: `${folder}/data`,
    fill: () => shell('dd if=/dev/zero of="$0/fill" bs=4096 2>/dev/null; ! echo x > "$0/more" 2>/dev/null'),
    free: () => shell('rm "$0/fill"'),
    // Busy until the processes that a killed server had started have ended, too.
    makeReadOnly: () =>
      shell('for i in $(seq 300); do mount -o remount,ro "$0" 2>/dev/null && exit; sleep 0.1; done; exit 1'),
    makeWritable: () => shell('mount -o remount,rw "$0"'),
  }
}

type Disk = Awaited<ReturnType<typeof mountDisk>>

function launch({ inside, data }: Disk) {
  const flags = [
    'serve',
    '--data',
    data,
    '--http',
    '127.0.0.1:0',
    '--dns',
    '127.0.0.1:0',
    '--resolver',
    'off',
  ]
  const child = spawn('nsenter', [...inside, process.execPath, BIN, ...flags], {
    env: { PATH: '/usr/bin:/bin', ZONEREEVE_ADMIN_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()))
  return { child, output, ended: once(child, 'close').then(([code]) => code as number | null) }
}

/** Starts the program, and waits until it is ready. */
async function start(disk: Disk) {
  const { child, output, ended } = launch(disk)
  const readyLine = /^ready http=http:\/\/127\.0\.0\.1:(\d+) dns=127\.0\.0\.1:(\d+)$/m
  while (!readyLine.test(output.out)) {
    const isOver = await Promise.race([ended.then(() => true), once(child.stdout, 'data').then(() => false)])
    if (isOver) throw new Error(`ended before it was ready: ${output.err}`)
  }
  const [, http, dns] = readyLine.exec(output.out) ?? []
  const client = createHttpClient()
  onTestFinished(() => client.close())
  const send = (method: string, path: string, body?: object) =>
    client.send(Number(http), {
      method,
      path,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { output, end, send, address: (name: string) => addressOf(Number(dns), name) }
}

type Server = Awaited<ReturnType<typeof start>>

async function addressOf(port: number, name: string): Promise<string> {
  const socket = createSocket('udp4')
  const question = encode({ type: 'query', id: 1, questions: [{ type: 'A', name }] })
  const ask = () => socket.send(question, port, '127.0.0.1')
  // Queried repeatedly: a datagram may be lost.
  const again = setInterval(ask, 1_000)
  ask()
  const [packet] = (await once(socket, 'message')) as [Buffer]
  clearInterval(again)
  socket.close()
  const { answers = [], rcode } = decode(packet) as ReturnType<typeof decode> & { rcode: string }
  return answers.map((answer) => ('data' in answer ? String(answer.data) : '')).join() || rcode
}

/** A server with a zone and a record in it. */
async function withZone(disk: Disk): Promise<{ server: Server; records: string }> {
  const server = await start(disk)
  const zone = JSON.parse((await server.send('POST', '/client/v4/zones', { name: 'example.com' })).text)
  const records = `/client/v4/zones/${zone.result.id}/dns_records`
  expect(await create(server, records, 'kept')).toEqual([200, undefined])
  return { server, records }
}

/** Status and error code of an attempt to create a record. */
async function create(server: Server, records: string, name: string): Promise<[number, number | undefined]> {
  const body = { type: 'A', name: `${name}.example.com`, content: '192.0.2.1', ttl: 300 }
  const { status, text } = await server.send('POST', records, body)
  return [status, JSON.parse(text).errors[0]?.code]
}

/** Only to detect hangs, for tests that start the program several times. */
const HANG_MILLIS = 600_000
const FULL = [507, 19827]
const READ_ONLY = [503, 19828]

describeWith('private-mounts', 'a disk of its own', () => {
  test.each([
    ['full, after an orderly shutdown', 'SIGTERM', 'fill', 'free', FULL],
    ['full, after kill -9', 'SIGKILL', 'fill', 'free', FULL],
    ['read-only, after an orderly shutdown', 'SIGTERM', 'makeReadOnly', 'makeWritable', READ_ONLY],
    ['read-only, after kill -9', 'SIGKILL', 'makeReadOnly', 'makeWritable', READ_ONLY],
  ] as const)(
    'start on a disk that is %s: DNS is answered, writes report why they fail, and work again',
    async (_, signal, spoil, repair, refusal) => {
      const disk = await mountDisk()
      const { server: first, records } = await withZone(disk)
      await first.end(signal)
      disk[spoil]()

      const second = await start(disk)
      expect(await second.address('kept.example.com')).toBe('192.0.2.1')
      expect(await create(second, records, 'refused')).toEqual(refusal)
      expect(await second.address('refused.example.com')).toBe('NXDOMAIN')
      expect((await second.send('GET', records)).text).toContain('"total_count":1')
      expect((await second.send('GET', '/readyz')).status).toBe(503)
      disk[repair]()
      await expect
        .poll(() => create(second, records, 'later'), { timeout: HANG_MILLIS })
        .toEqual([200, undefined])
      expect(await second.address('later.example.com')).toBe('192.0.2.1')
      expect((await second.send('GET', '/readyz')).status).toBe(200)
      await second.end('SIGKILL')

      const third = await start(disk)
      expect(await third.address('later.example.com')).toBe('192.0.2.1')
      expect((await third.send('GET', records)).text).toContain('"total_count":2')
      expect(await third.end('SIGTERM')).toBe(0)
    },
    HANG_MILLIS,
  )

  test(
    'a disk that becomes full while the program runs: 507 until there is space',
    async () => {
      const disk = await mountDisk()
      const { server, records } = await withZone(disk)
      disk.fill()
      // Existing pages of the WAL are reused before the file grows.
      const refused = await firstRefusal(server, records)
      expect(refused.answer).toEqual(FULL)
      expect(await server.address(`${refused.name}.example.com`)).toBe('NXDOMAIN')
      expect(await server.address('kept.example.com')).toBe('192.0.2.1')
      disk.free()
      expect(await create(server, records, refused.name)).toEqual([200, undefined])
      expect(await server.end('SIGTERM')).toBe(0)
    },
    HANG_MILLIS,
  )

  test(
    'a first start on a read-only disk names the file and the reason',
    async () => {
      const disk = await mountDisk()
      disk.makeReadOnly()
      const { ended, output } = launch(disk)
      expect(await ended).toBe(1)
      expect(output.err).toContain(`database ${disk.data}/zonereeve.db: `)
      expect(output.err.trim().split('\n').length).toBe(1)
    },
    HANG_MILLIS,
  )
})

async function firstRefusal(server: Server, records: string) {
  for (let number = 0; number < 2_000; number += 1) {
    const name = `filler${number}`
    const answer = await create(server, records, name)
    if (answer[0] !== 200) return { name, answer }
  }
  throw new Error('the disk did not become full')
}
