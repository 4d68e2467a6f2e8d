// Which README blocks are run, and when their printed output counts as the one shown.
import { describe, expect, test } from 'vitest'
import { readmeBlocks, unprintedLine } from './readme-blocks.ts'

const fenced = (info: string, body: string): string => `\`\`\`${info}\n${body}\n\`\`\`\n`

describe('readmeBlocks', () => {
  test('takes marked blocks only, with the output shown after them', () => {
    const markdown =
      'Intro\n' +
      fenced('sh run=background', 'serve') +
      fenced('sh', 'not me') +
      fenced('sh run', 'ask') +
      fenced('text expect', 'one\n\ntwo')
    expect(readmeBlocks(markdown)).toEqual([
      { line: 2, script: 'serve\n', background: true, expected: [] },
      { line: 8, script: 'ask\n', background: false, expected: ['one', 'two'] },
    ])
  })

  test('an unknown mark is an error, not a block that never runs', () => {
    expect(() => readmeBlocks(fenced('sh rum', 'ask'))).toThrow('line 1')
  })
})

describe('unprintedLine', () => {
  test.each([
    ['the same', ['a b'], 'x\na b\n', undefined],
    ['any text for the ellipsis', ['id=… done'], 'id=123 done', undefined],
    ['signs are not patterns', ['a.b'], 'axb', 'a.b'],
    ['a whole line, not a part', ['b'], 'a b c', 'b'],
    ['the first that is missing', ['a', 'z'], 'a\nb', 'z'],
  ])('%s', (_name, expected, output, missing) => {
    expect(unprintedLine(expected, output)).toBe(missing)
  })
})
