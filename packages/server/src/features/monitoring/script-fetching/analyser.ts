// Analyzes scripts in a child process, one after another. A script that takes too long or too much memory
// ends that process and nothing else: the next script gets a new one. Scripts are parsed there, never run.
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { AnalysisEnd } from '../page-shield/index.ts'
import { workerFile } from '@zonereeve/platform'
import type { ScriptDiff } from '@zonereeve/script-analysis'
import type { AnalysisRequest, AnalysisStep, ComparisonRequest, Verdict } from './analysis.ts'

export interface AnalyserLimits {
  /** Per script. */
  readonly maxMillis: number
  readonly maxHeapMib: number
}

export const DEFAULT_ANALYSER_LIMITS: AnalyserLimits = { maxMillis: 10_000, maxHeapMib: 512 }

/**
 * Four times the engine's default, so that code as deeply nested as browsers accept can be parsed. Half of
 * the default stack limit of a process (`ulimit -s`); if the limit is lower, a script that needs more ends the
 * process.
 */
const STACK_KIB = 3936

/** Includes the structure hash if it was computed: null if not, or if it cannot be. */
export type Analysed = { readonly structureHash: string | null } & (
  | { readonly kind: 'analysed'; readonly verdict: Verdict }
  | { readonly kind: 'ended'; readonly end: AnalysisEnd }
)

export interface Analyser {
  /** @throws Error after close. */
  analyse(request: AnalysisRequest): Promise<Analysed>
  /**
   * Compares two scripts. @returns why the comparison was stopped, if it was.
   * @throws Error after close.
   */
  compare(request: ComparisonRequest): Promise<ScriptDiff | AnalysisEnd>
  /** Stops the running analysis and all queued ones. */
  close(): Promise<void>
}

type Request = AnalysisRequest | ComparisonRequest

/** Called with each step. @returns whether it is the last one. */
type IsLast = (step: AnalysisStep) => boolean

export function createAnalyser({ maxMillis, maxHeapMib }: AnalyserLimits): Analyser {
  let worker: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  const closing = new AbortController()

  return {
    async analyse(request) {
      let structureHash: string | null = null
      const answer = await queue(request, (step) => {
        if (step.step === 'structure') structureHash = step.structureHash
        return step.step === 'verdict'
      })
      if (typeof answer === 'string') return { kind: 'ended', structureHash, end: answer }
      if (answer.step !== 'verdict') throw new Error('the process that analyzes scripts sent no verdict')
      return { kind: 'analysed', structureHash, verdict: answer.verdict }
    },
    async compare(request) {
      const answer = await queue(request, ({ step }) => step === 'diff')
      if (typeof answer === 'string') return answer
      if (answer.step !== 'diff') throw new Error('the process that analyzes scripts sent no difference')
      return answer.diff
    },
    async close() {
      closing.abort(new Error('the analyzer is closed'))
      await last
      if (worker !== undefined) await giveUp(worker)
    },
  }

  function queue(request: Request, isLast: IsLast): Promise<AnalysisStep | AnalysisEnd> {
    const mine = last.then(() => run(request, isLast))
    last = mine.catch(() => {})
    return mine
  }

  async function run(request: Request, isLast: IsLast): Promise<AnalysisStep | AnalysisEnd> {
    closing.signal.throwIfAborted()
    const child = (worker ??= start())
    if (child.pid === undefined) {
      // Out of file descriptors or processes; that is not the script's fault, so it is analyzed in a later
      // scan.
      worker = undefined
      throw new Error('the process that analyzes scripts could not be started')
    }
    const answer = await answerOf(child, request, isLast)
    if (typeof answer === 'string') await giveUp(child)
    closing.signal.throwIfAborted()
    return answer
  }

  function start(): ChildProcess {
    const { url, execArgv } = workerFile('./analysis.worker', import.meta.url)
    const started = fork(fileURLToPath(url), [], {
      serialization: 'advanced', // strings may contain lone surrogates
      execArgv: [...execArgv, `--max-old-space-size=${maxHeapMib}`, `--stack-size=${STACK_KIB}`],
      env: {}, // it needs nothing from our environment
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    started.unref()
    started.channel?.unref()
    // `exit` reports its end, too; a process that could not be started has no id.
    started.on('error', () => {})
    return started
  }

  /** @returns the last step, or why there was none. */
  function answerOf(
    asked: ChildProcess,
    request: Request,
    isLast: IsLast,
  ): Promise<AnalysisStep | AnalysisEnd> {
    return new Promise((resolve) => {
      const end = (answer: AnalysisStep | AnalysisEnd) => {
        clearTimeout(timer)
        asked.off('message', onStep).off('exit', onExit)
        closing.signal.removeEventListener('abort', onExit)
        resolve(answer)
      }
      const onStep = (step: AnalysisStep) => void (isLast(step) && end(step))
      const onExit = () => end('exit')
      const timer = setTimeout(() => end('time'), maxMillis)
      closing.signal.addEventListener('abort', onExit, { once: true })
      asked.on('message', onStep).on('exit', onExit)
      if (asked.exitCode !== null || asked.signalCode !== null) onExit()
      // A process that ended reports it by `exit`.
      else if (asked.connected) asked.send(request, () => {})
    })
  }

  async function giveUp(asked: ChildProcess): Promise<void> {
    if (worker === asked) worker = undefined
    if (asked.exitCode !== null || asked.signalCode !== null) return
    const ended = new Promise((resolve) => asked.once('exit', resolve))
    asked.kill('SIGKILL') // it holds no state that could be lost
    await ended
  }
}
