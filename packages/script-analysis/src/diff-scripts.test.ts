// Differences of scripts: what is shown, what counts as moved, and that no line is lost.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beautify, breakText } from './beautify.ts'
import { diffLines } from './diff-lines.ts'
import { diffScripts, MAX_LINE_CHARACTERS, MAX_SHOWN_LINES } from './diff-scripts.ts'

const ONE = 'function one(){var q=1;return fetch("/a",{method:"post"}).then(function(r){return r.json()})}'
const TWO = 'function two(){document.title="x";window.alert("a message");return 1}'
const shown = (before: string, after: string) =>
  diffScripts(before, after)
    .hunks.flatMap(({ lines }) => lines)
    .filter(({ kind }) => kind !== 'same')
    .map(({ kind, text }) => `${kind} ${text.trim()}`)

describe('the difference between two scripts', () => {
  test.each([
    ['equal', ONE, ONE, []],
    ['comments and whitespace only', ONE, `/* a */ ${ONE.replaceAll('{', ' {\n')}`, []],
    ['a statement that was added in minified code', `a(),b()`, `a(),c(),b()`, ['added c(),']],
    ['a variable', 'var a=1,b=2', 'var a=1,b=3', ['removed b = 2;', 'added b = 3;']],
    ['a number, which does not change the structure', 'a(1)', 'a(2)', ['removed a(1);', 'added a(2);']],
    ['text that is no script', 'a{b;c', 'a{b;d', ['removed c', 'added d']],
  ])('%s', (_, before, after, expected) => {
    expect(shown(before, after)).toEqual(expected)
  })

  test('moved functions are recognized, also if they are nested elsewhere; short ones are not', () => {
    const first = `${ONE}${TWO}`
    expect(diffScripts(first, `${TWO}${ONE}`)).toMatchObject({ added: 0, removed: 0, moved: 5 })
    const nested = diffScripts(`${ONE};x=function(){y()}`, `x=function(){y();${ONE}}`)
    expect(nested.moved).toBeGreaterThan(3)
    expect(diffScripts('a();b(1);c(2);d(3)', 'b(1);c(2);d(3);a()')).toMatchObject({ moved: 0 })
  })

  test('a changed line in a moved function stays a change', () => {
    const after = `${TWO.replace('a message', 'another')}${ONE}`
    expect(shown(`${ONE}${TWO}`, after).filter((line) => line.includes('alert'))).toEqual([
      'added window.alert("another");',
      'removed window.alert("a message");',
    ])
  })

  test('hunks have line numbers of the printed form and three lines of context', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `call${index}()`)
    const after = lines.with(10, 'changed()').join(';')
    const [hunk, ...others] = diffScripts(lines.join(';'), after).hunks
    expect(others).toEqual([])
    expect(hunk).toMatchObject({ beforeLine: 8, afterLine: 8 })
    expect(hunk?.lines.map(({ text }) => text)).toEqual([
      'call7();',
      'call8();',
      'call9();',
      'call10();',
      'changed();',
      'call11();',
      'call12();',
      'call13();',
    ])
  })

  test('what is shown is limited, and says so', () => {
    const calls = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name}${index}()`).join(';')
    const many = diffScripts('', calls('a', MAX_SHOWN_LINES + 10))
    expect(many).toMatchObject({ isShortened: true, added: MAX_SHOWN_LINES + 10 })
    expect(many.hunks.flatMap(({ lines }) => lines)).toHaveLength(MAX_SHOWN_LINES)
    const long = diffScripts('a("")', `a("${'b'.repeat(MAX_LINE_CHARACTERS)}")`)
    expect(long.isShortened).toBe(true)
    expect(diffScripts('a()', 'b()').isShortened).toBe(false)
  })

  test('more edits than are computed count as replaced', () => {
    const before = Array.from({ length: 2000 }, (_, index) => String(index % 7))
    const after = Array.from({ length: 2000 }, (_, index) => String((index * index) % 11))
    const lines = diffLines(before, after)
    expect(lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before)
    expect(lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after)
  })

  test('a script that is nested too deeply to be printed is compared as text', () => {
    const deep = `${'('.repeat(60_000)}1${')'.repeat(60_000)};`
    expect(diffScripts(deep, `${deep}a()`)).toMatchObject({ form: 'text', added: 1, removed: 0 })
  })
})

test('no line is lost or invented', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', '  a'), { maxLength: 60 })
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const found = diffLines(before, after)
      expect(found.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before)
      expect(found.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after)
    }),
  )
})

test('arbitrary text is accepted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
      const { hunks } = diffScripts(before, after)
      if (before === after) expect(hunks).toEqual([])
      expect(breakText(before).join('').length).toBeLessThanOrEqual(before.length)
    }),
  )
})

test.each([
  'class A{static{a()}#b=1;get c(){return this.#b}}',
  'export default async function*a(){for await(const b of c)yield*b}',
  'import a,{b as c}from"d";a?.b?.[c]??(d||=1n)',
  'label:for(;;){switch(a){case 1:break label;default:continue}}',
  'a=`b${c}d`;/e/gi.test(f);new.target',
])('the printed form is the same program: %s', (source) => {
  const once = beautify(source)?.join('\n')
  if (source.endsWith('new.target')) return expect(once).toBeUndefined()
  expect(once).toBeDefined()
  expect(beautify(once ?? '')?.join('\n')).toBe(once)
})
