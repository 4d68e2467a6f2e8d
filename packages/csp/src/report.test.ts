// Reports: what they are about, and whether the policy they name can have caused them.
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sharedFile } from '../../../scripts/requirements.ts'
import { describeWith } from '../../../scripts/test-requirements.ts'
import { causesOf, couldHaveCaused } from './could-have-caused.ts'
import { parsePolicyList } from './policy.ts'
import type { Engine } from './match.ts'
import { classifyReport, type Blocked, type ReportedViolation } from './report.ts'

const PAGE = 'https://site.test/a/page'
const report = (effectiveDirective: string, blockedUri: string): ReportedViolation => ({
  documentUri: PAGE,
  blockedUri,
  effectiveDirective,
})

describe('classifyReport', () => {
  const cases: [
    directive: string,
    blockedUri: string,
    known: string | undefined,
    resource: string,
    blocked: Blocked,
  ][] = [
    [
      'script-src-elem',
      'https://cdn.test/a.js?v=1',
      'script-src-elem',
      'script',
      { kind: 'url', url: 'https://cdn.test/a.js?v=1' },
    ],
    ["script-src 'self' https:", 'inline', 'script-src', 'script', { kind: 'inline' }],
    ['SCRIPT-SRC', 'EVAL', 'script-src', 'script', { kind: 'eval' }],
    ['script-src', 'wasm-eval', 'script-src', 'script', { kind: 'wasm-eval' }],
    ['worker-src', 'blob', 'worker-src', 'script', { kind: 'scheme', scheme: 'blob' }],
    ['worker-src', 'blob:https://site.test/1', 'worker-src', 'script', { kind: 'scheme', scheme: 'blob' }],
    ['script-src-elem', 'data', 'script-src-elem', 'script', { kind: 'scheme', scheme: 'data' }],
    [
      'script-src-elem',
      'chrome-extension',
      'script-src-elem',
      'script',
      { kind: 'scheme', scheme: 'chrome-extension' },
    ],
    ['connect-src', 'wss://ws.test/', 'connect-src', 'connection', { kind: 'url', url: 'wss://ws.test/' }],
    ['connect-src', 'self', 'connect-src', 'connection', { kind: 'url', url: PAGE }],
    ['img-src', 'https://img.test', 'img-src', 'other', { kind: 'url', url: 'https://img.test' }],
    [
      'require-trusted-types-for',
      'trusted-types-sink',
      'require-trusted-types-for',
      'other',
      { kind: 'trusted-types' },
    ],
    ['made-up', 'https://x.test/', undefined, 'other', { kind: 'url', url: 'https://x.test/' }],
    ['', '', undefined, 'other', { kind: 'unreadable' }],
    ['script-src', '/relative.js', 'script-src', 'script', { kind: 'unreadable' }],
  ]
  test.each(cases)('%s %s', (directive, blockedUri, known, resource, blocked) =>
    expect(classifyReport(report(directive, blockedUri))).toEqual({ directive: known, resource, blocked }),
  )

  test('any report is classified', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, text, text, text, (policy, documentUri, blockedUri, effectiveDirective) => {
        const any = { documentUri, blockedUri, effectiveDirective }
        expect(['script', 'connection', 'other']).toContain(classifyReport(any).resource)
        expect(typeof couldHaveCaused(parsePolicyList(policy), any, undefined)).toBe('boolean')
      }),
    )
  })
})

