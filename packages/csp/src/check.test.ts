// Problems of policies: which, how severe, and exactly where.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPolicy } from './check.ts'

/** The problems found: level, ID, and the text they refer to. */
const found = (text: string): string[] =>
  checkPolicy(text).map(({ level, id, start, end }) => `${level} ${id} ${text.slice(start, end)}`)

const HASH = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

describe('checkPolicy', () => {
  const cases: [name: string, text: string, problems: string[]][] = [
    [
      'an empty list',
      'script-src; img-src',
      ['warning directive.no-sources script-src', 'warning directive.no-sources img-src'],
    ],
    ['a plain policy', "img-src 'none'; upgrade-insecure-requests", []],
    ['nothing', '', ['error policy.empty ']],
    ['separators alone', ' ; ', ['error policy.empty  ; ']],
    ['a comma', 'img-src a.test/x,y/', ['warning source.invalid a.test/x,y/', 'error policy.comma ,']],
    ['a line end', "img-src 'none';\nfont-src 'none'", ['error policy.control-character \n']],
    ['a NUL', "img-src 'none'\0", ["warning source.invalid 'none'\0", 'error policy.control-character \0']],
    ['a tab is whitespace', "img-src\t'none'", []],
    ['not ASCII', 'img-src bücher.test', ['warning source.invalid bücher.test', 'error policy.not-ascii ü']],
    ['an unknown directive', "scripts 'self'", ['error directive.unknown scripts']],
    ['a misspelled directive', "script_src 'self'", ['error directive.unknown script_src']],
    ['a reporting directive', 'report-uri /x', ['error directive.refused report-uri']],
    ['the newer reporting directive', 'report-to x', ['error directive.refused report-to']],
    ['a sandbox', 'sandbox', ['error directive.refused sandbox']],
    ['twice', "img-src 'none'; img-src *", ['warning directive.duplicate img-src *']],
    ['deprecated', 'block-all-mixed-content', ['warning directive.deprecated block-all-mixed-content']],
    ['a value for a directive without values', 'upgrade-insecure-requests 1', ['warning directive.value 1']],
    ['a nonce', "script-src 'nonce-abc'", ["error source.nonce 'nonce-abc'"]],
    [
      'keywords without quotes',
      'script-src self none',
      ['warning source.unquoted self', 'warning source.unquoted none'],
    ],
    ['double quotes', 'script-src "self"', ['warning source.unquoted "self"']],
    [
      'curly quotes',
      'script-src ’self’',
      ['error policy.not-ascii ’', 'warning source.unquoted ’self’', 'error policy.not-ascii ’'],
    ],
    ['a hash without quotes', 'script-src sha256-AAAA', ['warning source.unquoted sha256-AAAA']],
    ['a padded hash without quotes', 'script-src sha256-AAA=', ['warning source.unquoted sha256-AAA=']],
    ['a nonce without quotes', 'script-src nonce-AAAA', ['warning source.unquoted nonce-AAAA']],
    ['a scheme without its colon', 'img-src https', ['warning source.scheme https']],
    ['an unknown keyword', "img-src 'all'", ["warning source.unknown-keyword 'all'"]],
    ['a star inside', 'img-src a.*.test', ['warning source.wildcard a.*.test']],
    ['an invalid source', 'img-src //a.test', ['warning source.invalid //a.test']],
    ['an underscore', 'img-src my_img.a.test/x_y', ['warning source.underscore my_img.a.test/x_y']],
    ['an IPv6 address', 'img-src [::1]', ['warning source.invalid [::1]']],
    ['an invalid port', 'img-src a.test:70000', ['warning source.invalid a.test:70000']],
    ["'none' with other sources", "img-src 'none' https:", ["warning source.none 'none'"]],
    [
      'twice in a list',
      "img-src 'none' 'none'",
      ["warning source.none 'none'", "warning source.duplicate 'none'", "warning source.none 'none'"],
    ],
    ['a digest too short', "script-src 'sha256-AAAA'", ["warning source.digest 'sha256-AAAA'"]],
    ['a digest of the right length', `script-src ${HASH}`, []],
    [
      'inline with a hash',
      `script-src 'unsafe-inline' ${HASH}`,
      ["warning source.inline-void 'unsafe-inline'"],
    ],
    [
      'hosts with strict-dynamic',
      "script-src 'strict-dynamic' https:",
      ['note source.open https:', 'warning source.dynamic-void https:'],
    ],
    ['a script keyword for images', "img-src 'unsafe-eval'", ["warning source.misplaced 'unsafe-eval'"]],
    ['inline for images', "img-src 'unsafe-inline'", ["warning source.misplaced 'unsafe-inline'"]],
    ['inline for styles', "style-src 'unsafe-inline'", []],
    ['a hash for connections', `connect-src ${HASH}`, [`warning source.misplaced ${HASH}`]],
    ['self', "img-src 'self'", ["note source.self 'self'"]],
    ['a bare host', 'img-src www.a.test', ['note source.host www.a.test']],
    ['sub-domains', 'img-src *.a.test', ['note source.sub-domains *.a.test']],
    [
      'a path without its slash',
      'img-src a.test/x',
      ['note source.host a.test/x', 'note source.exact-path a.test/x'],
    ],
    ['a folder', 'img-src a.test/x/', ['note source.host a.test/x/']],
    [
      'a path that URLs never have',
      'img-src a.test/../x/',
      ['note source.host a.test/../x/', 'warning source.path a.test/../x/'],
    ],
    [
      'a backslash',
      'img-src a.test/a\\b/',
      ['note source.host a.test/a\\b/', 'warning source.path a.test/a\\b/'],
    ],
    ['a query', 'img-src a.test/?v=1', ['note source.host a.test/?v=1', 'warning source.query a.test/?v=1']],
    ['an address', 'img-src 192.0.2.1', ['note source.host 192.0.2.1', 'warning source.address 192.0.2.1']],
    ['star and port', 'img-src *:8443', ['warning source.star-port *:8443']],
    ['a star for scripts', 'script-src *', ['note source.open *']],
    ['data: for scripts', 'default-src data:', ['note source.open data:']],
    ['a star for images', 'img-src * data:', []],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, text, problems) => expect(found(text)).toEqual(problems))

  test.each([
    ["script_src 'self'", /did you mean script-src\?$/],
    ['img-src self', /'self'$/],
    ["img-src 'self'", /sub-domains and parent domains are not covered/],
    ['img-src www.a.test', /parent domain and its sub-domains are not/],
  ])('%s has a message with the right form', (text, message) =>
    expect(checkPolicy(text)[0]?.message).toMatch(message),
  )

  test('problems of any text are in order and inside the text', () => {
    const words = fc.constantFrom(
      'script-src',
      'img-src',
      "'self'",
      'self',
      '*',
      ';',
      ',',
      ' ',
      'a.test/x?y',
      'ä',
      "'none'",
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words).map((list) => list.join(' ')),
        ),
        (text) => {
          const problems = checkPolicy(text)
          for (const { start, end, message } of problems) {
            expect(start >= 0 && start <= end && end <= text.length && message !== '').toBe(true)
          }
          expect(problems.map(({ start }) => start)).toEqual(
            problems.map(({ start }) => start).toSorted((a, b) => a - b),
          )
        },
      ),
    )
  })
})
