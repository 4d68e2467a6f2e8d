import { expect, test } from 'vitest'
import { readAudit } from './read-audit.ts'

const report = (vulnerabilities: object): string => JSON.stringify({ auditReportVersion: 2, vulnerabilities })

test.each([
  ['no vulnerability', report({}), { kind: 'clean' }],
  ['a moderate one', report({ a: { severity: 'moderate' } }), { kind: 'clean' }],
  ['warnings of npm before the report', `npm warn x\n${report({})}`, { kind: 'clean' }],
  [
    'a high and a critical one',
    report({ a: { severity: 'high' }, b: { severity: 'low' }, c: { severity: 'critical' } }),
    { kind: 'vulnerable', names: ['a', 'c'] },
  ],
  [
    'a registry that cannot be reached',
    '{"message":"request to the registry failed","error":{"summary":"","code":"ENOTFOUND"}}',
    { kind: 'unanswered', reason: 'request to the registry failed' },
  ],
  [
    'a registry without audits',
    '{"error":{"code":"ENOAUDIT","summary":"not implemented"}}',
    { kind: 'unanswered', reason: 'not implemented' },
  ],
  ['something else', 'oops', { kind: 'unanswered', reason: 'its output is not JSON' }],
])('%s', (_, output, expected) => expect(readAudit(output)).toEqual(expected))
