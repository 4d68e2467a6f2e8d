// Starts and stops the real program. Other suites know only its addresses.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setup as buildStaleProgram } from '../scripts/bundled.ts'
import { run } from '../scripts/process.ts'
import { endWithin } from './child-end.ts'
import { parseDnsAddress, type DnsAddress } from './dns-client.ts'

export interface Target {
  /** Base URL without a path: http://127.0.0.1:8080 */
  readonly http: string
  readonly dns: DnsAddress
  readonly token: string
  /** Whether it was started with a nameserver for scans to query. */
  readonly hasScanServer?: boolean
}

export interface Program extends Target {
  readonly pid: number
  /** Encrypted listeners, if the program was started with a certificate. */
  readonly encrypted: { readonly tls: DnsAddress | undefined; readonly https: string | undefined }
  /** Milliseconds from the start to the ready line. */
  readonly readyAfterMs: number
  /** Sends SIGTERM and waits. @throws if the program does not exit with code 0. */
  readonly stop: () => Promise<void>
  /** Sends SIGKILL and waits. */
  readonly kill: () => Promise<void>
}

export interface StartOptions {
  /** A wrapper that replaces itself by our program with exec, like taskset: the process keeps its id. */
  readonly prefix?: readonly string[]
  /** HOST:PORT of the nameserver that scans query. */
  readonly scanServer?: string
  /** If true, scripts are fetched, also from this machine; by default no scripts are fetched. */
  readonly fetchesScripts?: boolean
  /** Further settings, `--name value`. */
  readonly flags?: readonly string[]
  /** Log file; by default the log goes into the error of a failed start. */
  readonly logFile?: string
  /** Time limit for the ready line, in milliseconds: a start reads the whole database. */
  readonly readyWithinMs?: number
  /** Called with each chunk that the program writes to stderr. */
  readonly onLog?: (text: string) => void
}

export const ADMIN_TOKEN = 'acceptance-administrator-token-0123456789ab'

const root = fileURLToPath(new URL('..', import.meta.url))
const READY_TIMEOUT_MS = 120_000
/** As the unit for systemd waits. */
const STOP_TIMEOUT_MS = 30_000

export const onFreePorts = ['--http', '127.0.0.1:0', '--dns', '127.0.0.1:0'] as const

/** Clients with the vendor's host name built in send requests with that name. */
const asVendorHost = ['--allowed-hosts', 'api.cloudflare.com'] as const

/** All names that these suites use belong to this machine. */
const FETCH_FROM_LOOPBACK = [
  '--fetch-networks',
  '127.0.0.0/8,::1',
  '--fetch-ports',
  'any',
  '--resolver',
  'off',
]

/**
 * The program of this checkout; startProgram() builds it if it is older than its sources. Each start from TypeScript would
 * take ten seconds of a processor.
 */
export const builtProgram = join(root, 'packages/server/dist/start.js')

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
  // No script of a dependency has to run.
  await npm(folder, 'install', '--ignore-scripts', join(folder, archive))
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
  const flags = [...onFreePorts, ...asVendorHost, '--data', dataFolder, ...scanFlags, ...fetchFlags, ...given]
  return startProgram(launcher, ['serve', ...flags], options)
}

/** Starts any verb that prints a ready line. */
export async function startProgram(
  launcher: string,
  args: readonly string[],
  { prefix = [], scanServer, logFile, readyWithinMs = READY_TIMEOUT_MS, onLog }: StartOptions = {},
): Promise<Program> {
  if (launcher === builtProgram) await buildStaleProgram()
  const began = performance.now()
  const [command = launcher, ...rest] = [...prefix, launcher, ...args]
  const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a')
  const child = spawn(command, rest, {
    cwd: tmpdir(),
    env: { ...process.env, ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    stdio: ['ignore', 'pipe', log],
  })
  if (log !== 'pipe') closeSync(log) // the child has its own
  if (onLog !== undefined) child.stderr?.setEncoding('utf8').on('data', onLog)
  const { http, dns, tls, https } = await readyLine(child, readyWithinMs)
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

async function readyLine(child: ChildProcess, withinMs: number): Promise<Ready> {
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
  const tooLate = sleep(withinMs, undefined, { signal: timer.signal }).then(() => {
    child.kill('SIGKILL')
    throw new Error(`no ready line within ${withinMs} ms\n${output}${log}`)
  })
  try {
    return await Promise.race([ready, tooLate])
  } finally {
    timer.abort()
  }
}

async function stop(child: ChildProcess): Promise<void> {
  await endWithin(child, STOP_TIMEOUT_MS)
  if (child.exitCode !== 0)
    throw new Error(`the program ended with ${child.exitCode ?? child.signalCode}, not 0`)
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
