#!/usr/bin/env node
// Starts the program: from its TypeScript source in the repository, from the bundle in the published package.
import { existsSync, readFileSync } from 'node:fs'

const source = new URL('../src/main/cli.ts', import.meta.url)
const bundle = new URL('../dist/cli.js', import.meta.url)
/** What loading the program and opening a database takes, without connections. */
const LEAST_OPEN_FILES = 256

if (openFileLimit() < LEAST_OPEN_FILES) refuseToStart()
else {
  const main = await importMain()
  // Output that could not be written has made it a failure already.
  process.exitCode = (await main?.(process.argv.slice(2))) || process.exitCode
}

async function importMain() {
  try {
    const { main } = existsSync(source) ? await importSource() : await import(bundle.href)
    return main
  } catch (error) {
    if (error?.code !== 'EMFILE') throw error
    refuseToStart()
  }
}

function refuseToStart() {
  process.exitCode = 1
  process.stderr.write(
    `zonereeve: this process may open too few files to start: allow at least ${LEAST_OPEN_FILES} (ulimit -n ${LEAST_OPEN_FILES}, LimitNOFILE=${LEAST_OPEN_FILES})\n`,
  )
}

async function importSource() {
  const { register } = await import('tsx/esm/api')
  register()
  return import(source.href)
}

/**
 * Asked before anything is loaded: an import that finds no free file fails with any of several errors, some of
 * which name a missing package. Infinity where the system does not tell (there is no /proc).
 */
function openFileLimit() {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
