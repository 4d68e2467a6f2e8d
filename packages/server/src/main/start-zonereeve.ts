// The npm package's export for test suites: a real server in its own process, with its own temporary data.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentWithoutSettings } from '@zonereeve/config'
import { createTestControl, type TestControl } from './test-control-client.ts'

export type { TestControl }

export interface StartOptions {
  /** More arguments of `zonereeve serve`, for example `['--profile', 'vendor']`. Not `--data`, `--http` or `--dns`. */
  readonly args?: readonly string[]
  /** How long the server may take to start, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number
  /** Whether the server can be reset, its clock set, and faults ordered. Default: false. */
  readonly control?: boolean
}

export interface RunningZonereeve {
  /** For clients: `http://127.0.0.1:PORT/client/v4`. */
  readonly baseUrl: string
  /** The administrator's token, random for each server. */
  readonly token: string
  /** The nameserver, over UDP and TCP. */
  readonly dns: { readonly host: string; readonly port: number }
  /** With `control: true`: resets the server, sets its clock, orders faults, reads requests. */
  readonly control: TestControl
  /** Stops the server and removes its data. Can be called several times. */
  stop(): Promise<void>
}

const LOOPBACK = '127.0.0.1:0'
const DEFAULT_TIMEOUT_MS = 60_000
/** So much of the log is in the error of a server that does not start, in characters. */
const MAX_LOG = 4000
const OWN_ARGUMENTS = ['--data', '--http', '--dns', '--test-control']

/**
 * Starts a server on free loopback ports. It ends with this process if `stop` is not called.
 * @throws Error if the server ends before it is ready, with the end of its log, or if it is not ready in time.
 */
export async function startZonereeve(options: StartOptions = {}): Promise<RunningZonereeve> {
  const { args = [], timeoutMs = DEFAULT_TIMEOUT_MS, control = false } = options
  const refused = args.find((arg) => OWN_ARGUMENTS.some((own) => arg === own || arg.startsWith(`${own}=`)))
  if (refused !== undefined)
    throw new Error(`startZonereeve() chooses ${refused} itself; leave it out of args`)
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-'))
  const token = randomBytes(32).toString('hex')
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('start.js', import.meta.url)),
      'serve',
      '--data',
      join(folder, 'data'),
      '--http',
      LOOPBACK,
      '--dns',
      LOOPBACK,
      ...(control ? ['--test-control', LOOPBACK] : []),
      ...args,
    ],
    {
      env: { ...environmentWithoutSettings(), ZONEREEVE_ADMIN_TOKEN: token, ZONEREEVE_TEST_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const endWithParent = (): void => {
    child.kill('SIGKILL')
    remove()
  }
  process.once('exit', endWithParent)
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal)
    await closed
    process.off('exit', endWithParent)
    remove()
  }
  try {
    const { http, port, controlUrl } = await readyLine(child, timeoutMs)
    const stop = (): Promise<void> => end('SIGTERM')
    return {
      baseUrl: `${http}/client/v4`,
      token,
      dns: { host: '127.0.0.1', port },
      control: createTestControl(controlUrl, token),
      stop,
    }
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
}

interface Ready {
  readonly http: string
  readonly port: number
  readonly controlUrl: string | undefined
}

/** Reads the output until the server is ready; later output is read and dropped, so that the server never waits. */
async function readyLine(child: ChildProcess, timeoutMs: number): Promise<Ready> {
  let out = ''
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-MAX_LOG)))
  const found = new Promise<Ready>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      reject(new Error(`zonereeve ended with exit code ${code} before it was ready:\n${log}`)),
    )
    child.stdout?.on('data', (chunk: Buffer) => {
      out = (out + chunk.toString()).slice(-MAX_LOG)
      const [, http, port] = /^ready http=(\S+) dns=127\.0\.0\.1:(\d+).*\n/m.exec(out) ?? []
      const controlUrl = /^test control: (\S+)/m.exec(out)?.[1]
      if (http !== undefined) resolve({ http, port: Number(port), controlUrl })
    })
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`zonereeve was not ready within ${timeoutMs} ms:\n${log}`)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([found, late])
  } finally {
    clearTimeout(timer)
  }
}
