// Starts and stops the real program. Other suites know only what it listens on.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run } from '../scripts/process.ts'
import { parseDnsAddress, type DnsAddress } from './dns-client.ts'

export interface Target {
  /** Base URL without a path: http://127.0.0.1:8080 */
  readonly http: string
  readonly dns: DnsAddress
  readonly token: string
  /** Whether it was started with the nameserver that scans are to ask. */
  readonly hasScanServer?: boolean
}

export interface Program extends Target {
  readonly pid: number
  /** What is encrypted, where the program was started with a certificate. */
  readonly encrypted: { readonly tls: DnsAddress | undefined; readonly https: string | undefined }
  /** Milliseconds from start to the ready line. */
  readonly readyAfterMs: number
  /** Sends SIGTERM and waits. @throws if the program does not end with code 0. */
  readonly stop: () => Promise<void>
  /** Sends SIGKILL and waits. */
  readonly kill: () => Promise<void>
}

export interface StartOptions {
  /** A program that becomes ours by exec, as taskset does: the process keeps its id. */
  readonly prefix?: readonly string[]
  /** HOST:PORT of the nameserver that scans are to ask. */
  readonly scanServer?: string
  /** Scripts are fetched, from this machine too; none are where it is not said. */
  readonly fetchesScripts?: boolean
  /** Further settings, `--name value`. */
  readonly flags?: readonly string[]
}

export const ADMIN_TOKEN = 'acceptance-administrator-token-0123456789ab'

const root = fileURLToPath(new URL('..', import.meta.url))
const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000

export const onFreePorts = ['--http', '127.0.0.1:0', '--dns', '127.0.0.1:0'] as const

/** Nothing but this machine has a name that these suites use. */
const FETCH_FROM_LOOPBACK = [
  '--fetch-networks',
  '127.0.0.0/8,::1',
  '--fetch-ports',
  'any',
  '--resolver',
  'off',
]

/** The launcher in this repository, which runs the TypeScript source. */
export const sourceProgram = join(root, 'packages/server/bin/zonereeve.js')

export function temporaryFolder(purpose: string): string {
  return mkdtempSync(join(tmpdir(), `zonereeve-${purpose}-`))
}

/** Packs the program, installs the package into the empty `folder` and returns its launcher. */
export async function installPackedProgram(folder: string): Promise<string> {
  const environment = {
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
  }
  const npm = async (cwd: string, ...args: string[]): Promise<void> => {
    const finished = await run('npm', args, { cwd, env: environment })
    if (!finished.ok) throw new Error(`npm ${args.join(' ')} failed\n${finished.output}`)
  }
  await npm(root, 'pack', '--workspace', 'zonereeve', '--pack-destination', folder)
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (archive === undefined) throw new Error('npm pack wrote no archive')
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  await npm(folder, 'install', join(folder, archive))
  return join(folder, 'node_modules/.bin/zonereeve')
}

/** Starts `launcher serve` on free loopback ports and waits until it is ready. */
export function startServer(
  launcher: string,
  dataFolder: string,
  options: StartOptions = {},
): Promise<Program> {
  const { scanServer, fetchesScripts = false, flags: given = [] } = options
  const scanFlags = scanServer === undefined ? [] : ['--scan-servers', scanServer]
  const fetchFlags = fetchesScripts ? FETCH_FROM_LOOPBACK : ['--script-fetches', '0']
  const flags = [...onFreePorts, '--data', dataFolder, ...scanFlags, ...fetchFlags, ...given]
  return startProgram(launcher, ['serve', ...flags], options)
}

/** Starts any verb that ends in a ready line. */
export async function startProgram(
  launcher: string,
  args: readonly string[],
  { prefix = [], scanServer }: StartOptions = {},
): Promise<Program> {
  const began = performance.now()
  const [command = launcher, ...rest] = [...prefix, launcher, ...args]
  const child = spawn(command, rest, {
    cwd: tmpdir(),
    env: { ...process.env, ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { http, dns, tls, https } = await readyLine(child)
  return {
    http,
    dns: parseDnsAddress(dns),
    encrypted: { tls: tls === undefined ? undefined : parseDnsAddress(tls), https },
    token: ADMIN_TOKEN,
    hasScanServer: scanServer !== undefined,
    pid: child.pid ?? 0,
    readyAfterMs: performance.now() - began,
    stop: () => stop(child),
    kill: async () => {
      child.kill('SIGKILL')
      await exited(child)
    },
  }
}

interface Ready {
  readonly http: string
  readonly dns: string
  readonly tls: string | undefined
  readonly https: string | undefined
}

async function readyLine(child: ChildProcess): Promise<Ready> {
  let output = ''
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    log = (log + chunk).slice(-4000)
  })
  const ready = new Promise<Ready>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) =>
      reject(new Error(`the program ended (${code ?? signal}) before it was ready\n${output}${log}`)),
    )
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-4000)
      const [, http, dns, rest] = /^ready http=(\S+) dns=(\S+)(.*)\n/m.exec(output) ?? []
      if (http === undefined || dns === undefined) return
      const [, tls] = / dns-tls=(\S+)/.exec(rest ?? '') ?? []
      const [, https] = / dns-https=(\S+)/.exec(rest ?? '') ?? []
      resolve({ http, dns, tls, https })
    })
  })
  const timer = new AbortController()
  const tooLate = sleep(READY_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
    child.kill('SIGKILL')
    throw new Error(`no ready line within ${READY_TIMEOUT_MS} ms\n${output}${log}`)
  })
  try {
    return await Promise.race([ready, tooLate])
  } finally {
    timer.abort()
  }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exited(child)
  clearTimeout(timer)
  if (child.exitCode !== 0)
    throw new Error(`the program ended with ${child.exitCode ?? child.signalCode}, not 0`)
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
