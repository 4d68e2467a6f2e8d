// Compilation in the background waits for its release, unless its patterns are not needed any more.
import { expect, test, vi } from 'vitest'

test('waits for the release, and ends without it when its rule set is replaced', async () => {
  vi.resetModules() // other tests may have released it
  const { allowBackgroundCompilation, compileInBackground } = await import('./background-compilation.ts')
  const compiled: string[] = []
  const patternOf = (name: string) => [{ test: () => compiled.push(name) > 0 }]
  const [early, late] = [new AbortController(), new AbortController()]
  early.abort()
  await compileInBackground(patternOf('replaced before'), early.signal)
  const replaced = compileInBackground(patternOf('replaced'), late.signal)
  const current = compileInBackground(patternOf('kept'), new AbortController().signal)
  const own = compileInBackground(patternOf('own'))
  late.abort()
  await replaced
  expect(compiled).toEqual([])
  allowBackgroundCompilation()
  await Promise.all([current, own])
  expect(compiled.toSorted()).toEqual(['kept', 'own'])
})
