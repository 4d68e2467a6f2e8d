// A log that cannot be written: buffered up to a limit, lost lines counted, and never the end of the program.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../testing/http-client.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { createLogDestination, type WriteChunk } from './log-destination.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'

const BIN = fileURLToPath(new URL('../../../dist/start.js', import.meta.url))
const TOKEN = 'token-of-the-log-test-0123456789-abcdefgh'
/** Number of requests, each with one log line. */
const SOME = 200
/** Only to detect hangs: filling a log takes thousands of requests. */
const HANG_MILLIS = 300_000

type Done = Parameters<WriteChunk>[1]

/** A destination whose writes complete when the test says so. */
function heldDestination(maxBufferedBytes: number) {
  const writes: { readonly text: string; readonly done: Done }[] = []
  const destination = createLogDestination(
    (chunk, done) => void writes.push({ text: chunk.toString(), done }),
    (lines) => `dropped ${lines}\n`,
    maxBufferedBytes,
  )
  return { destination, writes }
}

describe('the buffer', () => {
  test('buffers lines during a write, and writes them together', () => {
    const { destination, writes } = heldDestination(100)
    for (const line of ['a\n', 'b\n', 'c\n']) destination.write(line)
    writes[0]?.done(null)
    expect(writes.map(({ text }) => text)).toEqual(['a\n', 'b\nc\n'])
    expect(destination.droppedLines).toBe(0)
  })

  test('drops lines while it is full, and reports how many once lines are written again', () => {
    const { destination, writes } = heldDestination(4)
    for (const line of ['a\n', 'b\n', 'lost\n', 'c\n']) destination.write(line)
    expect(destination.droppedLines).toBe(2)
    writes[0]?.done(null)
    expect(writes[1]?.text).toBe('dropped 2\nb\n')
    writes[1]?.done(null)
    destination.write('d\n')
    expect(writes[2]?.text).toBe('d\n')
  })

  test('writes the rest of a partly written chunk', () => {
    const { destination, writes } = heldDestination(100)
    destination.write('abc\n')
    writes[0]?.done(null, 1)
    expect(writes[1]?.text).toBe('bc\n')
  })

  test.each(['EAGAIN', 'ENOSPC', 'EIO', 'EPIPE'])('retries after %s, and loses nothing', async (code) => {
    let failures = 2
    let out = ''
    const destination = createLogDestination(
      (chunk, done) => {
        if ((failures -= 1) >= 0) return done(Object.assign(new Error(code), { code }))
        out += chunk.toString()
        done(null)
      },
      () => 'dropped\n',
    )
    destination.write('kept\n')
    destination.write('after\n')
    await destination.flush(60_000)
    expect([out, destination.droppedLines]).toEqual(['kept\nafter\n', 0])
  })

  test('stops waiting for a blocked destination', async () => {
    const { destination, writes } = heldDestination(100)
    destination.write('a\n')
    await destination.flush(1)
    expect([writes.length, destination.droppedLines]).toEqual([1, 0])
  })
})

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
