import { expect, test } from 'vitest'
import { pickAccount } from './picked-account.ts'

const A = { id: 'a', name: 'Account A' }
const B = { id: 'b', name: 'Account B' }

test.each([
  ['accounts are awaited', undefined, 'b', undefined],
  ['the address names none', [A, B], undefined, A],
  ['the address names one', [A, B], 'b', B],
  ['the address names an unknown one', [A, B], 'c', undefined],
  ['there are none', [], undefined, undefined],
  ['there are none, and the address names one', [], 'a', undefined],
])('%s', (_, accounts, asked, account) =>
  expect(pickAccount(accounts, asked, 3)).toEqual({ accounts, account }),
)

test('an account that a full list lacks may exist: the server decides', () => {
  const account = { id: 'c', name: 'c' }
  expect(pickAccount([A, B], 'c', 2)).toEqual({ accounts: [A, B, account], account })
})
