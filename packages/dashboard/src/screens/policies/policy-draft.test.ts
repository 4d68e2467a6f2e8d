import { describe, expect, test } from 'vitest'
import type { PolicyDraft } from '../../api/policies.ts'
import { isEdited, obstacleOf } from './policy-draft.ts'

const LOGGED: PolicyDraft = {
  description: 'Checkout',
  action: 'log',
  expression: 'true',
  enabled: true,
  value: "script-src 'self'",
}
const REPORTING: PolicyDraft = { ...LOGGED, action: 'add_reporting_directives', value: '' }

describe('isEdited', () => {
  test.each<[name: string, draft: PolicyDraft, start: PolicyDraft, expected: boolean]>([
    ['nothing', LOGGED, LOGGED, false],
    ['the name', { ...LOGGED, description: 'Shop' }, LOGGED, true],
    ['the text', { ...LOGGED, value: 'img-src *' }, LOGGED, true],
    ['the action', { ...LOGGED, action: 'add_reporting_directives' }, LOGGED, true],
    ['a text that is not saved', { ...REPORTING, value: 'img-src *' }, REPORTING, false],
  ])('%s', (_, draft, start, expected) => expect(isEdited(draft, start)).toBe(expected))
})

describe('obstacleOf', () => {
  const none = { inPolicy: false, inExpression: false }
  test.each<[name: string, draft: PolicyDraft, errors: typeof none, expected: string | undefined]>([
    ['none', LOGGED, none, undefined],
    ['no text of its own', REPORTING, { inPolicy: true, inExpression: true }, 'reporting'],
    ['an error in the policy', LOGGED, { ...none, inPolicy: true }, 'policy'],
    ['an error in the expression', LOGGED, { ...none, inExpression: true }, 'expression'],
    ['no expression', { ...LOGGED, expression: ' ' }, none, 'expression'],
  ])('%s', (_, draft, errors, expected) => expect(obstacleOf(draft, errors)).toBe(expected))
})
