// Which scripts a page has.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPageReader, type PageScript } from './page-scripts.ts'

const PAGE = 'https://www.example.com/shop/pay'
function read(html: string, chunk = html.length) {
  const reader = createPageReader()
  for (let at = 0; at < html.length; at += chunk) reader.write(html.slice(at, at + chunk))
  return reader.end(PAGE)
}
const external = (url: string, integrity: string | null = null): PageScript => ({
  kind: 'external',
  url,
  integrity,
})
const inline = (text: string): PageScript => ({ kind: 'inline', text })
const handler = (text: string): PageScript => ({ kind: 'handler', text })

const ROWS: readonly [name: string, html: string, scripts: readonly PageScript[]][] = [
  ['none', '<p>text</p>', []],
  [
    'by address',
    '<script src="/a.js#x"></script><SCRIPT SRC=b.js></SCRIPT>',
    [external('https://www.example.com/a.js'), external('https://www.example.com/shop/b.js')],
  ],
  [
    'with integrity',
    '<script src="//cdn.example.net/a.js" integrity="sha384-x" crossorigin></script>',
    [external('https://cdn.example.net/a.js', 'sha384-x')],
  ],
  [
    'against a base',
    '<base href="https://cdn.example.net/x/"><base href="https://no.example/"><script src="a.js"></script>',
    [external('https://cdn.example.net/x/a.js')],
  ],
  [
    'inline',
    '<script>if (a < b && c) document.write("<b>")</script>',
    [inline('if (a < b && c) document.write("<b>")')],
  ],
  [
    'a module and an import map',
    '<script type="module">a()</script><script type="importmap">{}</script>',
    [inline('a()'), inline('{}')],
  ],
  [
    'with a type that is run',
    '<script type="text/javascript; charset=utf-8">a()</script><script type="application/x-javascript">b()</script>',
    [inline('a()'), inline('b()')],
  ],
  [
    'data is not run',
    '<script type="application/ld+json">{"a":1}</script><script type="text/template" src="a.js"></script>',
    [],
  ],
  ['empty', '<script> </script>', []],
  [
    'not in comments and text fields',
    '<!-- <script src="a.js"></script> --><textarea><script>a()</script></textarea><title><script>b()</script></title>',
    [],
  ],
  [
    'handlers',
    '<body onload=" go(1) "><img src=x onerror=go(&quot;2&quot;)><p on="x" one onclick="">',
    [handler('go(1)'), handler('go("2")')],
  ],
  ['in SVG', '<svg><script href="a.js"></script></svg>', [external('https://www.example.com/shop/a.js')]],
  ['an address that cannot be read', '<script src="https://["></script>', [external('https://[')]],
]

describe('scripts of a page', () => {
  test.each(ROWS)('%s', (_, html, scripts) => {
    expect(read(html)).toEqual({ scripts, omitted: 0 })
  })

  test.each(ROWS)('the same in chunks of one character: %s', (_, html, scripts) => {
    expect(read(html, 1).scripts).toEqual(scripts)
  })

  test('a thousand are listed, the others are counted', () => {
    const { scripts, omitted } = read('<script src=a.js></script>'.repeat(1_003))
    expect([scripts.length, omitted]).toEqual([1_000, 3])
  })

  test('any text is read', () => {
    const part = fc.constantFrom(
      '<script',
      '>',
      '</script>',
      ' src=',
      '"',
      "'",
      '<!--',
      '-->',
      'on',
      'load=',
      '<',
      '/',
      'a',
      '&amp;',
      '\0',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (parts, chunk) => {
        const html = parts.join('')
        expect(read(html, chunk).scripts.length).toBeLessThanOrEqual(html.length)
      }),
    )
  })
})
