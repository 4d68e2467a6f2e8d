// An edge of the program under test, between a proxy or a browser and an origin.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Target } from './program.ts'

export interface RunningEdge {
  /** Ports of the listeners. */
  readonly proxy: number
  readonly decisions: number
  readonly stop: () => void
}

/** Starts an edge whose only origin is `originPort`, and waits until it listens. */
export async function startEdge(
  launcher: string,
  { http, token }: Target,
  originPort: number,
): Promise<RunningEdge> {
  const listeners = ['--proxy', '127.0.0.1:0', '--decisions', '127.0.0.1:0']
  const edge = spawn(
    launcher,
    ['edge', '--url', `${http}/client/v4`, ...listeners, '--origin', `127.0.0.1:${originPort}`],
    { env: { ...process.env, ZONEREEVE_TOKEN: token }, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  try {
    const [proxy, decisions] = await portsOf(edge)
    return { proxy, decisions, stop: () => void edge.kill() }
  } catch (error) {
    edge.kill()
    throw error
  }
}

async function portsOf(edge: ChildProcess): Promise<[proxy: number, decisions: number]> {
  let output = ''
  edge.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const ended = once(edge, 'exit').then(() => Promise.reject(new Error(`the edge ended: ${output}`)))
  ended.catch(() => undefined)
  const ports = (async (): Promise<[number, number]> => {
    for (;;) {
      const [proxy, decisions] = ['proxy', 'decisions'].map(
        (name) => new RegExp(` ${name}=http://127\\.0\\.0\\.1:(\\d+)`).exec(output)?.[1],
      )
      if (proxy !== undefined && decisions !== undefined) return [Number(proxy), Number(decisions)]
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  return Promise.race([ports, ended])
}

/** GET by a client that is no browser: only browsers know names below localhost. */
export const getFrom = (
  port: number,
  host: string,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { host } }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text })) // every reply has one
    })
    sent.on('error', reject)
    sent.end()
  })
