// Compares two fetched scripts in a process of its own, so that a comparison delays no scan. The process ends when
// nothing is left to compare.
import type { CompareScripts, ScriptSource } from '../page-shield/index.ts'
import { createAnalyser, type Analyser, type AnalyserLimits } from './analyser.ts'
import { decodeScript } from './script-text.ts'

export function createComparison(limits: AnalyserLimits): CompareScripts {
  let analyser: Analyser | undefined
  let running = 0

  return async (before, after) => {
    running += 1
    analyser ??= createAnalyser(limits)
    try {
      return await analyser.compare({ before: textOf(before), after: textOf(after) })
    } finally {
      running -= 1
      if (running === 0) {
        const idle = analyser
        analyser = undefined
        await idle.close()
      }
    }
  }
}

const textOf = ({ bytes, charset }: ScriptSource): string => decodeScript(bytes, charset)
