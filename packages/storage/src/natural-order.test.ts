// Names in natural order.
import { expect, test } from 'vitest'
import { naturalKey } from './natural-order.ts'

const lists: readonly (readonly [name: string, ...ordered: string[]])[] = [
  ['numbers by value', 'host1', 'host2', 'host10', 'host100'],
  ['numbers in the middle', 'a2b', 'a10b', 'b1'],
  ['leading zeros', 'a009', 'a10', 'a0011'],
  ['several numbers', 'a1-2', 'a1-10', 'a2-1'],
  ['reverse zones', '2.0.192.in-addr.arpa', '10.0.192.in-addr.arpa'],
  ['labels of digits only', `${'1'.repeat(62)}.example`, `${'1'.repeat(63)}.example`],
  ['what is not a digit', '*.example', 'a.example', 'xn--bcher-kva.example'],
]

test.each(lists)('%s', (_, ...ordered) => {
  const sorted = ordered
    .toReversed()
    .toSorted((a, b) => Buffer.compare(Buffer.from(naturalKey(a)), Buffer.from(naturalKey(b))))
  expect(sorted).toEqual(ordered)
})
