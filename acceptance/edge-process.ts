// An edge of the program under test, between a proxy or a browser and an origin.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Target } from './program.ts'

export interface RunningEdge {
  /** Ports of the listeners. */
  readonly proxy: number
  readonly decisions: number
  readonly spop: number
  readonly process: ChildProcess
  readonly stop: () => void
}

export interface EdgeStart {
  /** Further options of the command; they may name other listeners. */
  readonly flags?: readonly string[]
  /** Called with each chunk that the edge logs. */
  readonly onLog?: (text: string) => void
}

/** Starts an edge whose only origin is `originPort`, and waits until it listens. */
export async function startEdge(
  launcher: string,
  { http, token }: Pick<Target, 'http' | 'token'>,
  originPort: number,
  { flags = [], onLog }: EdgeStart = {},
): Promise<RunningEdge> {
  const listeners = ['proxy', 'decisions', 'spop'].flatMap((name) =>
    flags.includes(`--${name}`) ? [] : [`--${name}`, '127.0.0.1:0'],
  )
  const edge = spawn(
    launcher,
    ['edge', '--url', `${http}/client/v4`, ...listeners, '--origin', `127.0.0.1:${originPort}`, ...flags],
    { env: { ...process.env, ZONEREEVE_TOKEN: token }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  edge.stderr.setEncoding('utf8').on('data', (text: string) => onLog?.(text))
  try {
    const [proxy, decisions, spop] = await portsOf(edge)
    return { proxy, decisions, spop, process: edge, stop: () => void edge.kill() }
  } catch (error) {
    edge.kill()
    throw error
  }
}

async function portsOf(edge: ChildProcess): Promise<[proxy: number, decisions: number, spop: number]> {
  let output = ''
  edge.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const ended = once(edge, 'exit').then(() => Promise.reject(new Error(`the edge ended: ${output}`)))
  ended.catch(() => undefined)
  const ports = (async (): Promise<[number, number, number]> => {
    for (;;) {
      const [proxy, decisions, spop] = ['proxy', 'decisions', 'spop'].map(
        (name) => new RegExp(` ${name}=(?:http://)?127\\.0\\.0\\.1:(\\d+)`).exec(output)?.[1],
      )
      if (proxy !== undefined && decisions !== undefined && spop !== undefined)
        return [Number(proxy), Number(decisions), Number(spop)]
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
