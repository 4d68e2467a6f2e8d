// Runs every command that the README marks as runnable, in a fresh clone, and compares its output with the one shown.
//
//   ```sh run               one bash script, which must end with code 0
//   ```sh run=background    stays running until the last block has ended; the others wait for its "ready" line
//   ```text expect          output of the block before it: each of its lines must be printed, … stands for any text
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run } from './process.ts'
import { readmeBlocks, unprintedLine, type ReadmeBlock } from './readme-blocks.ts'

const BLOCK_LIMIT_MS = 300_000

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-readme-'))
const clone = join(folder, 'zonereeve')
const variables = join(folder, 'variables')
const running: ChildProcess[] = []
let failed = 0

const blocks = readmeBlocks(readFileSync(join(root, 'README.md'), 'utf8'))
try {
  const cloned = await run('git', ['clone', '--quiet', root, clone])
  if (!cloned.ok) throw new Error(cloned.output)
  for (const block of blocks) await perform(block)
} finally {
  await Promise.all(running.map(end))
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${blocks.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && blocks.length > 0 ? 0 : 1

async function perform(block: ReadmeBlock): Promise<void> {
  const began = performance.now()
  const { problem, output } = await (block.background ? startInBackground(block) : runToEnd(block))
  const missing = problem ?? unprinted(block, output)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const title = `README.md:${block.line}  ${block.script.trim().split('\n')[0]}`
  console.log(`${missing === undefined ? 'ok   ' : 'FAIL '} ${title}  (${seconds} s)`)
  if (missing === undefined) return
  failed++
  console.log(`${missing}\n${output}`.trimEnd().replaceAll(/^/gm, '      '))
}

function unprinted(block: ReadmeBlock, output: string): string | undefined {
  const line = unprintedLine(block.expected, output)
  return line === undefined ? undefined : `did not print: ${line}`
}

/** What one block exports, the next one sees, as in a terminal. */
async function runToEnd(block: ReadmeBlock): Promise<{ problem?: string; output: string }> {
  const prelude = `set -eo pipefail; [ ! -e '${variables}' ] || . '${variables}'; trap 'export -p > ${variables}' EXIT`
  const finished = await run(
    'timeout',
    [String(BLOCK_LIMIT_MS / 1000), 'bash', '-c', `${prelude}\n${block.script}`],
    {
      cwd: clone,
    },
  )
  return finished.ok
    ? { output: finished.output }
    : { problem: 'ended with an error', output: finished.output }
}

async function startInBackground(block: ReadmeBlock): Promise<{ problem?: string; output: string }> {
  const child = spawn('bash', ['-ec', block.script], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let output = ''
  const collect = (chunk: string): void => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const limit = performance.now() + BLOCK_LIMIT_MS
  while (!/^ready /m.test(output)) {
    if (child.exitCode !== null) return { problem: `ended (${child.exitCode}) before it was ready`, output }
    if (performance.now() > limit) return { problem: 'was never ready', output }
    await sleep(20)
  }
  await sleep(200) // what it prints after the ready line
  return { output }
}

/** Ends the whole group that a background block started: the shell, npm and the server. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  process.kill(-child.pid, 'SIGTERM')
  await once(child, 'exit')
}
