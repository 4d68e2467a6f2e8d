// Patterns match as PCRE does in ModSecurity, and what they require of a text never rules out a match.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteMask } from './byte-mask.ts'
import { canBegin } from './first-bytes.ts'
import { createScanner } from './literal-automaton.ts'
import { compilePattern } from './pattern.ts'
import { PatternError } from './parse-pattern.ts'

describe('matches', () => {
  test.each([
    ['a dot at a line feed', 'a.b', 'a\nb'],
    ['a start at every line', '^b$', 'a\nb\nc'],
    ['case inside of a group only', '(?i:select) FROM', 'SeLeCt FROM'],
    ['case from here on', 'x(?i)y', 'xY'],
    ['a class with a hyphen at its end', '^[a-]+$', 'a-a'],
    ['a class that begins with its closing bracket', '^[]a]+$', ']a]'],
    ['hexadecimal bytes', String.raw`\x5cu00[4-6]`, String.raw`\u005`],
    ['an octal byte', String.raw`\012`, '\n'],
    ['a named class', '^[[:alpha:]]+$', 'abc'],
    ['vertical tab as whitespace', String.raw`a\sb`, 'a\vb'],
    ['a word edge', String.raw`\bor\b`, 'a or b'],
    ['a repetition with bounds', '^a{2,3}$', 'aaa'],
    ['a brace that is no repetition', '^a{,b$', 'a{,b'],
    ['a possessive quantifier', '^a++b$', 'aab'],
    ['an atomic group', '^(?>ab|a)c$', 'abc'],
    ['quoted text', String.raw`^\Qa.b\E$`, 'a.b'],
    ['a back-reference', String.raw`(['"])x\1`, `"x"`],
    ['a back-reference without regard to case', String.raw`(?i)\b(\w+)\s+\1`, 'Egbert egbert'],
    ['what does not follow', 'a(?!b)', 'ac'],
    ['what stands before', '(?<=a)b', 'ab'],
    ['what does not stand before', '(?<!a)b', 'cb'],
    ['bytes above ASCII', '[\\x80-\\xff]', '\u00e9'],
  ])('%s', (_, pattern, text) => {
    expect(compilePattern(pattern).test(text)).toBe(true)
  })
})

describe('does not match', () => {
  test.each([
    ['another case', 'select', 'SELECT'],
    ['another case behind the group', '(?i:a)b', 'AB'],
    ['the end in the middle of a line', 'a$', 'ab'],
    ['too many', '^a{2,3}$', 'aaaa'],
    ['a different quote', String.raw`(['"])x\1`, `"x'`],
    ['what follows although it must not', '^a(?!b)', 'ab'],
    ['what stands before although it must not', '(?<!a)b', 'ab'],
    ['a byte outside of a negated class', '^[^a-z]$', 'q'],
  ])('%s', (_, pattern, text) => {
    expect(compilePattern(pattern).test(text)).toBe(false)
  })
})

test.each(['(', 'a)', '[a', '*a', 'a{2000}', '\\', '(?P<a', '[[:nonsense:]]'])('%s is refused', (pattern) => {
  expect(() => compilePattern(pattern)).toThrow(PatternError)
})

describe('what the engine would refuse on first use is refused at once', () => {
  test.each([
    ['repetitions in repetitions', '(?:a{40}){40}', 'more than 1000 together'],
    ['the same with bounds', '(?:[^x]{1,255}){1,10}', 'more than 1000 together'],
    ['the same without an upper bound', '(?:(?:ab){500,}c){3}', 'more than 1000 together'],
    ['the same three deep', '(((a{11}){10}){10})', 'more than 1000 together'],
    ['bounds out of order', 'a{3,2}', 'out of order'],
    ['a long repeated text', `(?:${'ab'.repeat(800)}){999}`, 'too large'],
    ['very many quantifiers', `a${'{1}'.repeat(1_000)}`, 'nested too deeply'],
    ['groups in groups', `${'(a|b'.repeat(190)}${')+'.repeat(190)}`, 'nested too deeply'],
  ])('%s', (_, pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError)
    expect(() => compilePattern(pattern)).toThrow(reason)
  })

  test('what is just within the limits is not', () => {
    for (const pattern of ['(?:a{40}){25}', '(?:(?:a{10}){10}){10}', '(?:a{1000}){0,1}', '(?:a*){1000}'])
      expect(compilePattern(pattern).test('b')).toBe(pattern.includes('*') || pattern.includes('{0,'))
    // Look-around needs the other engine, which has no such limit.
    expect(compilePattern('(?:a{40}){40}(?!b)').test('a'.repeat(1_600))).toBe(true)
  })

  test('any pattern is refused at once or never', () => {
    const bound = fc.constantFrom(
      '*',
      '+',
      '?',
      '{0}',
      '{1}',
      '{2,}',
      '{3}',
      '{9,30}',
      '{31}',
      '{40}',
      '{1000}',
    )
    const source = fc
      .array(fc.tuple(fc.constantFrom('(', '(?:', '(?:x|', '(?:xy'), bound), { minLength: 1, maxLength: 7 })
      .map((levels) => levels.reduce((inner, [open, quantifier]) => `${open}${inner})${quantifier}`, '[a-c]'))
    fc.assert(
      fc.property(source, (text) => {
        let pattern: ReturnType<typeof compilePattern>
        try {
          pattern = compilePattern(text)
        } catch (error) {
          expect(error).toBeInstanceOf(PatternError)
          return
        }
        pattern.test('x')
      }),
      { numRuns: 300 },
    )
  })
})

