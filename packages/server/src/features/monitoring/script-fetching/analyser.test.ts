// The process that analyzes scripts: its answers, and how it ends.
import { afterEach, describe, expect, test } from 'vitest'
import { createAnalyser, DEFAULT_ANALYSER_LIMITS, type Analyser } from './analyser.ts'
import { SKIMMER } from '@zonereeve/script-analysis/score-script.cases.ts'

/** Parses into a tree of several hundred megabytes. */
const HUGE = 'a;'.repeat(500_000)

let analyser: Analyser | undefined
afterEach(() => analyser?.close())

const open = (limits: Partial<typeof DEFAULT_ANALYSER_LIMITS> = {}): Analyser =>
  (analyser = createAnalyser({ ...DEFAULT_ANALYSER_LIMITS, ...limits }))
const ask = (source: string) => analyser?.analyse({ source, ownHosts: ['www.example.com'] })
const hash = expect.stringMatching(/^[0-9a-f]{64}$/)

describe('the analyser', () => {
  test('analyzes one script after another, in request order', async () => {
    open()
    const answers = await Promise.all(['a = 1', 'not a script', 'a = 2'].map(ask))
    expect(answers[0]).toMatchObject({ kind: 'analysed', structureHash: hash })
    expect(answers[1]).toMatchObject({ kind: 'analysed', structureHash: null })
    expect(answers[2]).toEqual(answers[0])
  })

  test('returns scores and reasons, also for scripts over 300 KB', async () => {
    open()
    const scores = { jsIntegrity: expect.any(Number), obfuscation: expect.any(Number) }
    expect(await ask('document.title = "a"')).toMatchObject({ verdict: { scores } })
    expect(await ask(`a = '${'b'.repeat(310_000)}'`)).toMatchObject({
      structureHash: hash,
      verdict: { scores },
    })
    expect(await ask(`a = '${'b'.repeat(5_300_000)}'`)).toMatchObject({
      structureHash: hash,
      verdict: { scores: null, reasons: [expect.stringMatching(/longer/)] },
    })
  })

  test.each([
    ['branches', `if(0);${'else if(0);'.repeat(2500)}`],
    ['parentheses', `${'('.repeat(1000)}1${')'.repeat(1000)};`],
    ['blocks', `${'{'.repeat(1500)}${'}'.repeat(1500)}`],
    ['lists', `a=${'['.repeat(1500)}${']'.repeat(1500)};`],
  ])('nesting that browsers accept is accepted: %s', async (_, before) => {
    open()
    const onStep = await ask(`${before}${SKIMMER}`)
    expect(onStep).toMatchObject({ structureHash: hash, verdict: { unscored: null } })
    expect(onStep?.kind === 'analysed' && onStep.verdict.scores?.magecart).toBeLessThan(10)
  })

  test('an unparsable script is not harmless, and does not end the process', async () => {
    open()
    const deep = `${'('.repeat(100_000)}1${')'.repeat(100_000)}`
    expect(await ask(deep)).toMatchObject({
      kind: 'analysed',
      structureHash: null,
      verdict: { scores: null, unscored: 'deep', reasons: [expect.stringMatching(/nested/)] },
    })
  })

  test('a script of one megabyte fits in memory', async () => {
    open({ maxMillis: 300_000 })
    expect(await ask(HUGE)).toMatchObject({ kind: 'analysed', structureHash: hash })
  })

  test('an analysis that takes too much memory is ended, and the next one gets a new process', async () => {
    open({ maxHeapMib: 48, maxMillis: 300_000 })
    expect(await ask(HUGE)).toEqual({ kind: 'ended', structureHash: null, end: 'exit' })
    expect(await ask('a')).toMatchObject({ kind: 'analysed', structureHash: hash })
  })

  test('an analysis that takes too long is ended', async () => {
    open({ maxMillis: 1 })
    expect(await ask(HUGE)).toEqual({ kind: 'ended', structureHash: null, end: 'time' })
  })

  test('closing ends running and waiting analyses, and none begins afterwards', async () => {
    const closing = open()
    const asked = [HUGE, 'a'].map((source) => ask(source)?.then(String, (error: Error) => error.message))
    await closing.close()
    expect(await Promise.all(asked)).toEqual(['the analyzer is closed', 'the analyzer is closed'])
    await expect(ask('a')).rejects.toThrow('closed')
  })
})
