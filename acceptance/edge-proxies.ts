// nginx, HAProxy and Caddy with the configuration that `zonereeve edge config` prints, and the embedded proxy of an edge.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { run } from '../scripts/process.ts'
import { endWithin } from './child-end.ts'
import { until } from './browsers/site.ts'
import type { RunningEdge } from './edge-process.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import type { Target } from './program.ts'

export const ADAPTERS = ['nginx', 'haproxy', 'caddy', 'embedded'] as const
export type Adapter = (typeof ADAPTERS)[number]
export type Proxy = Exclude<Adapter, 'embedded'>
const PROXIES = ['nginx', 'haproxy', 'caddy'] as const satisfies readonly Proxy[]

export interface ProxyWorld {
  readonly launcher: string
  readonly target: Pick<Target, 'http' | 'token'>
  /** Name of the zone. */
  readonly zone: string
  readonly edge: RunningEdge
  readonly originPort: number
  readonly folder: string
  /** How long proxies wait for the edge, in milliseconds: other suites use the machine as well. */
  readonly waitMillis?: number
  /** Further options of `edge config`. */
  readonly flags?: readonly string[]
  /** Default: all. */
  readonly only?: readonly Proxy[]
}

export interface RunningProxies {
  readonly portOf: (adapter: Adapter) => number
  /** undefined for the embedded proxy, which is the edge itself. */
  readonly pidOf: (adapter: Adapter) => number | undefined
  readonly stop: () => Promise<void>
}

/** Caddy waits for open connections. */
const END_MILLIS = 1_000

/** Starts all of them, and waits until each accepts connections. */
export async function startProxies(world: ProxyWorld): Promise<RunningProxies> {
  const children: ChildProcess[] = []
  const ports = new Map<Adapter, number>([['embedded', world.edge.proxy]])
  const pids = new Map<Adapter, number>()
  const stop = async (): Promise<void> => {
    // Killed at once, nginx would leave its workers behind.
    for (const child of children) await endWithin(child, END_MILLIS)
  }
  try {
    for (const proxy of world.only ?? PROXIES) {
      const port = await freePort()
      const child = await startProxy(proxy, port, world)
      children.push(child)
      ports.set(proxy, port)
      if (child.pid !== undefined) pids.set(proxy, child.pid)
      await untilListening(proxy, port)
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { portOf: (adapter) => ports.get(adapter) ?? 0, pidOf: (adapter) => pids.get(adapter), stop } // all of them run
}

export const untilListening = (proxy: Proxy, port: number): Promise<void> =>
  until(
    () => accepts(port),
    () => `${proxy} does not listen`,
  )

async function startProxy(proxy: Proxy, port: number, world: ProxyWorld): Promise<ChildProcess> {
  const folder = join(world.folder, `behind-${proxy}`)
  mkdirSync(folder, { recursive: true })
  return spawnProxy(proxy, await writeConfiguration(proxy, port, folder, world), folder)
}

/** @param file of the form that `edge config` writes. */
export function spawnProxy(proxy: Proxy, file: string, folder: string): ChildProcess {
  const homes = ['HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'].map((name) => `${name}=${folder}`)
  const child = spawn('/usr/bin/env', [...homes, proxy, ...commandOf(proxy, file, folder)], {
    stdio: 'ignore',
  })
  child.on('error', () => undefined) // seen as a proxy that does not listen
  return child
}

/** The file as a user writes it, checked by the proxy. */
async function writeConfiguration(
  proxy: Proxy,
  port: number,
  folder: string,
  { launcher, target, zone, edge, originPort, waitMillis = 10_000, flags = [] }: ProxyWorld,
): Promise<string> {
  const file = join(folder, proxy)
  const address = (at: number): string => `127.0.0.1:${at}`
  const listeners = ['--decisions', address(edge.decisions), '--spop', address(edge.spop)]
  const sides = ['--listen', address(port), '--origin', address(originPort)]
  const args = ['edge', 'config', proxy, '--zone', zone, ...sides, ...listeners, '--output', file, ...flags]
  const env = { ZONEREEVE_URL: `${target.http}/client/v4`, ZONEREEVE_TOKEN: target.token }
  const written = await run(launcher, args, { env })
  if (!written.ok) throw new Error(`edge config ${proxy} failed\n${written.output}`)
  for (const path of proxy === 'haproxy' ? [file, `${file}.spoe`] : [file]) waitLonger(path, waitMillis)
  return file
}

function waitLonger(path: string, waitMillis: number): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replaceAll(
      /((?:proxy_connect_timeout|proxy_read_timeout|timeout processing|dial_timeout|response_header_timeout) )\d+ms/g,
      `$1${waitMillis}ms`,
    ),
  )
}

/** Debian's proxies read more files; these read only the written one. */
function commandOf(proxy: Proxy, file: string, folder: string): readonly string[] {
  const whole = `${file}.whole`
  if (proxy === 'haproxy') return ['-db', '-f', file]
  if (proxy === 'caddy') {
    writeFileSync(whole, `{\n    admin off\n}\nimport ${file}\n`)
    return ['run', '--config', whole, '--adapter', 'caddyfile']
  }
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    whole,
    `daemon off; pid ${folder}/pid; events {} http { access_log off; ${paths.join(' ')} include ${file}; }`,
  )
  return ['-p', folder, '-c', whole, '-e', join(folder, 'error.log')]
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** A reply, as far as these suites look at it. */
export interface RawReply {
  /** 0 if the proxy closed the connection without one. */
  readonly status: number
  readonly text: string
}

/** Sends octets as they are. The request must end the connection with its response. */
export function exchange(port: number, octets: Uint8Array): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.on('error', (error) => (text === '' ? reject(error) : undefined))
    socket.setTimeout(60_000, () => socket.destroy(new Error('no response within a minute')))
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.\d (\d{3})/.exec(text)?.[1] ?? 0), text })) // as declared
    socket.write(octets)
  })
}
