// Analyses scripts in a process of its own, one after another. A script that takes too long or too much memory ends that
// process, and nothing else: the next one gets another. What it is given is read there, and never run.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AnalysisEnd } from '../features/page-shield/index.ts'
import { workerFile } from '../platform/worker-file.ts'
import type { AnalysisRequest, AnalysisStep, Verdict } from './analysis.ts'

export interface AnalyserLimits {
  /** For one script. */
  readonly maxMillis: number
  readonly maxHeapMib: number
}

export const DEFAULT_ANALYSER_LIMITS: AnalyserLimits = { maxMillis: 10_000, maxHeapMib: 512 }

/**
 * Four times what the engine takes by itself, so that code as deep as any that a browser reads can be read here. Half of
 * what systems give a process (`ulimit -s`); with less, a script that needs it ends the process.
 */
const STACK_KIB = 3936

/** With the structure as far as it was read: null where it was not, or cannot be. */
export type Analysed = { readonly structureHash: string | null } & (
  | { readonly kind: 'analysed'; readonly verdict: Verdict }
  | { readonly kind: 'ended'; readonly end: AnalysisEnd }
)

export interface Analyser {
  /** @throws Error once it is closed. */
  analyse(request: AnalysisRequest): Promise<Analysed>
  /** Ends the script under way, and those that wait. */
  close(): Promise<void>
}

export function createAnalyser({ maxMillis, maxHeapMib }: AnalyserLimits): Analyser {
  let worker: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  const closing = new AbortController()

  return {
    analyse(request) {
      const mine = last.then(() => run(request))
      last = mine.catch(() => {})
      return mine
    },
    async close() {
      closing.abort(new Error('the analyser is closed'))
      await last
      if (worker !== undefined) await giveUp(worker)
    },
  }

  async function run(request: AnalysisRequest): Promise<Analysed> {
    closing.signal.throwIfAborted()
    const asked = (worker ??= start())
    const analysed = await answerOf(asked, request)
    if (analysed.kind === 'ended') await giveUp(asked)
    closing.signal.throwIfAborted()
    return analysed
  }

  function start(): ChildProcess {
    const { url, execArgv } = workerFile('./analysis.worker', import.meta.url)
    const started = fork(fileURLToPath(url), [], {
      serialization: 'advanced', // texts may hold halves of characters
      execArgv: [...execArgv, `--max-old-space-size=${maxHeapMib}`, `--stack-size=${STACK_KIB}`],
      env: {}, // nothing of ours is its business
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    started.unref()
    started.channel?.unref()
    // Its end is told by `exit`, too.
    started.on('error', () => {})
    return started
  }

  function answerOf(asked: ChildProcess, request: AnalysisRequest): Promise<Analysed> {
    return new Promise((resolve) => {
      let structureHash: string | null = null
      const end = (analysed: Analysed) => {
        clearTimeout(timer)
        asked.off('message', told).off('exit', exited)
        closing.signal.removeEventListener('abort', exited)
        resolve(analysed)
      }
      const told = (known: AnalysisStep) => {
        if (known.step === 'structure') structureHash = known.structureHash
        else end({ kind: 'analysed', structureHash, verdict: known.verdict })
      }
      const exited = () => end({ kind: 'ended', structureHash, end: 'exit' })
      const timer = setTimeout(() => end({ kind: 'ended', structureHash, end: 'time' }), maxMillis)
      closing.signal.addEventListener('abort', exited, { once: true })
      asked.on('message', told).on('exit', exited)
      if (asked.exitCode !== null || asked.signalCode !== null) exited()
      // One that is gone says so by its `exit`.
      else asked.send(request, () => {})
    })
  }

  async function giveUp(asked: ChildProcess): Promise<void> {
    if (worker === asked) worker = undefined
    if (asked.exitCode !== null || asked.signalCode !== null) return
    const ended = once(asked, 'exit')
    asked.kill('SIGKILL') // it holds nothing that would be lost
    await ended
  }
}
