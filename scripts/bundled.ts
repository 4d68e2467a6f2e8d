// Builds the program into packages/server/dist if it is older than its sources. A fresh checkout then starts with
// `npm run demo` from JavaScript, in a third of the time that compiling while loading takes; so do the tests that start
// the program or its worker threads (vitest calls setup() once). As a program: builds the dashboard, too.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { bundle } from './build.ts'
import { buildStaleDashboard } from './dashboard.ts'
import { digestOfFiles, isStamped } from './source-digest.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'packages/server/dist/.sources')

/** Everything but the dashboard, which has its own stamp, except for what serves it. */
const packages = readdirSync(join(root, 'packages')).filter((name) => name !== 'dashboard')
const SOURCES = [
  ...packages.map((name) => `packages/${name}/src`),
  'packages/dashboard/src/served',
  'scripts/build.ts',
  'package-lock.json',
]

/** @param vitest in which the program is built again before tests are run again. */
export async function setup(vitest?: TestProject): Promise<void> {
  vitest?.onTestsRerun(buildIfStale)
  await buildIfStale()
}

/** Does nothing if the built files belong to the current sources. */
async function buildIfStale(): Promise<void> {
  if (isStamped(stamp, SOURCES)) return
  const began = performance.now()
  const digest = digestOfFiles(SOURCES) // before: what is edited meanwhile may not be in the program
  await bundle({ write: true })
  writeFileSync(stamp, digest)
  console.error(`built the program in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildIfStale()
  await buildStaleDashboard()
}
