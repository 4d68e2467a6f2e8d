// Sockets passed as systemd passes them: the program answers on them, and refuses those that it does not know.
import { spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { testWith } from '../../../../scripts/test-requirements.ts'

const BIN = fileURLToPath(new URL('../../dist/start.js', import.meta.url))
const TOKEN = 'token_of_this_test_0123456789_0123456789'
const command = () => [process.execPath, BIN, 'serve', '--resolver', 'off', '--data', scratchFolder()]

async function tcp(port = 0): Promise<Server & { readonly port: number }> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return Object.assign(server, { port: typeof address === 'object' && address !== null ? address.port : 0 })
}

async function udp(port: number): Promise<Socket> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1')
  await once(socket, 'listening')
  let isOpen = true
  socket.once('close', () => (isOpen = false))
  onTestFinished(() => {
    if (isOpen) socket.close()
  })
  return socket
}

/** Node has no public way to the descriptor. */
function descriptorOf(socket: object): number {
  const { _handle: handle } = socket as { readonly _handle: { readonly fd: number } } // as in Node
  return handle.fd
}

interface PassedDescriptor {
  readonly name: string
  readonly descriptor: number
}

const startWith = (sockets: readonly PassedDescriptor[], more: readonly string[] = []) =>
  runWith(sockets, [...command(), '--http', '127.0.0.1:0', '--dns', '127.0.0.1:0', ...more])

/** LISTEN_PID is the process that reads it, so a shell sets it before it becomes that process. */
function runWith(sockets: readonly PassedDescriptor[], words: readonly string[]) {
  const child = spawn('/bin/sh', ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', ...words], {
    env: {
      PATH: '/usr/bin:/bin',
      ZONEREEVE_ADMIN_TOKEN: TOKEN,
      LISTEN_FDS: String(sockets.length),
      LISTEN_FDNAMES: sockets.map(({ name }) => name).join(':'),
    },
    stdio: ['ignore', 'pipe', 'pipe', ...sockets.map(({ descriptor }) => descriptor)],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null) // as documented
  const ready = async (): Promise<string> => {
    while (!/^ready /m.test(output)) {
      if (child.exitCode !== null) throw new Error(output)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return output
  }
  return { child, ended, ready, output: () => output }
}

describe('sockets that systemd passes', () => {
  test.each([
    ['threads', '2'],
    ['without threads', '0'],
  ])('API and DNS answer on them: %s', async (_, threads) => {
    const [http, stream] = [await tcp(), await tcp()]
    const datagram = await udp(stream.port)
    const { child, ended, ready } = startWith(
      [
        { name: 'dns', descriptor: descriptorOf(datagram) },
        { name: 'http', descriptor: descriptorOf(http) },
        { name: 'dns', descriptor: descriptorOf(stream) },
      ],
      ['--dns-threads', threads],
    )
    expect(await ready()).toContain(`ready http=http://127.0.0.1:${http.port} dns=127.0.0.1:${stream.port}`)
    // The other end of the sockets is this test: it does not take what is for the program.
    http.close()
    stream.close()
    datagram.close()
    const created = await fetch(`http://127.0.0.1:${http.port}/client/v4/zones`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'example.com' }),
    })
    expect(created.status).toBe(200)
    const resolver = new Resolver()
    resolver.setServers([`127.0.0.1:${stream.port}`])
    expect(await resolver.resolveNs('example.com')).not.toEqual([])
    const overTcp = connect(stream.port, '127.0.0.1')
    await once(overTcp, 'connect')
    overTcp.destroy()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test.each([
    ['an unknown name', ['web'], 'named "web": FileDescriptorName= must be http, https or dns'],
    ['DNS without UDP', ['dns'], 'the sockets of dns must be stream and datagram, one of each; got stream'],
    [
      'two for the API',
      ['http', 'http'],
      'the sockets of http must be stream, one of each; got stream, stream',
    ],
  ])('%s is refused at the start', async (_, names, message) => {
    const sockets: { name: string; descriptor: number }[] = []
    for (const name of names) sockets.push({ name, descriptor: descriptorOf(await tcp()) })
    const { ended, output } = startWith(sockets)
    expect([await ended, output()]).toEqual([2, expect.stringContaining(message)])
  })

  test('config show names them, and the other settings keep their origins', async () => {
    const http = await tcp()
    const { ended, output } = runWith(
      [{ name: 'http', descriptor: descriptorOf(http) }],
      [process.execPath, BIN, 'config', 'show', '--origin', '--http', '127.0.0.1:1', '--dns', '127.0.0.1:2'],
    )
    expect(await ended).toBe(0)
    expect(output()).toMatch(
      new RegExp(`^http\\b.*127\\.0\\.0\\.1:${http.port}.*socket passed by systemd`, 'm'),
    )
    expect(output()).toMatch(/^dns\b.*127\.0\.0\.1:2.*flag --dns/m)
  })

  test('nodes do not take them', async () => {
    const { ended, output } = startWith(
      [{ name: 'http', descriptor: descriptorOf(await tcp()) }],
      ['--node-url', 'http://127.0.0.1:1'],
    )
    expect([await ended, output()]).toEqual([
      2,
      expect.stringContaining('node-url: cannot be used with sockets passed by systemd'),
    ])
  })

  testWith('systemd-socket-activate', 'by systemd-socket-activate', async () => {
    const probe = await tcp()
    probe.close()
    const own = ['-E', `ZONEREEVE_ADMIN_TOKEN=${TOKEN}`, '-l', `127.0.0.1:${probe.port}`, '--fdname=http']
    const child = spawn('systemd-socket-activate', [...own, ...command(), '--dns', '127.0.0.1:0'], {
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    // It starts the program at the first connection, which waits until the program answers it.
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${probe.port}/client/v4/zones`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      }).catch(() => undefined)
      if (response === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        continue
      }
      expect(response.status).toBe(200)
      break
    }
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
})
