// The Rust dialect over bytes: what matches, what is refused and where.
import { RE2JS } from 're2js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { utf8 } from './bytes.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { parseRegex, type Regex } from './regex.ts'
import { casesOf, foldUnicode, mostAdded } from './regex/folding.ts'
import { automatonBytes, shortestMatch } from './regex/hir.ts'
import { negateUnicode, propertyRanges } from './regex/unicode.ts'
import { classOf } from './regex/utf8-sequences.ts'

const LIMIT = DEFAULT_LIMITS.maxRegexBytes

function regex(pattern: string): Regex {
  const parsed = parseRegex(pattern, LIMIT)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

describe('matches', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    ['unanchored', 'b', ['abc'], ['a']],
    ['the empty pattern', '', ['', 'x'], []],
    ['anchors', '^a$', ['a'], ['ab', 'ba', 'a\n']],
    ['a start anchor', '^ab', ['abc'], ['xab']],
    ['an end anchor', 'bc$', ['abc'], ['bcd']],
    ['text bounds', '\\Aa\\z', ['a'], ['aa']],
    ['lines', '(?m)^b$', ['a\nb\nc', 'b'], ['ab']],
    ['the dot leaves out a line feed', '^.$', ['a', '\u00ff'], ['\n', '']],
    ['the dot with s', '(?s)^.$', ['\n'], []],
    ['the dot with R', '(?R)^.$', ['a'], ['\r', '\n']],
    ['the dot with u is one character', '(?u)^.$', [utf8('é'), utf8('😀')], ['\u00ff', '\n', utf8('éé')]],
    ['case', '(?i)straße', [utf8('STRAße')], [utf8('strasse')]],
    ['case of Unicode letters', '(?iu)é', [utf8('É')], ['e']],
    ['case off again', '(?i)a(?-i)b', ['Ab'], ['AB']],
    ['case inside a group', '(?i:a)b', ['Ab'], ['AB']],
    ['alternatives', '^(?:a|bc|)$', ['a', 'bc', ''], ['b']],
    ['counts', '^a{2,3}$', ['aa', 'aaa'], ['a', 'aaaa']],
    ['an open count', '^a{2,}$', ['aa', 'aaaaa'], ['a']],
    ['no copies at all', '^a{0}$', [''], ['a']],
    ['large counts', '^a{1001}$', ['a'.repeat(1001)], ['a'.repeat(1000)]],
    [
      'counts of counts',
      '^(?:(?:ab){30}){40,41}$',
      ['ab'.repeat(1200), 'ab'.repeat(1230)],
      ['ab'.repeat(1201)],
    ],
    ['repetitions of repetitions', '^a*+?$', ['', 'aaa'], ['b']],
    ['space ignored', '(?x) a b # c\n c', ['abc'], ['a b']],
    ['classes', '^[a-c\\d_]$', ['b', '7', '_'], ['d', '-']],
    ['negated classes', '^[^a]$', ['b', '\u00ff', '\n'], ['a']],
    ['a bracket first', '^[]a]$', [']', 'a'], ['b']],
    ['a hyphen first or last', '^[-a]|[b-]$', ['-', 'a', 'b'], ['c']],
    ['nested classes', '^[a[bc]]$', ['a', 'c'], ['d']],
    ['named classes', '^[[:alpha:][:^digit:]]$', ['a', ' '], ['1']],
    ['intersection', '^[a-z&&[^aeiou]]$', ['b'], ['a', '1']],
    ['difference', '^[a-z--m]$', ['a'], ['m']],
    ['symmetric difference', '^[a-c~~b-d]$', ['a', 'd'], ['b', 'c']],
    ['an empty class', '[a&&b]', [], ['a', 'b', '']],
    ['Perl classes', '^\\w\\s\\D$', ['a b', '_\tx'], ['-  ', 'a1b']],
    ['negated Perl classes take any byte', '^\\W$', ['-', '\u00ff'], ['a']],
    ['word bounds', '\\bab\\b', ['ab', '-ab-', 'x ab'], ['abc', 'xab']],
    ['no word bounds', 'a\\Bb', ['ab'], ['a b']],
    ['word starts', '\\b{start}ab', ['ab', '-ab'], ['xab']],
    ['word ends', 'ab\\b{end}', ['xab', 'ab-'], ['abc']],
    ['half word starts', '\\b{start-half}-', ['-', ' -'], ['a-']],
    ['half word ends', '-\\b{end-half}', ['-', '- '], ['-a']],
    ['angle brackets', '\\<ab\\>', ['x ab y'], ['xab', 'abx']],
    ['bytes in hex', '^\\xff\\x41$', ['\u00ffA'], [utf8('ÿA')]],
    ['code points in hex', '^\\x{ff}\\u0041\\U{42}$', [utf8('ÿAB')], ['\u00ffAB']],
    ['control escapes', '^\\t\\n\\r\\a\\f\\v$', ['\t\n\r\u0007\f\v'], []],
    ['escaped punctuation', '^\\.\\-\\"\\/\\@$', ['.-"/@'], []],
    ['text beyond ASCII', '^é+$', [utf8('éé')], ['\u00e9']],
    ['a property', '(?u)^\\p{Greek}\\PL$', [utf8('α1')], [utf8('αβ'), 'a1']],
    ['a property by its long name', '(?u)^\\p{Uppercase_Letter}$', [utf8('É')], [utf8('é')]],
    ['a property turned round', '(?u)^\\p{gc!=L}$', ['1'], ['a']],
    ['Unicode word characters', '(?u)^\\w\\d$', [utf8('é٣')], ['-1']],
    ['Unicode off in a group', '(?u)(?-u:\\xff)', ['\u00ff'], [utf8('ÿ')]],
    ['named groups', '(?P<a>x)(?<b>y)', ['xy'], ['x']],
  ])('%s', (_name, pattern, fitting, others) => {
    const { test: matches } = regex(pattern)
    expect(fitting.filter((text) => !matches(text))).toEqual([])
    expect(others.filter((text) => matches(text))).toEqual([])
  })
})

