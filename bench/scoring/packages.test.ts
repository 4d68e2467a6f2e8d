import { expect, test } from 'vitest'
import { groupOf } from './packages.ts'

test.each<[name: string, group: string]>([
  ['lunr', 'npm:lunr'],
  ['@sentry/browser', 'npm:@sentry'],
  ['startbootstrap-agency', 'npm:startbootstrap'],
  ['startbootstrap-sb-admin-2', 'npm:startbootstrap'],
  ['sb-admin-2', 'npm:startbootstrap'],
  ['gentelella-rtl', 'npm:gentelella'],
  ['gentelella', 'npm:gentelella'],
  ['admin-lte-express', 'npm:admin-lte'],
  ['admin-lte', 'npm:admin-lte'],
])('%s is in the group %s', (name, group) => {
  expect(groupOf(name)).toBe(group)
})