describe('couldHaveCaused', () => {
  const MONITORING = "script-src 'unsafe-inline' 'unsafe-eval'; connect-src 'none'; report-uri /x"
  const SCRIPT = 'https://cdn.test/a.js'
  const cases: [
    name: string,
    policy: string,
    directive: string,
    blockedUri: string,
    possible: boolean,
    engine?: Engine,
  ][] = [
    ['a script under monitoring', MONITORING, 'script-src-elem', SCRIPT, true],
    ['a connection under monitoring', MONITORING, 'connect-src', 'wss://ws.test/', true],
    ['a worker from a blob', MONITORING, 'worker-src', 'blob', true],
    ['an inline block that is allowed', MONITORING, 'script-src-elem', 'inline', false],
    ['eval that is allowed', MONITORING, 'script-src', 'eval', false],
    ['an image without a directive for it', MONITORING, 'img-src', 'https://img.test/', false],
    ['an unknown directive', MONITORING, 'made-up', SCRIPT, false],
    ['an invalid URL', MONITORING, 'script-src-elem', '???', false],
    ['inline, forbidden', "script-src 'self'", 'script-src-elem', 'inline', true],
    [
      'inline, allowed unless hashed',
      "script-src 'unsafe-inline' 'sha256-AAAA'",
      'script-src-elem',
      'inline',
      true,
    ],
    ['an inline style, allowed', "style-src 'unsafe-inline'", 'style-src-attr', 'inline', false],
    ['wasm, forbidden', "script-src 'self'", 'script-src', 'wasm-eval', true],
    [
      'a listed host: it may have redirected elsewhere',
      'script-src cdn.test',
      'script-src-elem',
      SCRIPT,
      true,
    ],
    ['any host listed', 'script-src *', 'script-src-elem', SCRIPT, false],
    ['any host by scheme', 'script-src http:', 'script-src-elem', SCRIPT, false],
    ['https only: it may have redirected to http', 'script-src https:', 'script-src-elem', SCRIPT, true],
    ['any host, with strict-dynamic', "script-src * 'strict-dynamic'", 'script-src-elem', SCRIPT, true],
    ['data, listed', 'script-src data:', 'script-src-elem', 'data', false],
    ['data, not listed', 'script-src *', 'script-src-elem', 'data', true],
    ['data in images under a star', 'img-src *', 'img-src', 'data', true, 'chromium'],
    ['data in images under a star, elsewhere', 'img-src *', 'img-src', 'data', false, 'webkit'],
    ['data in images under a star, somewhere', 'img-src *', 'img-src', 'data', true],
    [
      'trusted types',
      "require-trusted-types-for 'script'",
      'require-trusted-types-for',
      'trusted-types-sink',
      true,
    ],
    [
      'trusted types without such a directive',
      MONITORING,
      'require-trusted-types-for',
      'trusted-types-sink',
      false,
    ],
    ['no policy', '', 'script-src-elem', SCRIPT, false],
    ['one of two policies', "script-src *, script-src 'none'", 'script-src-elem', SCRIPT, true],
  ]
  test.each(cases.filter(([, , , , , engine]) => engine === undefined))(
    '%s, in a batch',
    (_, policy, directive, blockedUri, possible) => {
      const causes = causesOf(parsePolicyList(policy))
      expect([1, 2].map(() => causes(report(directive, blockedUri)))).toEqual([possible, possible])
    },
  )

  test('many reports get the same results as each alone', () => {
    const source = fc.constantFrom("'self'", '*', 'http:', 'https:', 'cdn.test', "'strict-dynamic'", "'none'")
    const directive = fc.constantFrom(
      'script-src-elem',
      'script-src',
      'connect-src',
      'img-src',
      'sandbox',
      'made-up',
    )
    const blocked = fc.oneof(
      fc.constantFrom(
        'inline',
        'data',
        'self',
        SCRIPT,
        ` ${SCRIPT}`,
        'https://',
        'https://cdn.test',
        'HTTP://x/',
      ),
      fc.webUrl(),
      fc.string({ unit: 'binary' }).map((text) => `https://cdn.test/${text}`),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(directive, fc.array(source)), { maxLength: 3 }),
        fc.array(fc.tuple(directive, blocked), { maxLength: 8 }),
        (directives, reports) => {
          const policies = parsePolicyList(
            directives.map(([name, list]) => [name, ...list].join(' ')).join('; '),
          )
          const causes = causesOf(policies)
          for (const [name, uri] of reports)
            expect([name, uri, causes(report(name, uri))]).toEqual([
              name,
              uri,
              couldHaveCaused(policies, report(name, uri), undefined),
            ])
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each(cases)('%s', (_, policy, directive, blockedUri, possible, engine) =>
    expect(couldHaveCaused(parsePolicyList(policy), report(directive, blockedUri), engine)).toBe(possible),
  )
})

describeWith('shared-data', 'the captured reports of three engines', () => {
  const files: [engine: Engine, file: string, atLeast: number][] = [
    ['chromium', 'chromium-156', 50],
    ['firefox', 'firefox-esr-153', 50],
    ['webkit', 'webkitgtk-2.50.6', 100],
  ]
  test.each(files)('%s', (engine, file, atLeast) => {
    const violations = violationsIn(sharedFile(`data/browser-reports/${file}.jsonl`))
    expect(violations.length).toBeGreaterThan(atLeast)
    for (const { policy, ...violation } of violations) {
      const reported = {
        ...violation,
        policy,
        possible: couldHaveCaused(parsePolicyList(policy), violation, engine),
      }
      expect(reported).toMatchObject({ possible: true })
      expect(classifyReport(violation).blocked.kind).not.toBe('unreadable')
    }
  })
})

/** The violations in a file of captured requests, in any format. */
function violationsIn(file: URL): readonly (ReportedViolation & { readonly policy: string })[] {
  const bodies = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const { body } = JSON.parse(line)
      return body ? [JSON.parse(body)].flat() : []
    })
  return bodies.flatMap((sent) => {
    const old = sent['csp-report']
    const [documentUri, blockedUri, effectiveDirective, policy] =
      old === undefined
        ? [
            sent.body?.documentURL,
            sent.body?.blockedURL,
            sent.body?.effectiveDirective,
            sent.body?.originalPolicy,
          ]
        : [old['document-uri'], old['blocked-uri'], old['effective-directive'], old['original-policy']]
    return policy === undefined ? [] : [{ documentUri, blockedUri, effectiveDirective, policy }]
  })
}
