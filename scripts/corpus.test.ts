// The recorded cases of the expression language, if the shared folder has them, and tests of the runner itself.
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Corpus, runCorpus, runCorpusFile } from './corpus.ts'
import { sharedFile } from './requirements.ts'
import { testWith } from './test-requirements.ts'

const file = fileURLToPath(sharedFile('data/expression-corpus.json'))

const SMALLEST_CORPUS = 2000

describe('recorded cases', () => {
  testWith('corpus', 'all pass', () => {
    const { passed, failures } = runCorpusFile(file)
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(SMALLEST_CORPUS)
  })
})

const corpus: Corpus = {
  schemes: { s: { fields: { n: { type: 'Int' } }, nil_not_equal: true, functions: {}, lists: [] } },
  contexts: { one: { n: 1 } },
  cases: [],
}

const RECORDED = { scheme: 's', origin: 'made', id: 'x1' } as const
const DIGIT = {
  class: 'ExpectedName',
  line: 1,
  col: 6,
  carets: 1,
  message: 'expected digit',
  text: 'Filter parsing error (1:6):\nn eq x\n     ^ expected digit\n',
}

describe('the runner', () => {
  test.each<[string, Corpus['cases'][number], number]>([
    [
      'a matching result',
      { ...RECORDED, mode: 'filter', expr: 'n eq 1', runs: [{ ctx: 'one', result: true }] },
      0,
    ],
    [
      'another result',
      { ...RECORDED, mode: 'filter', expr: 'n eq 1', runs: [{ ctx: 'one', result: false }] },
      1,
    ],
    [
      'another value',
      { ...RECORDED, mode: 'value', expr: 'n', runs: [{ ctx: 'one', result: { value: 2 } }] },
      1,
    ],
    ['a matching error', { ...RECORDED, mode: 'filter', expr: 'n eq x', error: DIGIT }, 0],
    ['an error at another position', { ...RECORDED, mode: 'filter', expr: 'n eq  x', error: DIGIT }, 1],
    [
      'an error with another message',
      { ...RECORDED, mode: 'filter', expr: 'n eq x', error: { ...DIGIT, text: '?' } },
      1,
    ],
    [
      'an expected error that does not occur',
      { ...RECORDED, mode: 'filter', expr: 'n eq 1', error: DIGIT },
      1,
    ],
    ['an unexpected error', { ...RECORDED, mode: 'filter', expr: 'm', runs: [] }, 1],
  ])('%s', (_name, item, failed) => {
    const report = runCorpus({ ...corpus, cases: [item] })
    expect([report.passed, report.failures.length]).toEqual([1 - failed, failed])
  })
})
