// Builds the dashboard into packages/server/dist/dashboard. As a program: only if it is missing or older than its
// sources, so that a fresh checkout serves it with `npm run demo`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './process.ts'
import { digestOfFiles, isStamped } from './source-digest.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const config = join(root, 'packages/dashboard/vite.config.ts')
/** Beside the files: the digest of the sources that they were built from. */
const stamp = join(root, 'packages/server/dist/dashboard/.sources')

/** What the built files depend on. */
const SOURCES = [
  'packages/dashboard',
  'packages/dns/src',
  'packages/firewall/src/recorded-requests.ts',
  'package-lock.json',
]

/** @throws Error with the output of Vite if it fails. */
export async function buildDashboard(): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const finished = await run(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'])
  if (!finished.ok) throw new Error(`the dashboard was not built\n${finished.output}`)
  writeFileSync(stamp, digestOfFiles(SOURCES))
}

/** Does nothing if the built files belong to the current sources. */
export async function buildStaleDashboard(): Promise<void> {
  if (isStamped(stamp, SOURCES)) return
  const began = performance.now()
  await buildDashboard()
  console.error(`built the dashboard in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildStaleDashboard()