test('groups are found', () => {
  expect(compilePattern('(a)(b)?(c)').find('xacy')).toEqual(['ac', 'a', undefined, 'c'])
  expect(compilePattern('(a)').find('xyz')).toBeUndefined()
  expect(compilePattern(String.raw`(a)(?=b)\1?`).find('xab')).toEqual(['a', 'a'])
})

test('a search with look-around gives up in bounded time', () => {
  const pattern = compilePattern(String.raw`(?!z)(?:a+)+b`)
  const start = process.cpuUsage().user
  expect(pattern.test('a'.repeat(20_000))).toBe(false)
  expect(process.cpuUsage().user - start).toBeLessThan(5_000_000)
})

/** Patterns of the kinds that rules use, over a small alphabet so that they often match. */
const atom = fc.constantFrom('a', 'b', 'A', '<', '[ab]', '[^a]', '.', String.raw`\s`, '(?i:ab)', 'ab<', 'ba')
const quantified = fc
  .tuple(atom, fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}'))
  .map(([a, q]) => (q === '' ? a : `(?:${a})${q}`))
const sequence = fc.array(quantified, { minLength: 1, maxLength: 5 }).map((items) => items.join(''))
const randomPattern = fc.oneof(
  sequence,
  fc.array(sequence, { minLength: 2, maxLength: 3 }).map((items) => `(?:${items.join('|')})`),
  fc.tuple(sequence, sequence, sequence).map(([a, b, c]) => `${a}(?:${b}|${c})`),
)
/** Bound to the beginning of a line or of the text. */
const anchoredPattern = fc.oneof(
  fc.tuple(sequence, sequence).map(([a, b]) => `(?:^${a}|^${b})`),
  fc.tuple(sequence, sequence).map(([a, b]) => `\\A${a}${b}`),
)
const randomText = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', 'B', '<', ' ', '\n', 'x'),
  maxLength: 12,
})

test('random patterns match what native ones match', () => {
  fc.assert(
    fc.property(randomPattern, randomText, (source, text) => {
      // Native patterns know no flags for a group in every supported version.
      const native = new RegExp(source.replaceAll('(?i:ab)', '(?:[aA][bB])'), 's')
      expect(compilePattern(source).test(text)).toBe(native.test(text))
    }),
    { numRuns: 2_000 },
  )
})

test('whatever matches meets the requirement', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(randomPattern, anchoredPattern), { minLength: 1, maxLength: 4 }),
      randomText,
      (sources, text) => {
        const patterns = sources.map(compilePattern)
        const scan = createScanner(patterns.map(({ requirement }) => requirement))(text)
        expect(scan.mask).toBe(byteMask(text))
        for (const [i, { requirement, test: matches }] of patterns.entries()) {
          if (!matches(text)) continue
          if (requirement.clauses.length > 0) expect(Number(scan.candidates?.[0]) & (1 << i)).not.toBe(0)
          for (const mask of requirement.masks) expect(scan.mask & mask).not.toBe(0)
          expect(canBegin(requirement.beginning, text, scan.mask)).toBe(true)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a scanner reports a pattern only if each of its clauses occurs', () => {
  const requirement = (...clauses: string[][]) => ({ clauses, masks: [] })
  const scan = createScanner([
    requirement(['select', 'insert'], ['from']),
    requirement(['union']),
    requirement([]),
  ])
  const found = (text: string): number => Number(scan(text).candidates?.[0] ?? 0)
  expect(found('SELECT x FROM y')).toBe(1)
  expect(found('select x')).toBe(0)
  expect(found('from union')).toBe(2)
  expect(found('')).toBe(0)
})
