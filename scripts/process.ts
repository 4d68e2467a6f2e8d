// Runs programs for the other scripts: keeps the whole output, measures time, never uses a shell.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export const searchPath = [process.env['PATH'] ?? '', '/usr/sbin', '/sbin'].join(delimiter)

export interface Finished {
  readonly ok: boolean
  readonly output: string
  readonly seconds: number
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Also prints the output as it arrives; it is returned in any case. */
  readonly show?: boolean
}

/** Runs a program to its end. A program that cannot be started counts as failed. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const began = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, PATH: searchPath, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const finish = (ok: boolean): void => resolve({ ok, output, seconds: (performance.now() - began) / 1000 })
    const collect = (chunk: string): void => {
      output += chunk
      if (options.show === true) process.stdout.write(chunk)
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', (error) => {
      output += `${command}: ${error.message}\n`
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}

/** Runs at most `limit` jobs at a time; results are in the order of the list. */
export async function inParallel<T>(limit: number, jobs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index]
      if (job !== undefined) results[index] = await job()
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  return results
}

/** Whether a program can be run by its name. Debian keeps daemons in sbin, which is not on every PATH. */
export function isOnPath(program: string): boolean {
  return searchPath.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
