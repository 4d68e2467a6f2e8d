// Compares a whole recording in threads: reads it in parts, and never more of it than the threads work on.
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { threadFile } from '@zonereeve/platform'
import { isHar } from '@zonereeve/firewall/recorded-requests.ts'
import {
  addStopped,
  type ComparedPart,
  type ComparedZone,
  emptyPart,
  MAX_DIFFERENCES,
  MAX_REFUSALS,
  type RecordingPart,
} from './compare-requests.ts'

/** Some 5,000 lines: enough work for a thread, and soon done for a progress bar. */
const PART_BYTES = 1_048_576
/** More are of no use for some thousand parts a minute. */
const MAX_THREADS = 16

type FromThread = { readonly found: ComparedPart } | { readonly problem: string }

/**
 * @param onProgress called with the share of the file that is compared, and the requests so far.
 * @throws Error for a file that cannot be read or is no recording.
 */
export async function compareRecording(
  path: string,
  zone: ComparedZone,
  onProgress: (share: number, requests: number) => void,
): Promise<ComparedPart> {
  const { size } = await stat(path)
  const isWhole = await startsLikeHar(path)
  const most = isWhole ? 1 : Math.min(MAX_THREADS, availableParallelism(), Math.ceil(size / PART_BYTES))
  const threads = Array.from({ length: Math.max(1, most) }, () => startThread(zone))
  const all = emptyPart()
  const parts = partsOf(path, isWhole)
  let done = 0
  try {
    // Threads take the next part when they have finished one; their results are merged in the order of the file.
    const results = new Map<number, ComparedPart>()
    let next = 0
    let merged = 0
    await Promise.all(
      threads.map(async (thread) => {
        for (;;) {
          const index = next
          next += 1
          const part = await parts.next()
          if (part.done === true) return
          results.set(index, await compareIn(thread, part.value))
          done += Buffer.byteLength(part.value.text)
          for (let found = results.get(merged); found !== undefined; found = results.get(merged)) {
            results.delete(merged)
            merged += 1
            addPart(all, found)
          }
          onProgress(done / size, all.compared)
        }
      }),
    )
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
  onProgress(1, all.compared)
  return { ...all, stopped: all.stopped.toSorted((one, other) => other.requests - one.requests) }
}

function startThread(zone: ComparedZone): Worker {
  const thread = new Worker(threadFile('./compare.worker', import.meta.url), { workerData: zone })
  // One that fails without a part to work on must not end the process; with one, compareIn hears of it, too.
  return thread.on('error', () => undefined)
}

function compareIn(thread: Worker, part: RecordingPart): Promise<ComparedPart> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number): void => reject(new Error(`a thread ended with ${code}`))
    const onError = (error: unknown): void =>
      settle(() => reject(error instanceof Error ? error : new Error(String(error))))
    const settle = (act: () => void): void => {
      thread.removeAllListeners('message').removeListener('error', onError).removeListener('exit', onExit)
      act()
    }
    thread.on('message', (message: FromThread) =>
      settle(() => ('found' in message ? resolve(message.found) : reject(new Error(message.problem)))),
    )
    thread.on('error', onError)
    thread.on('exit', onExit)
    thread.postMessage(part, [])
  })
}

function addPart(all: ComparedPart, part: ComparedPart): void {
  for (const name of ['compared', 'elsewhere', 'unread', 'rejected', 'differing'] as const)
    all[name] += part[name]
  all.refusals.push(...part.refusals.slice(0, MAX_REFUSALS - all.refusals.length))
  all.differences.push(...part.differences.slice(0, MAX_DIFFERENCES - all.differences.length))
  for (const group of part.stopped) addStopped(all.stopped, group)
}

async function startsLikeHar(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0)
    return isHar(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}

/** A HAR file is one part; a log has parts of whole lines. */
async function* partsOf(path: string, isWhole: boolean): AsyncGenerator<RecordingPart, undefined> {
  let text = ''
  let before = 0
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: PART_BYTES })) {
    text += String(chunk)
    const end = isWhole ? -1 : text.lastIndexOf('\n')
    if (end < 0) continue
    const part = text.slice(0, end)
    text = text.slice(end + 1)
    yield { text: part, isLog: true, before }
    before += part.split('\n').length
  }
  if (text !== '') yield { text, isLog: !isWhole, before }
  return undefined
}
