// Decisions about scripts, inline blocks and eval: which directive decided and which source allowed it.
import { describe, expect, test } from 'vitest'
import { decide, type Load } from './decide.ts'
import { ENGINES } from './match.ts'
import { parsePolicy } from './policy.ts'

const DIGEST = { algorithm: 'sha256', value: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' } as const
const HASH = `'sha256-${DIGEST.value}'`
const OTHER = { algorithm: 'sha256', value: 'AAAAQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' } as const

const script = (url: string, more: object = {}): Load => ({
  kind: 'url',
  directive: 'script-src-elem',
  url,
  ...more,
})
const inline = (more: object = {}): Load => ({ kind: 'inline', directive: 'script-src-elem', ...more })
const handler = (more: object = {}): Load => ({ kind: 'inline', directive: 'script-src-attr', ...more })
const fetched = (url: string): Load => ({ kind: 'url', directive: 'connect-src', url })
const CDN = 'https://cdn.test/a.js'

const cases: [
  name: string,
  policy: string,
  load: Load,
  isAllowed: boolean,
  directive?: string,
  source?: string,
][] = [
  ['a policy without a directive for it', 'img-src *', script(CDN), true],
  ['a host', 'script-src cdn.test', script(CDN), true, 'script-src', 'cdn.test'],
  ['another host', 'script-src cdn.test', script('https://evil.test/a.js'), false, 'script-src'],
  [
    'the nearest directive decides',
    'script-src *; script-src-elem x.test',
    script(CDN),
    false,
    'script-src-elem',
  ],
  ['default-src as fallback', "default-src 'none'", script(CDN), false, 'default-src'],
  ['nothing listed', 'script-src', script(CDN), false, 'script-src'],
  ['base-uri has no fallback', "default-src 'none'", { kind: 'url', directive: 'base-uri', url: CDN }, true],
  ['connections', "connect-src 'self'", fetched('https://api.test/'), false, 'connect-src'],
  [
    'workers fall back to child-src first',
    'child-src x.test; script-src cdn.test',
    { kind: 'url', directive: 'worker-src', url: CDN },
    false,
    'child-src',
  ],
  ['no URL', 'script-src *', script('?'), false, 'script-src'],
  [
    'integrity that is listed',
    `script-src ${HASH}`,
    script(CDN, { integrity: [DIGEST] }),
    true,
    'script-src',
    HASH,
  ],
  [
    'integrity with one hash that is not listed',
    `script-src ${HASH}`,
    script(CDN, { integrity: [DIGEST, OTHER] }),
    false,
    'script-src',
  ],
  ['no integrity', `script-src ${HASH}`, script(CDN), false, 'script-src'],
  ['a nonce', "script-src 'nonce-abc'", script(CDN, { nonce: 'abc' }), true, 'script-src', "'nonce-abc'"],
  ['another nonce', "script-src 'nonce-abc'", script(CDN, { nonce: 'ABC' }), false, 'script-src'],
  ['an empty nonce', 'script-src x.test', script(CDN, { nonce: '' }), false, 'script-src'],
  [
    'strict-dynamic: hosts are ignored',
    "script-src 'strict-dynamic' cdn.test",
    script(CDN),
    false,
    'script-src',
  ],
  [
    'strict-dynamic: added by a script',
    "script-src 'strict-dynamic'",
    script(CDN, { isParserInserted: false }),
    true,
    'script-src',
    "'strict-dynamic'",
  ],
  ['inline', "script-src 'unsafe-inline'", inline(), true, 'script-src', "'unsafe-inline'"],
  ['inline without a keyword', "script-src 'self'", inline(), false, 'script-src'],
  ['inline, cancelled by a hash', `script-src 'unsafe-inline' ${HASH}`, inline(), false, 'script-src'],
  [
    'inline, cancelled by strict-dynamic',
    "script-src 'unsafe-inline' 'strict-dynamic'",
    inline(),
    false,
    'script-src',
  ],
  [
    'styles ignore strict-dynamic',
    "style-src 'unsafe-inline' 'strict-dynamic'",
    { kind: 'inline', directive: 'style-src-elem' },
    true,
    'style-src',
    "'unsafe-inline'",
  ],
  ['inline by hash', `script-src ${HASH}`, inline({ digests: [OTHER, DIGEST] }), true, 'script-src', HASH],
  [
    'inline by hash in the URL-safe alphabet',
    `script-src ${HASH.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')}`,
    inline({ digests: [DIGEST] }),
    true,
    'script-src',
    HASH.replaceAll('+', '-').replaceAll('/', '_').replace('=', ''),
  ],
  ['inline by nonce', "script-src 'nonce-abc'", inline({ nonce: 'abc' }), true, 'script-src', "'nonce-abc'"],
  ['a handler by hash only', `script-src ${HASH}`, handler({ digests: [DIGEST] }), false, 'script-src'],
  [
    'a handler by hash and keyword',
    `script-src ${HASH} 'unsafe-hashes'`,
    handler({ digests: [DIGEST] }),
    true,
    'script-src',
    HASH,
  ],
  ['a handler cannot have a nonce', "script-src 'nonce-abc'", handler({ nonce: 'abc' }), false, 'script-src'],
  ['eval', "script-src 'unsafe-eval'", { kind: 'eval' }, true, 'script-src', "'unsafe-eval'"],
  ['eval under default-src', "default-src 'self'", { kind: 'eval' }, false, 'default-src'],
  ['wasm', "script-src 'wasm-unsafe-eval'", { kind: 'wasm-eval' }, true, 'script-src', "'wasm-unsafe-eval'"],
  [
    'wasm by the wider keyword',
    "script-src 'unsafe-eval'",
    { kind: 'wasm-eval' },
    true,
    'script-src',
    "'unsafe-eval'",
  ],
  ['eval by the narrower keyword', "script-src 'wasm-unsafe-eval'", { kind: 'eval' }, false, 'script-src'],
]

describe('decide', () => {
  test.each(cases)('%s', (_, text, load, isAllowed, directive, source) => {
    for (const reading of ['specification', ...ENGINES] as const) {
      const decision = decide(parsePolicy(text), load, { page: 'https://site.test/', reading })
      expect(decision).toEqual({
        isAllowed,
        ...(directive === undefined ? {} : { directive }),
        ...(source === undefined ? {} : { source }),
      })
    }
  })
})
