// Which README blocks are run, and when printed output matches the output shown.
import { describe, expect, test } from 'vitest'
import { readmeBlocks, unprintedLine } from './readme-blocks.ts'

const fenced = (info: string, body: string): string => `\`\`\`${info}\n${body}\n\`\`\`\n`

describe('readmeBlocks', () => {
  test('reads only marked blocks, with the output shown after them', () => {
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

  test('an unknown mark is an error: the block would never run', () => {
    expect(() => readmeBlocks(fenced('sh rum', 'ask'))).toThrow('line 1')
  })
})

describe('unprintedLine', () => {
  test.each([
    ['the same', ['a b'], 'x\na b\n', undefined],
    ['the ellipsis matches any text', ['id=… done'], 'id=123 done', undefined],
    ['characters are not patterns', ['a.b'], 'axb', 'a.b'],
    ['the whole line must match, not a part', ['b'], 'a b c', 'b'],
    ['the first missing line', ['a', 'z'], 'a\nb', 'z'],
  ])('%s', (_name, expected, output, missing) => {
    expect(unprintedLine(expected, output)).toBe(missing)
  })
})
