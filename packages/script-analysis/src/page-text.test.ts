import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMarkup, readPageText } from './page-text.ts'
import { scoreScript } from './score-script.ts'

describe('the scripts of a page', () => {
  test.each([
    ['one', '<script>a()</script>', ['a()']],
    ['two, whatever stands between', '<p>x<script>a()</script></p><SCRIPT>b()</SCRIPT >', ['a()', 'b()']],
    ['one that does not end', '<html><script>a()', ['a()']],
    ['a sign within quotes ends no tag', '<script data-x="a>b">c()</script>', ['c()']],
    ['a quote that nothing closes is none', '<script data-x="a>c()</script>', ['c()']],
    ['tags in texts of a script', `<script>x="<b>"; y='<script>'</script>`, [`x="<b>"; y='<script>'`]],
    ['in a comment: none', '<!-- <script>a()</script> --><script>b()</script>', ['b()']],
    ['after a comment without end: none', '<script>a()</script><!-- <script>b()</script>', ['a()']],
    ['after an empty comment', '<!--><script>a()</script><!---><script>b()</script>', ['a()', 'b()']],
    ['in a comment that goes on: none', '<!--!><script>a()</script>--><script>b()</script>', ['b()']],
    ['after a comment that ends with an exclamation mark', '<!-- a --!><script>a()</script>', ['a()']],
    ['wrapped in a comment', '<script><!-- hide\na()\n//--></script>', ['a()\n//']],
    ['data', '<script type="application/json">{"a":1}</script>', []],
    ['a template', `<script type='text/template'><b></b></script>`, []],
    ['empty', '<script src="/a.js"> </script>', []],
    ['handlers, after the others', '<img onerror="b()&quot;"><script>a()</script>', ['a()', 'b()"']],
    ['a handler without quotes', '<body onload=start()>', ['start()']],
    ['a name that only begins alike', '<scripts>a()</scripts><script-x>b()</script-x>', []],
  ])('%s', (_, page, scripts) => {
    expect(readPageText(page).scripts).toEqual(scripts)
  })

  test('are limited to sixty', () => {
    const read = (count: number) => readPageText(`${'<script>a()</script>'.repeat(count)}<p id="a">a</p>`)
    expect([60, 61].map(read).map(({ scripts, isCut }) => [scripts.length, isCut])).toEqual([
      [60, false],
      [60, true],
    ])
    const two = readPageText(`${'<script>a()</script>'.repeat(59)}<img onerror="b(1)" onload="c(1)">`)
    expect([two.isCut, two.scripts.length, two.scripts.at(-1)]).toEqual([true, 60, 'b(1)'])
  })
})

test('resources that a page loads', () => {
  const page = `<script src="//a.example/a.js"></script><iframe width=0 src='/b'></iframe><img src=c.gif>
    <form method=post action="https://d.example/"></form><a href="/e"></a><img>`
  expect(readPageText(page)).toEqual({
    scripts: [],
    owners: [],
    elements: [],
    loads: [
      { tag: 'script', address: '//a.example/a.js' },
      { tag: 'frame', address: '/b' },
      { tag: 'image', address: 'c.gif' },
      { tag: 'form', address: 'https://d.example/' },
    ],
    hasHiddenFrame: true,
    isCut: false,
  })
})

test.each([
  ['a page', '<!DOCTYPE html><p>a</p>', true],
  ['a rare tag before a script', '<br><script>a()</script>', true],
  ['the end of an element before a script', '</p><script>a()</script>', true],
  ['a rare tag without a script', '<br />var a=1', false],
  ['code of a server', '<?php echo 1;', false],
  ['a type of TypeScript', '<any>window.a=1', false],
  ['a script that has a page in a string', `var a='<script>b()<\\/script>'`, false],
])('markup: %s', (_, text, expected) => {
  expect(readMarkup(text) !== null).toBe(expected)
})

test.each([
  ['a style', '<iframe src="a" style="display : none">', true],
  ['far away', `<iframe style='position:absolute;left:-9999px'>`, true],
  ['of some size', '<iframe width=100 height=10>', false],
  ['an image, which is none', '<img width=1 height=1>', false],
])('a hidden frame: %s', (_, page, isHidden) => {
  expect(readPageText(page).hasHiddenFrame).toBe(isHidden)
})

test('any text is parsed, and the result contains only parts of it', () => {
  const chunks = fc.constantFrom(
    '<script',
    '>',
    '</script>',
    '<!--',
    '-->',
    '"',
    "'",
    '=',
    ' src',
    ' onload',
    'a',
    '<',
    '/',
    '<iframe ',
  )
  fc.assert(
    fc.property(fc.array(chunks, { maxLength: 60 }), (parts) => {
      const text = parts.join('')
      const { scripts, loads } = readPageText(text)
      for (const script of scripts) expect(text).toContain(script.trim())
      for (const { address } of loads) expect(text).toContain(address)
      expect([null, 'object']).toContain(readMarkup(text) && typeof readMarkup(text))
    }),
  )
})

// Quadratic time in the length of the text exceeds the test timeout.
test.each([
  [
    'refreshes of blanks without end',
    `var s=' ',i;for(i=0;i<15;i++)s+=s;var m=document.createElement('meta');
    for(i=0;i<60;i++){m.content=s;m.setAttribute('content',s)}`,
  ],
  ['conditions that are never closed', `/*@cc_on ${'@if('.repeat(60_000)}*/ var a=1`],
])('%s are scanned once', (_, source) => {
  expect(scoreScript(source).scores).not.toBeNull()
})
