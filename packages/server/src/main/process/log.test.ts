// A log that cannot be written: it never keeps the program from answering or from ending.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../testing/http-client.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'

const BIN = fileURLToPath(new URL('../../../dist/start.js', import.meta.url))
const TOKEN = 'token-of-the-log-test-0123456789-abcdefgh'
/** Number of requests, each with one log line. */
const SOME = 200
/** Only to detect hangs: filling a log takes thousands of requests. */
const HANG_MILLIS = 300_000

describe('the program, whose log', { timeout: HANG_MILLIS }, () => {
  test.each([
    ['is a device that is full', '2>/dev/full', 0],
    // The ready line cannot be written, which is an error; a log that cannot be written is not.
    ['and output are a device that is full', '>/dev/full 2>/dev/full', 1],
    ['is closed', '2>&-', 0],
    ['is a pipe whose reader is gone', '2> >(exec true)', 0],
  ])('%s, answers and shuts down in order', async (_, redirect, exitCode) => {
    const program = await start(redirect)
    await program.answers(SOME)
    expect(await program.stop()).toBe(exitCode)
  })

  test('is an unread pipe, answers, counts dropped lines and shuts down in order', async () => {
    const pipe = join(scratchFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    onTestFinished(() => closeSync(reader))
    const program = await start(`2>${pipe}`)
    const dropped = await program.fillLog()
    // Read from here on: the log continues after the buffered lines.
    let read = ''
    const block = Buffer.alloc(65_536)
    while (!read.includes('log lines dropped')) {
      try {
        read += block.toString('utf8', 0, readSync(reader, block))
      } catch {
        await program.answers(1)
      }
    }
    const notice = read.split('\n').find((line) => line.includes('log lines dropped')) ?? ''
    expect((JSON.parse(`${notice}`) as { lines: number }).lines).toBeGreaterThanOrEqual(dropped)
    expect(await program.stop()).toBe(0)
  })

  test('is an unread socket, answers and shuts down in order', async () => {
    const program = await start('')
    program.child.stderr.pause()
    await program.fillLog()
    expect(await program.stop()).toBe(0)
  })
})

/** Starts the program through a shell that redirects its standard streams. */
async function start(redirect: string) {
  const folder = scratchFolder()
  const port = await freePort()
  const child = spawn(
    'bash',
    [
      '-c',
      `exec "$0" "$@" ${redirect}`,
      process.execPath,
      BIN,
      'serve',
      '--data',
      join(folder, 'data'),
      '--http',
      `127.0.0.1:${port}`,
      '--dns',
      '127.0.0.1:0',
      '--resolver',
      'off',
      '--log-level',
      'debug',
    ],
    {
      env: { PATH: '/usr/bin:/bin', ZONEREEVE_ADMIN_TOKEN: TOKEN },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let isRunning = true
  const ended = once(child, 'exit').then(([code]) => {
    isRunning = false
    return code as number | null
  })
  const client = createHttpClient()
  onTestFinished(() => client.close())
  const get = (path: string) =>
    client.send(port, { method: 'GET', path, headers: { authorization: `Bearer ${TOKEN}` } })
  while (
    isRunning &&
    !(await get('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 100))
  if (!isRunning) throw new Error('the program ended before it was ready')

  /** Sends requests that are logged. */
  async function answers(count: number): Promise<void> {
    const all = Array.from({ length: count }, () => get('/client/v4/user'))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  }

  return {
    child,
    answers,
    /**
     * Sends requests until lines are dropped.
     * @returns the number of dropped lines.
     */
    async fillLog(): Promise<number> {
      for (;;) {
        await answers(SOME)
        const { text } = await get('/metrics')
        const dropped = Number(/^zonereeve_log_dropped_lines_total (\d+)$/m.exec(text)?.[1])
        if (dropped > 0) return dropped
      }
    },
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
