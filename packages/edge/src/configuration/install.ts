// Replaces the configuration of a proxy: only with one that the proxy's own checker accepts, in one step, and with at
// most one reload a minute.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProxyName, WrittenConfiguration } from './proxy-configuration.ts'

const RELOAD_INTERVAL_MILLIS = 60_000
/** The exit code of env(1). */
const NOT_FOUND = 127
/** Of a program that a signal ended. */
const KILLED = 128

export interface InstallOptions {
  readonly proxy: ProxyName
  /** Path of the main file. */
  readonly path: string
  /** @param at path of the main file: a check uses another one. */
  readonly configurationAt: (at: string) => WrittenConfiguration
  /** A command for the shell; undefined: the proxy is not reloaded. */
  readonly reload: string | undefined
  readonly now?: () => number
  /** @param millis how long to wait before a reload. */
  readonly wait?: (millis: number) => Promise<unknown>
}

export interface Installed {
  readonly isChanged: boolean
  readonly isReloaded: boolean
}

/**
 * Checks a configuration, replaces the old one and reloads the proxy. Nothing is done if nothing has changed since
 * the last reload.
 *
 * @throws Error if the checker is missing or refuses the configuration: nothing was changed; or if the reload fails.
 */
export async function installConfiguration(options: InstallOptions): Promise<Installed> {
  const { proxy, path, configurationAt, reload } = options
  const { main, other } = configurationAt(path)
  const files: (readonly [path: string, text: string])[] = [[path, main]]
  if (other !== undefined) files.unshift([path + other.suffix, other.text])
  const areSame = await Promise.all(files.map(([file, text]) => hasText(file, text)))
  const isChanged = areSame.includes(false)
  if (isChanged) {
    await check(proxy, configurationAt)
    for (const [file, text] of files) {
      await writeFile(`${file}.new`, text, { flush: true })
      await rename(`${file}.new`, file)
    }
  }
  if (reload === undefined) return { isChanged, isReloaded: false }
  return { isChanged, isReloaded: await reloadOnce(options, reload) }
}

/** @returns false if the proxy was reloaded since the file has changed. */
async function reloadOnce(
  { path, now = Date.now, wait = delay }: InstallOptions,
  command: string,
): Promise<boolean> {
  const stamp = `${path}.reloaded`
  if (existsSync(stamp)) {
    const [reloaded, written] = [(await stat(stamp)).mtimeMs, (await stat(path)).mtimeMs]
    if (reloaded >= written) return false
    const since = now() - reloaded
    if (since >= 0 && since < RELOAD_INTERVAL_MILLIS) await wait(RELOAD_INTERVAL_MILLIS - since)
  }
  const { code, output } = await run('/bin/sh', ['-c', command])
  if (code !== 0)
    throw new Error(`the new configuration is in ${path}, but the reload failed (${command}): ${output}`)
  await writeFile(stamp, '')
  return true
}

const hasText = async (path: string, text: string): Promise<boolean> =>
  existsSync(path) && (await readFile(path, 'utf8')) === text

/** @throws Error with the words of the checker. */
async function check(proxy: ProxyName, configurationAt: InstallOptions['configurationAt']): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zonereeve-edge-config-'))
  try {
    const path = join(folder, 'configuration')
    const { main, other } = configurationAt(path)
    await writeFile(path, main)
    if (other !== undefined) await writeFile(path + other.suffix, other.text)
    const [program, args] = await checkerOf(proxy, folder, path)
    // Caddy writes to its home.
    const places = [`HOME=${folder}`, `XDG_DATA_HOME=${folder}`, `XDG_CONFIG_HOME=${folder}`]
    const { code, output } = await run('/usr/bin/env', [...places, program, ...args])
    if (code === NOT_FOUND)
      throw new Error(`${program} is not installed here to check the configuration; nothing was changed`)
    if (code !== 0) throw new Error(`${program} refuses the configuration; nothing was changed:\n${output}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkerOf(
  proxy: ProxyName,
  folder: string,
  path: string,
): Promise<readonly [program: string, args: readonly string[]]> {
  if (proxy === 'haproxy') return [proxy, ['-c', '-q', '-f', path]]
  if (proxy === 'caddy') return [proxy, ['validate', '--config', path, '--adapter', 'caddyfile']]
  // Only a whole configuration can be checked; the file is a part of the http block.
  const whole = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const http = `http { access_log off; ${paths.join(' ')} include ${path}; }`
  await writeFile(whole, `pid ${folder}/pid; events {} ${http}\n`)
  return [proxy, ['-t', '-q', '-p', folder, '-c', whole, '-e', join(folder, 'error.log')]]
}

function run(
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ code: code ?? KILLED, output: output.trim() || String(signal) }),
    )
  })
}
