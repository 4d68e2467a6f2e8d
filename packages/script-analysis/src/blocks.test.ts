import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Block, scanBlocks } from './blocks.ts'

const BODY = 'x'.repeat(50)
/** The texts of all blocks, outer ones first. */
const contentsOf = (source: string, { children }: Block): string[] =>
  children.flatMap((child) => [source.slice(child.start, child.end), ...contentsOf(source, child)])

describe('blocks', () => {
  test.each<[name: string, source: string, blocks: readonly string[]]>([
    ['none', 'a=1', []],
    ['small ones: none', 'if(a){b}', []],
    ['one', `f(){${BODY}}`, [BODY]],
    ['one in another', `{a{${BODY}}}`, [`a{${BODY}}`, BODY]],
    ['braces in a string', `{'}'+"}\\"}"+'${BODY}'}`, [`'}'+"}\\"}"+'${BODY}'`]],
    ['braces in a template', `{\`}\`+'${BODY}'}`, [`\`}\`+'${BODY}'`]],
    [
      'braces in a template within a template',
      `{\`\${a?\`{\`:\`}//\`}{\`+'${BODY}'}`,
      [`\`\${a?\`{\`:\`}//\`}{\`+'${BODY}'`],
    ],
    [
      'braces of an expression in a template',
      `{\`\${f({a:{}})}//\`+'${BODY}'}`,
      [`\`\${f({a:{}})}//\`+'${BODY}'`],
    ],
    [
      'braces in a pattern behind a condition',
      `{if(a(b))/[/*}]/.test(c);${BODY}}`,
      [`if(a(b))/[/*}]/.test(c);${BODY}`],
    ],
    ['braces in a comment', `{/*}*/${BODY}//}\n}`, [`/*}*/${BODY}//}\n`]],
    ['braces in a pattern', `{a=/}[/}]/;${BODY}}`, [`a=/}[/}]/;${BODY}`]],
    ['a division is no pattern', `{a=b/c;${BODY}}/d`, [`a=b/c;${BODY}`]],
    ['unclosed: to the end', `{${BODY}`, [BODY]],
    ['too many closed', `}}{${BODY}}}`, [BODY]],
    ['a string without end: to the line', `{'\n${BODY}}`, [`'\n${BODY}`]],
  ])('%s', (_, source, blocks) => {
    expect(contentsOf(source, scanBlocks(source).root)).toEqual(blocks)
  })

  test('of any text nest within it, in linear time', () => {
    const chunks = fc.constantFrom(
      '{',
      '}',
      '"',
      "'",
      '`',
      '${',
      'if(',
      ')',
      '/',
      '//',
      '/*',
      '*/',
      '\n',
      '\\',
      BODY,
      ' ',
      '(',
      '=',
    )
    fc.assert(
      fc.property(fc.array(chunks, { maxLength: 200 }), (parts) => {
        const source = parts.join('')
        const check = (block: Block): void => {
          let at = block.start
          for (const child of block.children) {
            expect(child.start).toBeGreaterThanOrEqual(at)
            expect(child.end).toBeLessThanOrEqual(block.end)
            check(child)
            at = child.end
          }
        }
        check(scanBlocks(source).root)
      }),
    )
    for (const part of ['{', '`${', 'if(', '=/[', '\\`', '/*', "'", '=/'])
      expect(scanBlocks(part.repeat(300_000)).root.end).toBe(part.length * 300_000)
  })
})

test.each([
  ['comments', 'a/* b */+c // d\n+e', 'a +c\n+e'],
  ['whitespace at its start', '  /* a */ b', ' b'],
  ['spaces', 'a  \t+\n\n\n  b', 'a +\nb'],
  ['nothing in templates within templates', 'a=`${b?`${c}://  d`:1}`', 'a=`${b?`${c}://  d`:1}`'],
  ['nothing in patterns behind conditions', 'if(a)/[/*]  /.test(b)', 'if(a)/[/*]  /.test(b)'],
  ['nothing in strings', `a='/* b */  c'`, `a='/* b */  c'`],
  ['nothing in patterns', 'a=/ \\/\\* {2}b/', 'a=/ \\/\\* {2}b/'],
])('the trimmed text is without %s', (_, source, trimmed) => {
  expect(scanBlocks(source, true).trimmed).toBe(trimmed)
})
