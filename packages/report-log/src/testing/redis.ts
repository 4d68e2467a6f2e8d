// A Redis server for tests, from Debian's package `redis-server`: on a port of loopback, with its data in a temporary folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const START_ATTEMPTS = 600
const PAUSE_MILLIS = 50

export interface RedisServer {
  readonly url: string
  /** SIGKILL; {@link start} continues with its data. */
  kill(): Promise<void>
  /** It keeps its connections, and answers nothing until {@link resume}. */
  freeze(): void
  resume(): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** @param isKept whether what it has answered is in a file first. */
export async function startRedis({ isKept }: { readonly isKept: boolean }): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    start,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function start(): Promise<void> {
    const persistence = ['--appendonly', isKept ? 'yes' : 'no', '--appendfsync', 'always', '--save', '']
    const given = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...persistence]
    child = spawn('redis-server', given, { stdio: 'ignore' })
    for (let attempt = 0; !(await answers(port)); attempt++) {
      if (attempt === START_ATTEMPTS || child.exitCode !== null) throw new Error('Redis did not start')
      await sleep(PAUSE_MILLIS)
    }
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a listening server
  server.close()
  await once(server, 'close')
  return port
}

/** Whether it has read its data. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      resolve(chunk.toString().startsWith('+PONG'))
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}
