// The process that scripts are analysed in: its answers, and its end.
import { afterEach, describe, expect, test } from 'vitest'
import { createAnalyser, DEFAULT_ANALYSER_LIMITS, type Analyser } from './analyser.ts'

/** A tree of some hundred megabytes. */
const HUGE = 'a;'.repeat(500_000)

let analyser: Analyser | undefined
afterEach(() => analyser?.close())

const open = (limits: Partial<typeof DEFAULT_ANALYSER_LIMITS> = {}): Analyser =>
  (analyser = createAnalyser({ ...DEFAULT_ANALYSER_LIMITS, ...limits }))
const ask = (source: string) => analyser?.analyse({ source, ownHosts: ['www.example.com'] })
const hash = expect.stringMatching(/^[0-9a-f]{64}$/)

describe('the analyser', () => {
  test('analyses one after another, in the order in which it was asked', async () => {
    open()
    const answers = await Promise.all(['a = 1', 'not a script', 'a = 2'].map(ask))
    expect(answers[0]).toMatchObject({ kind: 'analysed', structureHash: hash })
    expect(answers[1]).toMatchObject({ kind: 'analysed', structureHash: null })
    expect(answers[2]).toEqual(answers[0])
  })

  test('tells scores and why; of what is longer than 300 KB, none', async () => {
    open()
    const scores = { jsIntegrity: expect.any(Number), obfuscation: expect.any(Number) }
    expect(await ask('document.title = "a"')).toMatchObject({ verdict: { scores } })
    expect(await ask(`a = '${'b'.repeat(310_000)}'`)).toMatchObject({
      structureHash: hash,
      verdict: { scores: null, reasons: [expect.stringMatching(/longer/)] },
    })
  })

  test('a script of a megabyte has room', async () => {
    open()
    expect(await ask(HUGE)).toMatchObject({ kind: 'analysed', structureHash: hash })
  })

  test('one that takes too much memory is ended, and the next one has a process of its own', async () => {
    open({ maxHeapMib: 48 })
    expect(await ask(HUGE)).toEqual({ kind: 'ended', structureHash: null, end: 'exit' })
    expect(await ask('a')).toMatchObject({ kind: 'analysed', structureHash: hash })
  })

  test('one that takes too long is ended', async () => {
    open({ maxMillis: 1 })
    expect(await ask(HUGE)).toEqual({ kind: 'ended', structureHash: null, end: 'time' })
  })

  test('closing ends what is under way and what waits, and nothing begins afterwards', async () => {
    const closing = open()
    const asked = [HUGE, 'a'].map((source) => ask(source)?.then(String, (error: Error) => error.message))
    await closing.close()
    expect(await Promise.all(asked)).toEqual(['the analyser is closed', 'the analyser is closed'])
    await expect(ask('a')).rejects.toThrow('closed')
  })
})
