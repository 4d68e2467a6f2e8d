// npm run bench -- <name> [options]: runs bench/<name>.ts, both sides in one run, ratios printed.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleInto } from '../scripts/build.ts'

const directory = fileURLToPath(new URL('.', import.meta.url))
const names = readdirSync(directory)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
const [name, ...options] = process.argv.slice(2)

/**
 * What these measure runs in their own process, so they are bundled as the program is: code that is compiled while it is
 * loaded is slower.
 */
const BUNDLED = new Set(['rulesets'])

async function commandFor(bench: string): Promise<readonly [program: string, ...args: string[]]> {
  const source = join(directory, `${bench}.bench.ts`)
  if (!BUNDLED.has(bench)) return ['npx', 'tsx', source]
  const folder = join(directory, 'dist')
  await bundleInto(folder, { [bench]: source }, { write: true })
  return [process.execPath, join(folder, `${bench}.js`)]
}

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- <name> [options]\nnames: ${names.join(', ')}`)
  process.exitCode = 2
} else {
  const [program, ...args] = await commandFor(name)
  const run = spawnSync(program, [...args, ...options], { stdio: 'inherit' })
  process.exitCode = run.status ?? 1
}
