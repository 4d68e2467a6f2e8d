// Small random zones with many special cases: wildcards, cuts, aliases, DNAMEs, empty non-terminals.
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
  'DNAME b',
  'DNAME x.b',
  'DNAME a.a',
  'NS a.b',
  'NS ns.other.test.',
  'MX 1 a',
  'MX 2 b.a',
  'SVCB 0 a',
  'SVCB 0 b.a',
  'SVCB 1 .',
  'SVCB 2 b',
  'TYPE43 00010d02',
]

/** `name ttl type rdata`, relative to the apex. */
export const RECORD_LINE = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(60, 300), fc.constantFrom(...DATA))
  .map(([name, ttl, data]) => `${name} ${ttl} ${data}`)

/** With one more label it is too long. */
const LONG = `${Array.from({ length: 3 }, (_, i) => String(i).repeat(63)).join('.')}.${'x'.repeat(47)}.a`

/** Every type at every name of these zones, and at some names that they cannot have. */
export const QUESTIONS = [...NAMES, 'x', 'x.a', 'x.b.a', 'x.y.a', 'a.x', LONG].flatMap((name) =>
  ['A', 'TXT', 'CNAME', 'DNAME', 'NS', 'MX', 'SVCB', 'TYPE43', 'ANY'].map((type) =>
    name === '@' ? `example.com ${type}` : `${name}.example.com ${type}`,
  ),
)
