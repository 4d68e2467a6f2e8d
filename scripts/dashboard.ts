// Builds the dashboard into packages/server/dist/dashboard. As a program: only if it is missing or older than its
// sources, so that a fresh checkout serves it with `npm run demo`.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const config = join(root, 'packages/dashboard/vite.config.ts')
/** Beside the files: the digest of the sources that they were built from. */
const stamp = join(root, 'packages/server/dist/dashboard/.sources')

/** What the built files depend on. */
const SOURCES = ['packages/dashboard', 'packages/dns/src', 'package-lock.json']

/** @throws Error with the output of Vite if it fails. */
export async function buildDashboard(): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const finished = await run(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'])
  if (!finished.ok) throw new Error(`the dashboard was not built\n${finished.output}`)
  writeFileSync(stamp, digestOfSources())
}

const isCurrent = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfSources()

function digestOfSources(): string {
  const digest = createHash('sha256')
  for (const path of SOURCES.flatMap((source) => filesOf(join(root, source))).toSorted())
    digest.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return digest.digest('hex')
}

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !isCurrent()) {
  const began = performance.now()
  await buildDashboard()
  console.error(`built the dashboard in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}
