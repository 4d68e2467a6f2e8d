// Small random zones with everything close together: wildcards, cuts, aliases, empty non-terminals.
import * as fc from 'fast-check'

const LABELS = ['a', 'b', '*']

const NAMES = [
  '@',
  ...LABELS,
  ...LABELS.flatMap((x) => LABELS.map((y) => `${x}.${y}`)),
  'a.b.a',
  '*.a.b',
  'b.*.a',
  'a.a.b.b',
]

const DATA = [
  'A 192.0.2.1',
  'A 192.0.2.2',
  'TXT "x"',
  'CNAME a',
  'CNAME a.b',
  'CNAME x.b',
  'CNAME other.test.',
  'NS a.b',
  'NS ns.other.test.',
  'MX 1 a',
  'MX 2 b.a',
  'TYPE43 00010d02',
]

/** `name ttl type rdata`, relative to the apex. */
export const RECORD_LINE = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(60, 300), fc.constantFrom(...DATA))
  .map(([name, ttl, data]) => `${name} ${ttl} ${data}`)

/** Every type at every name of such zones and at some that they cannot have. */
export const QUESTIONS = [...NAMES, 'x', 'x.a', 'x.b.a', 'x.y.a', 'a.x'].flatMap((name) =>
  ['A', 'TXT', 'CNAME', 'NS', 'MX', 'TYPE43', 'ANY'].map((type) =>
    name === '@' ? `example.com ${type}` : `${name}.example.com ${type}`,
  ),
)
