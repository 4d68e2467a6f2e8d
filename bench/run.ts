// npm run bench -- <name> [options]: runs bench/<name>.ts, both sides in one run, ratios printed.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const directory = fileURLToPath(new URL('.', import.meta.url))
const names = readdirSync(directory)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
const [name, ...options] = process.argv.slice(2)

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- <name> [options]\nnames: ${names.join(', ')}`)
  process.exitCode = 2
} else {
  const run = spawnSync('npx', ['tsx', `${directory}${name}.bench.ts`, ...options], { stdio: 'inherit' })
  process.exitCode = run.status ?? 1
}