describe('finds', () => {
  test.each([
    ['the leftmost match', 'b+', 'abbb', { start: 1, end: 4, groups: ['bbb'] }],
    ['the first alternative', 'a|ab', 'ab', { start: 0, end: 1, groups: ['a'] }],
    ['as little as possible', '<.+?>', '<a><b>', { start: 0, end: 3, groups: ['<a>'] }],
    ['as little, by flag', '(?U)a+', 'aaa', { start: 0, end: 1, groups: ['a'] }],
    ['groups', '(a)(x)?(b)', 'ab', { start: 0, end: 2, groups: ['ab', 'a', undefined, 'b'] }],
  ])('%s', (_name, pattern, text, match) => expect(regex(pattern).find(text)).toEqual(match))

  test('nothing', () => expect(regex('a').find('b')).toBeUndefined())
})

describe('refuses', () => {
  test.each([
    ['(', '(', '^', 'unclosed group'],
    [')', ')', '^', 'unopened group'],
    ['a group in an alternative', 'a|(b', '  ^', 'unclosed group'],
    ['nothing to repeat', 'a|*', '  ^', 'repetition operator missing expression'],
    ['a flag to repeat', '(?i)*', '    ^', 'repetition operator missing expression'],
    ['an open count', 'a{2', ' ^^', 'unclosed counted repetition'],
    [
      'counts turned round',
      'a{3,2}',
      ' ^^^^^',
      'invalid repetition count range, the start must be <= the end',
    ],
    ['a count that is no number', 'a{x}', '  ^', 'repetition quantifier expects a valid decimal'],
    ['a count too large', 'a{4294967296}', '  ^^^^^^^^^^', 'decimal literal invalid'],
    ['look-ahead', 'a(?=b)', ' ^^^', 'look-around, including look-ahead and look-behind, is not supported'],
    ['look-behind', '(?<!b)a', '^^^^', 'look-around, including look-ahead and look-behind, is not supported'],
    ['a back-reference', '(a)\\1', '   ^^', 'backreferences are not supported'],
    ['an unknown escape', '\\q', '^^', 'unrecognized escape sequence'],
    ['a lone backslash', 'a\\', ' ^', 'incomplete escape sequence, reached end of pattern prematurely'],
    ['an open class', '[a', '^', 'unclosed character class'],
    ['a range turned round', '[b-a]', ' ^^^', 'invalid character class range, the start must be <= the end'],
    ['a class as a bound', '[a-\\d]', '   ^^', 'invalid range boundary, must be a literal'],
    ['an assertion in a class', '[\\b]', ' ^^', 'invalid escape sequence found in character class'],
    ['a property without u', '\\p{L}', '^^^^^', 'Unicode not allowed here'],
    ['an unknown property', '(?u)\\p{Nope}', '    ^^^^^^^^', 'Unicode property not found'],
    ['a bad hex digit', '\\xg0', '  ^', 'invalid hexadecimal digit'],
    ['no hex digits', '\\x{}', '  ^^', 'hexadecimal literal empty'],
    ['a surrogate', '\\x{d800}', '   ^^^^', 'hexadecimal literal is not a Unicode scalar value'],
    ['the last surrogate', '\\x{dfff}', '   ^^^^', 'hexadecimal literal is not a Unicode scalar value'],
    ['beyond Unicode', '\\x{110000}', '   ^^^^^^', 'hexadecimal literal is not a Unicode scalar value'],
    ['a flag twice', '(?ii)', '  ^^', 'duplicate flag'],
    ['two negations', '(?-i-s)', '  ^ ^', 'flag negation operator repeated'],
    ['a negation of nothing', '(?i-)', '   ^', 'dangling flag negation operator'],
    ['an unknown flag', '(?q)', '  ^', 'unrecognized flag'],
    ['flags without an end', '(?i', '   ^', 'expected flag but got end of regex'],
    ['a name twice', '(?<a>x)(?<a>y)', '   ^      ^', 'duplicate capture group name'],
    ['an empty name', '(?<>x)', '   ^', 'empty capture group name'],
    ['a name with a space', '(?<a b>x)', '    ^', 'invalid capture group character'],
    ['a name without an end', '(?<a', '    ^', 'unclosed capture group name'],
    [
      'an unknown boundary',
      '\\b{x}',
      '   ^',
      'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half',
    ],
    [
      'Unicode word bounds',
      '(?u)\\b',
      '    ^^',
      'Unicode word boundaries are not supported, write (?-u:\\b)',
    ],
  ])('%s', (_name, pattern, marks, reason) =>
    expect(parseRegex(pattern, LIMIT)).toBe(
      `regex parse error:\n    ${pattern}\n    ${marks}\nerror: ${reason}`,
    ),
  )

  test('a pattern of several lines, numbered', () => {
    const rule = '~'.repeat(79)
    const text = `regex parse error:\n${rule}\n1: a\n2: b)\n    ^\n${rule}\nerror: unopened group`
    expect(parseRegex('a\nb)', LIMIT)).toBe(text)
  })

  test.each([
    ['groups', (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`],
    ['repetitions', (depth: number) => `a${'*'.repeat(depth)}`],
  ])('%s deeper than 250', (_name, pattern) => {
    expect(typeof parseRegex(pattern(250), LIMIT)).toBe('object')
    expect(parseRegex(pattern(251), LIMIT)).toContain('exceed the maximum number of nested')
  })

  test('an automaton larger than allowed, without building it', () => {
    expect(parseRegex('(a{1000}){1000}', LIMIT)).toBe('Compiled regex exceeds size limit of 10485760 bytes.')
    expect(regex('a{100000}').test('aaa')).toBe(false)
  })
})

describe('the largest patterns also run', () => {
  test.each([
    ['groups', `${'('.repeat(249)}a${')'.repeat(249)}`],
    ['repeated groups', `${'('.repeat(125)}a${')*'.repeat(125)}`],
    ['repetitions', `a${'*'.repeat(250)}`],
    ['classes', `${'[a'.repeat(200)}${']'.repeat(200)}`],
    ['counts of counts', `(?:${'a?'.repeat(50)}){20}`],
  ])('%s', (_name, pattern) => expect(regex(pattern).test('a')).toBe(true))

  test.each([
    ['nested stars', '(?:a+)+$', false],
    ['equal alternatives', '(?:a|a)*$', true],
    ['a far choice', '(?:a|b)*a(?:a|b){20}c', false],
  ])('in linear time: %s', (_name, pattern, expected) => {
    // If the time doubled with each letter, this would not end.
    expect(regex(pattern).test(`${'a'.repeat(50_000)}!`)).toBe(expected)
  })
})

describe('tables read from the engine', () => {
  test.each([
    ['L', 0x41, 0x31],
    ['Lu', 0xc9, 0xe9],
    ['Nd', 0x31, 0x41],
    ['Greek', 0x3b1, 0x61],
    ['Han', 0x4e00, 0x61],
  ])('%s has exactly its members', (name, member, other) => {
    const has = (point: number) =>
      propertyRanges(name)?.some(([first, last]) => point >= first && point <= last)
    expect([has(member), has(other), has(0x10ffff)]).toEqual([true, false, false])
  })

  test('an unknown name has none', () => expect(propertyRanges('Nope')).toBeUndefined())
})

describe('tables are computed once', () => {
  afterEach(() => vi.restoreAllMocks())

  test('names in any case share one table', () => {
    expect(propertyRanges('gReEk')).toBe(propertyRanges('Greek'))
    expect(propertyRanges('Letter')).toBe(propertyRanges('l'))
    expect(propertyRanges('any')).toBe(propertyRanges('Any'))
  })

  test('folding, negation and encoding return the same object again', () => {
    const letters = propertyRanges('L') ?? []
    const folded = foldUnicode(letters)
    expect(foldUnicode(letters)).toBe(folded)
    expect(foldUnicode(folded)).toBe(folded)
    expect(negateUnicode(folded)).toBe(negateUnicode(folded))
    expect(negateUnicode(negateUnicode(folded))).toBe(folded)
    expect(foldUnicode(negateUnicode(folded))).toBe(negateUnicode(folded))
    expect(classOf(folded)).toBe(classOf(folded))
    expect(classOf(folded).bytes()).toBe(classOf(folded).bytes())
    expect(casesOf(0x6b)).toBe(casesOf(0x212a))
  })

  test.each([
    ['negated letters', `(?iu)${'[^\\p{L}]'.repeat(80)}`],
    ['letters', `(?iu)${'\\p{L}'.repeat(50)}`],
    ['too many letters', `(?iu)${'\\p{L}'.repeat(400)}`],
    ['letters and numbers', `(?u)${'\\p{L}\\p{N}'.repeat(60)}`],
    ['literals', '(?iu)stra\u00dfe'.repeat(20)],
    ['different classes', distinctClasses(40)],
  ])('the engine is not called again: %s', (_name, pattern) => {
    parseRegex(pattern, LIMIT)
    const compile = vi.spyOn(RE2JS, 'compile')
    parseRegex(pattern, LIMIT)
    expect(compile).not.toHaveBeenCalled()
  })

  test('every code point folds as in the engine', () => {
    const letters = [...(propertyRanges('L') ?? []), ...(propertyRanges('N') ?? []), [0x345, 0x345] as const]
    const wrong = letters.flatMap(([first, last]) => {
      if (last - first > 3000) return []
      return engineFolds(first, last).filter(
        ([point, folded]) => String(foldUnicode([[point, point]])) !== String(folded),
      )
    })
    expect(wrong).toEqual([])
    expect(foldUnicode([[0x3400, 0x9fff]])).toEqual([[0x3400, 0x9fff]])
  })
})

const distinctClasses = (count: number): string =>
  `(?iu)${Array.from({ length: count }, (_, i) => `[\\p{L}\\x{${(0x1000 + i * 2).toString(16)}}]`).join('')}`

describe('the size of a class', () => {
  test.each<[string, readonly (readonly [number, number])[]]>([
    ['nothing', []],
    ['one byte', [[0x61, 0x61]]],
    [
      'bytes',
      [
        [0x30, 0x39],
        [0x61, 0x7a],
      ],
    ],
    ['one sequence', [[0xe9, 0xe9]]],
    ['all lengths', [[0, 0x10ffff]]],
    ['surrogates', [[0xd800, 0xdfff]]],
    ['around surrogates', [[0xd7ff, 0xe000]]],
    ['uneven ends', [[0x85, 0x1f600]]],
    ['letters', propertyRanges('L') ?? []],
    ['no letters', negateUnicode(propertyRanges('L') ?? [])],
  ])('is the size of its bytes: %s', (_name, ranges) => {
    const hir = classOf(ranges)
    expect(hir.sizeBytes).toBe(automatonBytes(hir.bytes()))
    expect(hir.shortest).toBe(shortestMatch(hir.bytes()))
  })

  test.each([
    [0, 0x10ffff],
    [0x80, 0x10ffff],
    [0x41, 0x5a],
    [0x100, 0x17f],
    [0x4e00, 0x9fff],
  ])('folding adds no more to %i..%i than estimated', (first, last) => {
    const count = (ranges: readonly (readonly [number, number])[]) =>
      ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)
    const added = count(foldUnicode([[first, last]])) - (last - first + 1)
    expect(added).toBeLessThanOrEqual(mostAdded(first, last))
  })

  test('large combined classes are estimated, and still match', () => {
    const { test: matches } = regex('(?iu)^[\\p{Lu}\\d--[a-f]]$')
    expect([matches('A'), matches('g'), matches(utf8('\u00e9')), matches('7'), matches('-')]).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
    const { test: negated } = regex('(?iu)^[^\\p{L}k]$')
    expect([negated('K'), negated(utf8('\u212a')), negated('1')]).toEqual([false, false, true])
    expect(regex('(?u)^[\\p{L}&&1]$').test('1')).toBe(false)
  })

  test('the estimate is close to the size', () => {
    const sizeOf = (pattern: string) => regex(pattern).sizeBytes
    const alone = sizeOf('(?iu)\\p{L}')
    for (const pattern of ['(?iu)[\\p{L}1]', '(?iu)[^\\p{L}1]', '(?iu)[\\p{L}--k]']) {
      expect(sizeOf(pattern) / alone).toBeGreaterThan(0.8)
      expect(sizeOf(pattern) / alone).toBeLessThan(1.2)
    }
  })

  test('errors inside estimated classes are found', () => {
    expect(parseRegex('(?u)[\\p{L}\\p{N}\\p{Nope}]', LIMIT)).toContain('Unicode property not found')
  })

  test('too many are refused before any is built', () => {
    expect(parseRegex(distinctClasses(250), LIMIT)).toBe(
      'Compiled regex exceeds size limit of 10485760 bytes.',
    )
  })
})

/** The folding of each code point in the engine, in one program: one class each. */
function engineFolds(first: number, last: number): readonly (readonly [number, readonly number[]])[] {
  const points = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const text = points.map((point) => `[\\x{${point.toString(16)}}\\x{10ffff}]`).join('')
  const instructions = RE2JS.compile(`(?i:${text})`).re2().prog.inst as readonly {
    readonly op: number
    readonly runes: ArrayLike<number>
  }[]
  const folds = instructions.filter(({ op }) => op === 8).map(({ runes }) => Array.from(runes).slice(0, -2))
  return points.map((point, i) => [point, folds[i] ?? []] as const)
}
