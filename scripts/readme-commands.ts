// Runs every command that the README and pages of docs/ mark as runnable, in a fresh clone with one terminal per page,
// and compares its output with the output shown.
//
//   ```sh run               one bash script, which must end with code 0
//   ```sh run=background    stays running until the last block has ended; the others wait for its "ready" line
//   ```text expect          expected output of the block before it: each line must be printed; … matches any text
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
/** Its program is in the PATH, and INSTALLATION says what stands for what it names. */
const PAGE_OF_INSTALLATION = 'docs/operations.md'
/** In reading order: the first page starts the demo server that all pages use. */
const PAGES = ['README.md', 'docs/migration.md', PAGE_OF_INSTALLATION] as const

/** What the page names, and what stands for it in the clone. */
const INSTALLATION: readonly (readonly [named: string, here: string])[] = [
  ['https://dns.example.com', 'http://127.0.0.1:8080'],
  ['https://api.example.com/client/v4', '"$API"'],
  ['ZONEREEVE_SOURCE_TOKEN=…', 'ZONEREEVE_SOURCE_TOKEN=$TOKEN'],
  ['127.0.0.1:53 ', '127.0.0.1:5353 '],
  ['/var/lib/zonereeve', '"$DATA"'],
]

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-readme-'))
const clone = join(folder, 'zonereeve')
const variables = join(folder, 'variables')
const running: ChildProcess[] = []
/** Environment of a user's terminal: no npm variables of this script's own run, except how to reach the registry. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_|INIT_CWD$|ZONEREEVE_)/.test(name) ||
      /^npm_config_(registry|cafile|cache|\w*proxy)$/.test(name),
  ),
)
environment['XDG_CONFIG_HOME'] = join(folder, 'config')
let failed = 0

interface Outcome {
  readonly problem?: string
  readonly output: string
}

const blocks = PAGES.flatMap((page) =>
  readmeBlocks(readFileSync(join(root, page), 'utf8')).map((block) => ({
    ...block,
    page,
    title: `${page}:${block.line}  ${block.script.trim().split('\n')[0]}`,
    script: page === PAGE_OF_INSTALLATION ? asInstalled(block.script) : block.script,
  })),
)
const pagesWithout = PAGES.filter((page) => !blocks.some((block) => block.page === page))
if (pagesWithout.length > 0) throw new Error(`nothing to run in ${pagesWithout.join(', ')}`)
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

async function perform(block: ReadmeBlock & { readonly title: string }): Promise<void> {
  const began = performance.now()
  const { problem, output } = await (block.background ? startInBackground(block) : runToEnd(block))
  const missing = problem ?? unprinted(block, output)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${missing === undefined ? 'ok   ' : 'FAIL '} ${block.title}  (${seconds} s)`)
  if (missing === undefined) return
  failed++
  console.log(`${missing}\n${output}`.trimEnd().replaceAll(/^/gm, '      '))
}

function asInstalled(script: string): string {
  const here = INSTALLATION.reduce((text, [named, own]) => text.replaceAll(named, own), script)
  return `PATH="$PWD/node_modules/.bin:$PATH"\n${here}`
}

function unprinted(block: ReadmeBlock, output: string): string | undefined {
  const line = unprintedLine(block.expected, output)
  return line === undefined ? undefined : `did not print: ${line}`
}

/** Variables exported by one block are visible in the next, as in a terminal. */
async function runToEnd(block: ReadmeBlock): Promise<Outcome> {
  const keep = `trap 'export -p > ${variables}' EXIT`
  const child = start(`[ ! -e '${variables}' ] || . '${variables}'; ${keep}\n${block.script}`)
  const timer = setTimeout(() => void end(child.process), BLOCK_LIMIT_MS)
  if (child.process.exitCode === null) await once(child.process, 'exit')
  clearTimeout(timer)
  const { exitCode } = child.process
  await end(child.process) // ends what the block left running in the background
  return exitCode === 0
    ? { output: child.output() }
    : { problem: `ended with ${exitCode}`, output: child.output() }
}

async function startInBackground(block: ReadmeBlock): Promise<Outcome> {
  const child = start(block.script)
  running.push(child.process)
  const limit = performance.now() + BLOCK_LIMIT_MS
  while (!/^ready /m.test(child.output())) {
    const { exitCode } = child.process
    if (exitCode !== null)
      return { problem: `ended with ${exitCode} before it was ready`, output: child.output() }
    if (performance.now() > limit) return { problem: 'was not ready in time', output: child.output() }
    await sleep(20)
  }
  await sleep(200) // time to print the lines after the ready line
  return { output: child.output() }
}

/** Starts a block in its own process group, so that all its child processes can be ended with it. */
function start(script: string): { readonly process: ChildProcess; readonly output: () => string } {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: clone,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: string): void => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  return { process: child, output: () => output }
}

/** Ends a block's process group: the shell, npm, and the server if it still runs. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGTERM')
  } catch {
    return // no process is left in the group
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
