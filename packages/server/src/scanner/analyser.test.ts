// The process that scripts are analysed in: its answers, and its end.
import { afterEach, describe, expect, test } from 'vitest'
import { createAnalyser, DEFAULT_ANALYSER_LIMITS, type Analyser } from './analyser.ts'
import { SKIMMER } from './scoring/score-script.cases.ts'

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

  test.each([
    ['branches', `if(0);${'else if(0);'.repeat(2500)}`],
    ['parentheses', `${'('.repeat(1000)}1${')'.repeat(1000)};`],
    ['blocks', `${'{'.repeat(1500)}${'}'.repeat(1500)}`],
    ['lists', `a=${'['.repeat(1500)}${']'.repeat(1500)};`],
  ])('what browsers read at its depth is read here, too: %s', async (_, before) => {
    open()
    const told = await ask(`${before}${SKIMMER}`)
    expect(told).toMatchObject({ structureHash: hash, verdict: { unscored: null } })
    expect(told?.kind === 'analysed' && told.verdict.scores?.magecart).toBeLessThan(10)
  })

  test('what nothing can read is neither harmless nor the end of the process', async () => {
    open()
    const deep = `${'('.repeat(100_000)}1${')'.repeat(100_000)}`
    expect(await ask(deep)).toMatchObject({
      kind: 'analysed',
      structureHash: null,
      verdict: { scores: null, unscored: 'deep', reasons: [expect.stringMatching(/nested/)] },
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
