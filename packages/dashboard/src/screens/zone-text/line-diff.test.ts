import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const written = (before: string, after: string) =>
  lineDiff(before, after).map(({ mark, text }) => mark + text)

describe('the difference of two zone files', () => {
  test.each([
    ['the same', 'a\nb\n', 'a\nb', []],
    ['added', 'a\n', 'a\nb\n', ['+b']],
    ['removed', 'a\nb\n', 'b\n', ['−a']],
    ['changed in its place', 'a 1\nb 1\n', 'a 1\nb 2\n', ['−b 1', '+b 2']],
    ['moved', 'a\nb\n', 'b\na\n', []],
    ['one of two', 'a\na\n', 'a\n', ['−a']],
    ['comments and blanks', '; old\n\na\n', 'a  \n\n; new\n', []],
    ['from nothing', '', 'a\n', ['+a']],
    ['to nothing', 'a\n', '', ['−a']],
  ])('%s', (_, before, after, lines) => expect(written(before, after)).toEqual(lines))

  test('what is removed and added turns one into the other', () => {
    const file = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
    fc.assert(
      fc.property(file, file, (before, after) => {
        const lines = lineDiff(before.join('\n'), after.join('\n'))
        const rest = [...before]
        for (const { mark, text } of lines) if (mark === '−') rest.splice(rest.indexOf(text), 1)
        for (const { mark, text } of lines) if (mark === '+') rest.push(text)
        expect(rest.toSorted()).toEqual(after.toSorted())
      }),
    )
  })
})
