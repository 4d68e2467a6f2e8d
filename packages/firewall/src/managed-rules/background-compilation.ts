// Patterns are compiled for the first text. This compiles those that no request has needed so far.
import { yieldNow } from '@zonereeve/cooperate'

interface Compilable {
  readonly test: (text: string) => boolean
}

/** Long enough for every pattern. */
const LONG_TEXT = ' '.repeat(1024)

/** Compiles one after the other and yields in between. */
export function compileInBackground(patterns: Iterable<Compilable>): void {
  // A pattern that cannot be compiled fails the request that needs it, with the same error.
  compileEach(patterns).catch(() => undefined)
}

async function compileEach(patterns: Iterable<Compilable>): Promise<void> {
  for (const pattern of patterns) {
    pattern.test(LONG_TEXT)
    await yieldNow()
  }
}
