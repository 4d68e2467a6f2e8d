// The built program as a process of its own, for tests that kill it.
import { spawn, type ChildProcess } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { AtEnd } from '@zonereeve/platform/testing/scratch-folder.ts'

/** The program as it is built. */
export const BIN = fileURLToPath(new URL('../../dist/start.js', import.meta.url))
const READY = /^ready http=http:\/\/127\.0\.0\.1:(\d+) dns=(127\.0\.0\.1:\d+)$/m

/** Further arguments of `serve`. */
export const ON_FREE_PORTS = ['--http', '127.0.0.1:0', '--dns', '127.0.0.1:0', '--resolver', 'off'] as const

export interface RunningProgram {
  readonly child: ChildProcess
  /** All that it has written to stderr. */
  readonly err: () => string
  readonly ended: Promise<number | null>
  readonly ready: Promise<{ readonly port: number; readonly resolver: Resolver }>
}

/** @param atEnd says when it ends: with the test, if not given. */
export function runProgram(
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
  program = BIN,
  atEnd: AtEnd = onTestFinished,
): RunningProgram {
  const child = spawn(process.execPath, [program, ...command], {
    env: { PATH: '/usr/bin:/bin', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null) // as documented
  const ready = new Promise<{ port: number; resolver: Resolver }>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const [, port, dns] = READY.exec(out) ?? []
      if (port === undefined || dns === undefined) return
      const resolver = new Resolver()
      resolver.setServers([dns])
      resolve({ port: Number(port), resolver })
    })
    void ended.then(() => reject(new Error(`ended before it was ready: ${err}`)))
  })
  ready.catch(() => {}) // some programs are expected to end
  return { child, err: () => err, ended, ready }
}
