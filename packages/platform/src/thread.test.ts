// A thread that needs too much memory ends alone. V8 would end this process.
import { expect, test } from 'vitest'
import { startThread } from './thread.ts'
import { threadFile } from './worker-file.ts'

const MAX_HEAP_MIB = 64

/** Does one step after the other, and other work of the event loop between them. */
function threadOf(state: string, step: string): URL {
  const { href } = threadFile('./thread-memory', import.meta.url)
  const source = new URL('./thread-memory.ts', import.meta.url).href
  const code = `import { parentPort } from 'node:worker_threads'
    await import(${JSON.stringify(href)}) // what reads TypeScript
    const { endIfMemoryIsUsedUp } = await import(${JSON.stringify(source)})
    endIfMemoryIsUsedUp()
    ${state}
    let steps = 0
    const run = () => {
      ${step}
      if (++steps < 2_000) setImmediate(run)
      else parentPort.postMessage('done')
    }
    run()`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

const GROWING: readonly (readonly [string, string, string])[] = [
  ['an array', 'const all = []', 'for (let index = 0; index < 1e5; index += 1) all.push({ index })'],
  ['a map', 'const all = new Map()', 'for (let index = 0; index < 1e5; index += 1) all.set({}, steps)'],
  [
    'arrays',
    'const all = []',
    'for (let index = 0; index < 1e3; index += 1) all.push(new Array(1e3).fill(0))',
  ],
  ['a large array at a time', 'const all = []', 'all.push(new Array(2e6).fill(0.5))'],
  [
    'strings',
    'const all = []',
    'for (let index = 0; index < 1e4; index += 1) all.push(`${index}`.padEnd(200))',
  ],
]

test.each(GROWING)('%s', async (_, state, step) => {
  const options = { file: threadOf(state, step), maxHeapMib: MAX_HEAP_MIB }
  const thread = startThread('a thread that needs more and more memory', options)
  await expect(thread.next()).rejects.toMatchObject({
    cause: { message: `the thread uses more than ${MAX_HEAP_MIB} MiB` },
  })
})

test('memory that is no longer used does not count', async () => {
  const step = 'for (let index = 0; index < 1e3; index += 1) all[index] = new Array(100).fill(steps)' // 1.6 GB in all
  const options = { file: threadOf('const all = []', step), maxHeapMib: MAX_HEAP_MIB }
  const thread = startThread('a thread that replaces what it has', options)
  expect(await thread.next()).toBe('done')
  thread.end(new Error('done'))
})
