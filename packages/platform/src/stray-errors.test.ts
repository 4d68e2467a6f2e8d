// Errors that reach no caller, in separate processes: which of them end the process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'

const MODULE = new URL('./stray-errors.ts', import.meta.url).href

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function run(code: string, { closesOutput = false } = {}): Promise<Ended> {
  const head = `import { surviveStrayErrors, watchOutput } from '${MODULE}'\n`
  const args = ['--import', 'tsx', '--input-type=module', '-e', head + code]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  if (closesOutput) child.stdout.destroy()
  const [status] = (await ended) as [number | null]
  return { code: status, out, err }
}

const SURVIVE = "surviveStrayErrors({ error: ({ err }) => console.log('logged', err.code) })\n"
const GO_ON = "\nsetTimeout(() => { console.log('goes on'); process.exit() }, 100)"

describe('an error without a listener', () => {
  test.each([
    [
      'of a refused connection',
      `import { connect } from 'node:net'; connect(1, '127.0.0.1')`,
      'ECONNREFUSED',
    ],
    [
      'of a packet that must not be sent',
      `import { createSocket } from 'node:dgram'; createSocket('udp4').connect(53, '255.255.255.255')`,
      'EACCES',
    ],
    [
      'of a port that does not exist',
      `import { createSocket } from 'node:dgram'; setImmediate(() => createSocket('udp4').send('', 0))`,
      'ERR_SOCKET_BAD_PORT',
    ],
    [
      'of an ended stream',
      `import { PassThrough } from 'node:stream'; new PassThrough().end().write('late')`,
      'ERR_STREAM_WRITE_AFTER_END',
    ],
  ])('%s is logged, and the process continues', async (_, code, logged) => {
    const { code: status, out } = await run(SURVIVE + code + GO_ON)
    expect([status, out]).toEqual([0, `logged ${logged}\ngoes on\n`])
  })

  test.each([
    ['an error in our code', `setImmediate(() => undefined.x)`],
    ['a full disk', `setImmediate(() => { throw Object.assign(new Error('full'), { code: 'ENOSPC' }) })`],
    ['an unhandled promise rejection', `Promise.reject(new Error('half done'))`],
  ])('%s still ends the process', async (_, code) => {
    const { code: status, out, err } = await run(SURVIVE + code + GO_ON)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/Error/)
  })
})

describe('output', () => {
  const WRITE =
    "watchOutput()\nfor (let i = 0; i < 3; i += 1) { process.stdout.write('x'.repeat(100_000)); await new Promise((next) => setTimeout(next, 20)) }\nprocess.stderr.write('to the end')"

  test('that is no longer read does not end a command', async () => {
    expect(await run(WRITE, { closesOutput: true })).toEqual({ code: 0, out: '', err: 'to the end' })
  })
})
