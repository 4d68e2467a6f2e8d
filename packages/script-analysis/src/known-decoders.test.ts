import { describe, expect, test } from 'vitest'
import { analyse } from './analysis.ts'
import { createKnownDecoders } from './known-decoders.ts'
import { type FunctionNode, isFunction, parseSource } from './syntax-tree.ts'

const swapped = (text: string): string =>
  Buffer.from(text)
    .toString('base64')
    .replaceAll(/[a-z]/giu, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
const node = (): FunctionNode => {
  const [statement] = parseSource('function f(a, b) {}')?.body ?? []
  if (statement === undefined || !isFunction(statement)) throw new Error('no function')
  return statement
}
const xor = (text: string, key: string): string =>
  [...text].map((c, i) => String.fromCharCode(c.charCodeAt(0) ^ key.charCodeAt(i % key.length))).join('')

describe('a function is known after it has returned what a decoder returns', () => {
  test.each<[name: string, args: (text: string) => readonly string[]]>([
    ['base64', (text) => [Buffer.from(text).toString('base64')]],
    ['base64 with its letters swapped', (text) => [swapped(text)]],
    ['hexadecimal', (text) => [Buffer.from(text).toString('hex')]],
    ['backwards', (text) => [[...text].toReversed().join('')]],
    ['a key', (text) => [xor(text, 'key'), 'key']],
    ['a key behind base64', (text) => [Buffer.from(xor(text, 'k')).toString('base64'), 'k']],
  ])('%s', (_, args) => {
    const decoders = createKnownDecoders()
    const decoder = node()
    decoders.learn(decoder, args('checkout'), 'checkout', 1000)
    // One match may be chance.
    expect(decoders.compute(decoder, args('cc_number'))).toBeUndefined()
    decoders.learn(decoder, args('checkout'), 'checkout', 1000)
    expect(decoders.compute(decoder, args('cc_number'))).toBeUndefined()
    decoders.learn(decoder, args('payment'), 'payment', 1000)
    expect(decoders.compute(decoder, args('cc_number'))).toBe('cc_number')
    // Each function is learned separately.
    expect(decoders.compute(node(), args('cc_number'))).toBeUndefined()
  })

  test.each<[name: string, given: readonly (readonly [readonly unknown[], unknown, number?])[]]>([
    [
      'what gives something else',
      [
        [['aGVsbG8='], 'hello!'],
        [['d29ybGQ='], 'world'],
      ],
    ],
    [
      'what gave something else once',
      [
        [['aGVsbG8='], 'hello'],
        [['d29ybGQ='], 'word'],
        [['YWJjZA=='], 'abcd'],
      ],
    ],
    [
      'what is quick by itself',
      [
        [['aGVsbG8='], 'hello', 10],
        [['d29ybGQ='], 'world', 10],
      ],
    ],
    [
      'texts too short to prove anything',
      [
        [['aa'], 'aa'],
        [['bb'], 'bb'],
      ],
    ],
    [
      'numbers',
      [
        [[1], 'hello'],
        [[2], 'world'],
      ],
    ],
    [
      'three arguments',
      [
        [['olleh', 'a', 'b'], 'hello'],
        [['dlrow', 'a', 'b'], 'world'],
      ],
    ],
  ])('not %s', (_, given) => {
    const decoders = createKnownDecoders()
    const decoder = node()
    for (const [args, result, steps = 1000] of given) decoders.learn(decoder, args, result, steps)
    expect(decoders.compute(decoder, ['aGVsbG8='])).toBeUndefined()
    expect(decoders.compute(decoder, [1])).toBeUndefined()
  })
})

test('RC4 in a script is decoded for hundreds of texts', () => {
  const source = `
    function rc4(str, key) {
      var s = [], j = 0, x, res = '';
      for (var i = 0; i < 256; i++) s[i] = i;
      for (i = 0; i < 256; i++) { j = (j + s[i] + key.charCodeAt(i % key.length)) % 256; x = s[i]; s[i] = s[j]; s[j] = x; }
      i = 0; j = 0;
      for (var y = 0; y < str.length; y++) {
        i = (i + 1) % 256; j = (j + s[i]) % 256; x = s[i]; s[i] = s[j]; s[j] = x;
        res += String.fromCharCode(str.charCodeAt(y) ^ s[(s[i] + s[j]) % 256]);
      }
      return res;
    }
    // Encrypting twice gives the text again.
    for (var n = 0; n < 900; n++) rc4(rc4('plain text ' + n, 'key'), 'key');
    fetch(rc4(rc4('https://last.example/', 'key'), 'key'));`
  const { observed } = analyse(source)
  expect(observed.flows).toMatchObject([
    {
      sink: 'fetch',
      address: 'https://last.example/',
      taint: 0,
      hostTaint: 0,
      nameTaint: 0,
      on: '',
      under: 0,
    },
  ])
  expect(observed.decoded.has('plain text 899')).toBe(true)
})
