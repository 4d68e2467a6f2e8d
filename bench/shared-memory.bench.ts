// What processes that share memory cost, and what survives when the one that writes it ends (ADR 60). Look-ups in a plain
// hash table of a million entries: over a SharedArrayBuffer, over a mapped file, and over that file in a child process.
// Then the writer is killed, or its heap is filled.
import { fork, spawnSync } from 'node:child_process'
import { ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import koffi from 'koffi'
import { machineClass } from './measure.ts'

const ENTRIES = 1_000_000
const PLACES = 2 ** 21
const OCTETS = PLACES * 8
const HEAP_MIB = 200
/** A prime that does not divide the number of entries: visits each once. */
const STRIDE = 7919
const SELF = fileURLToPath(import.meta.url)
const [role, file = ''] = process.argv.slice(2)

if (role === 'reader') read()
else if (role === 'killed' || role === 'full') await write(role)
else compare()

/** Runs a writer that is killed, and one whose heap is filled. */
function compare(): void {
  console.log(`${machineClass()}, koffi ${koffi.version}; CPU time per look-up`)
  for (const end of ['killed', 'full']) {
    const folder = mkdtempSync(join(tmpdir(), 'shared-memory-'))
    const args = [`--max-old-space-size=${HEAP_MIB}`, '--import', 'tsx', SELF, end, join(folder, 'pages')]
    const { signal } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'ignore'] })
    console.log(`the writer ended with ${signal}`)
    rmSync(folder, { recursive: true })
  }
}

async function write(end: 'killed' | 'full'): Promise<void> {
  ftruncateSync(openSync(file, 'w+'), OCTETS)
  const shared = new SharedArrayBuffer(OCTETS)
  const tables = { SharedArrayBuffer: shared, 'mapped file': mapped(file) }
  for (const [title, buffer] of Object.entries(tables)) {
    fill(new Int32Array(buffer))
    console.log(`same thread, ${title}: ${best(new Int32Array(buffer))}`)
  }
  console.log(`child process, mapped file: ${await answerOf(fork(SELF, ['reader', file]))}`)
  if (end === 'killed') process.kill(process.pid, 'SIGKILL')
  const grown: unknown[] = []
  for (;;) grown.push(Array.from({ length: 1000 }, () => ({})))
}

function answerOf(reader: {
  once(event: 'message', take: (text: string) => void): unknown
}): Promise<string> {
  return new Promise((resolve) => reader.once('message', resolve))
}

/** A process of its own that goes on when its parent has ended. */
function read(): void {
  const table = new Int32Array(mapped(file))
  process.send?.(best(table))
  process.on('disconnect', () => {
    writeSync(1, `child process after the writer's end: ${lookUpAll(table)}\n`)
    process.exitCode = 0
  })
}

function mapped(path: string): ArrayBuffer {
  const mmap = koffi
    .load('libc.so.6')
    .func('void *mmap(void *at, size_t octets, int protection, int flags, int file, long offset)')
  const [READ_AND_WRITE, SHARED] = [3, 1]
  return koffi.view(mmap(null, OCTETS, READ_AND_WRITE, SHARED, openSync(path, 'r+'), 0), OCTETS)
}

function hashOf(entry: number): number {
  return Math.imul(entry ^ 0x9e37_79b1, 0x85eb_ca6b) | 1
}

function placeOf(table: Int32Array, hash: number): number {
  let place = (hash >>> 8) % PLACES
  while (table[2 * place] !== 0 && table[2 * place] !== hash) place = (place + 1) % PLACES
  return place
}

function fill(table: Int32Array): void {
  for (let entry = 0; entry < ENTRIES; entry += 1) {
    const place = placeOf(table, hashOf(entry))
    table[2 * place] = hashOf(entry)
    table[2 * place + 1] = entry + 1
  }
}

function lookUpAll(table: Int32Array): string {
  const before = process.cpuUsage()
  let found = 0
  for (let i = 0; i < ENTRIES; i += 1)
    if (table[2 * placeOf(table, hashOf((i * STRIDE) % ENTRIES)) + 1] !== 0) found += 1
  const { user, system } = process.cpuUsage(before)
  return `${Math.round(((user + system) * 1000) / ENTRIES)} ns, ${found} of ${ENTRIES} found`
}

function best(table: Int32Array): string {
  const results = Array.from({ length: 4 }, () => lookUpAll(table))
  return results.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))[0] ?? ''
}
