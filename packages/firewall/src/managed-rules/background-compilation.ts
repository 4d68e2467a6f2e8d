// Patterns are compiled for the first text. This compiles those that no request has needed so far.
import { yieldToOthers } from '@zonereeve/cooperate'

interface Compilable {
  readonly test: (text: string) => boolean
}

/** Long enough for every pattern. */
const LONG_TEXT = ' '.repeat(1024)

let release: () => void = () => undefined
const released = new Promise<void>((resolve) => {
  release = resolve
})

/** Until then nothing is compiled in the background: what the first request needs comes first. */
export const allowBackgroundCompilation = (): void => release()

/** Compiles one after the other and yields in between; a process can end meanwhile. One that cannot be compiled does not keep others from it. */
export async function compileInBackground(
  patterns: Iterable<Compilable>,
  signal?: AbortSignal,
): Promise<void> {
  await (signal === undefined ? released : Promise.race([released, abortionOf(signal)]))
  for (const pattern of patterns) {
    if (signal?.aborted === true) return
    try {
      pattern.test(LONG_TEXT)
    } catch {
      // It fails the request that needs it, with the same error, which is logged there.
    }
    await yieldToOthers()
  }
}

/** What waits for the release must not keep a rule set that has been replaced. */
function abortionOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
