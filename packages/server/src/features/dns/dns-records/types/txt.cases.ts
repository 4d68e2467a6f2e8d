import type { ApiCases } from './cases.ts'

const x = (count: number) => 'x'.repeat(count)
const is = (name: string, content: string, stored: string, served = stored) =>
  [name, { content }, { content: stored, proxiable: false, settings: {} }, served] as const
const bad = (name: string, content: unknown, code = 9007) =>
  [name, { content }, [code], ['/content']] as const

export const txtCases: ApiCases = {
  name: 'text',
  valid: [
    is('words', 'v=spf1 -all', '"v=spf1 -all"'),
    is('a word', 'token', '"token"'),
    is('quoted words', '"v=spf1 -all"', '"v=spf1 -all"'),
    is('two strings', '"a" "b"', '"a" "b"'),
    is('two strings without a space between them', '"a""b"', '"a""b"', '"a" "b"'),
    is('strings far apart', '"a"  \t "b"', '"a"  \t "b"', '"a" "b"'),
    is('whitespace around quotes', ' "a" ', '"a"'),
    is('whitespace around words', ' a ', '" a "'),
    is('a blank', ' ', '" "'),
    is('an empty string beside another', '"" "a"', '"" "a"'),
    is('an empty string', '""', '""'),
    is('two empty strings', '"" ""', '"" ""'),
    is('a semicolon', 'v=DKIM1; k=rsa; p=abc', '"v=DKIM1; k=rsa; p=abc"'),
    is('an apostrophe and a backtick', "it's `so`", '"it\'s `so`"'),
    is('a backslash in words', 'a\\b', '"a\\\\b"'),
    is('two backslashes in words', 'a\\\\b', '"a\\\\\\\\b"'),
    is('a backslash at the end of words', 'a\\', '"a\\\\"'),
    is('an escaped quote', '"a\\"b"', '"a\\"b"'),
    is('an escaped backslash', '"a\\\\b"', '"a\\\\b"'),
    is('an octet by its decimal escape', '"a\\255b"', '"a\\255b"'),
    is('a letter by its decimal escape', '"\\065"', '"\\065"', '"A"'),
    is('letters beyond ASCII', 'grüße', '"grüße"', '"gr\\195\\188\\195\\159e"'),
    is('letters beyond 16 bits', '"😀"', '"😀"', '"\\240\\159\\152\\128"'),
    is('a line break, which zone files cannot have', 'a\nb', '"a\\010b"'),
    is('a NUL', '"a\u0000b"', '"a\\000b"'),
    is('a tab', 'a\tb', '"a\tb"', '"a\\009b"'),
    is('255 octets', x(255), `"${x(255)}"`),
    is('256 octets', x(256), `"${x(255)}" "x"`),
    is('510 octets', x(510), `"${x(255)}" "${x(255)}"`),
    is('511 octets', x(511), `"${x(255)}" "${x(255)}" "x"`),
    is('a quoted string of 256 octets', `"${x(256)}"`, `"${x(255)}" "x"`),
    is(
      '255 letters of two octets',
      'ü'.repeat(255),
      `"${'\\195\\188'.repeat(127)}\\195" "\\188${'\\195\\188'.repeat(127)}"`,
    ),
    is(
      '4096 octets of wire form, the maximum',
      x(4080),
      `"${Array.from({ length: 16 }, () => x(255)).join('" "')}"`,
    ),
    [
      'any name',
      { name: '_acme-challenge.1st', content: 'a' },
      { name: '_acme-challenge.1st.example.com' },
      '"a"',
    ],
    ['a wildcard', { name: '*', content: 'a' }, { name: '*.example.com' }, '"a"'],
  ],
  invalid: [
    ['no content', {}, [9007], ['/content']],
    bad('content: null', null),
    bad('nothing', ''),
    bad('an unclosed quote', '"abc'),
    bad('an unopened quote', 'abc"'),
    bad('a quote in the middle', 'a"b'),
    bad('words after a string', '"a" b'),
    bad('words before a string', 'a "b"'),
    bad('a third quote', '"a" "'),
    bad('a backslash before the last quote', '"a\\"'),
    bad('a decimal escape above 255', '"\\256"'),
    bad('a decimal escape of two digits', '"\\25"'),
    bad('a number', 5, 6008),
    bad('a list', ['a'], 6008),
    bad('4097 octets of wire form', x(4081), 9015),
    ['proxied', { content: 'a', proxied: true }, [9004], ['/proxied']],
  ],
}

/** In the profile that echoes input, unquoted content is stored as sent, unless it had to be split. */
export const txtVendorCases: ApiCases = {
  ...txtCases,
  valid: [
    is('words', 'v=spf1 -all', 'v=spf1 -all', '"v=spf1 -all"'),
    is('a word', 'token', 'token', '"token"'),
    is('quoted words', '"v=spf1 -all"', '"v=spf1 -all"'),
    is('two strings', '"a" "b"', '"a" "b"'),
    is('whitespace around quotes', ' "a" ', '"a"'),
    is('whitespace around words', ' a ', ' a ', '" a "'),
    is('a backslash in words', 'a\\b', 'a\\b', '"a\\\\b"'),
    is('two backslashes in words', 'a\\\\b', 'a\\\\b', '"a\\\\\\\\b"'),
    is('text like a decimal escape in words', 'a\\065', 'a\\065', '"a\\\\065"'),
    is('an escaped quote', '"a\\"b"', '"a\\"b"'),
    is('letters beyond ASCII', 'grüße', 'grüße', '"gr\\195\\188\\195\\159e"'),
    is('a line break, which zone files cannot have', 'a\nb', '"a\\010b"'),
    is('255 octets', x(255), x(255), `"${x(255)}"`),
    is('256 octets', x(256), `"${x(255)}" "x"`),
    is('a quoted string of 256 octets', `"${x(256)}"`, `"${x(255)}" "x"`),
  ],
}
