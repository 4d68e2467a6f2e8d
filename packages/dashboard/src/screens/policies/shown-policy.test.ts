import { expect, test } from 'vitest'
import type { PolicyDraft, WirePolicy } from '../../api/policies.ts'
import { draftOf, nextShown } from './shown-policy.ts'

const POLICY: WirePolicy = {
  id: '0123456789abcdef0123456789abcdef',
  description: 'Checkout',
  action: 'log',
  expression: 'true',
  enabled: true,
  value: "script-src 'self'",
}
const RENAMED: WirePolicy = { ...POLICY, description: 'Shop' }
const REPORTING: WirePolicy = { ...POLICY, action: 'add_reporting_directives', value: '' }

test.each<[name: string, policy: WirePolicy, saved: PolicyDraft | undefined, form: number]>([
  ['the same again', { ...POLICY }, undefined, 3],
  ['its own save', RENAMED, draftOf(RENAMED), 3],
  [
    'its own save, with a text that is not saved',
    REPORTING,
    { ...draftOf(REPORTING), value: 'img-src *' },
    3,
  ],
  ['a change by another client', RENAMED, undefined, 4],
  ['a change by another client after a save', RENAMED, draftOf({ ...POLICY, value: 'img-src *' }), 4],
])('%s', (_, policy, saved, form) => {
  expect(nextShown({ policy: POLICY, form: 3 }, policy, saved)).toEqual({ policy, form })
})

test('the first is shown in the first form', () => {
  expect(nextShown(undefined, POLICY, undefined)).toEqual({ policy: POLICY, form: 0 })
})
