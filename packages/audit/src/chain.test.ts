// The chain: what was changed, removed, inserted or cut off is found; lines of an export are read as written.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkChain, type ChainFault, type Link } from './chain-check.ts'
import { CHAIN_START, linkHash, type AuditEntry, type LinkedEntry } from './entry.ts'
import { formatLine, readLine } from './export-line.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const BEFORE_FIRST: Link = { number: 0, hash: CHAIN_START }

const entryOf = (number: number): AuditEntry => ({
  number,
  at: '2026-01-05T10:20:30.000001Z',
  accountId: 'a'.repeat(32),
  zoneId: null,
  zoneName: null,
  actorKind: 'token',
  actorId: 't',
  actorName: 'deploy',
  address: '192.0.2.1',
  action: 'dns_record.create',
  resourceType: 'dns_record',
  resourceId: `record ${number}`,
  succeeded: true,
  requestId: 'r',
  detail: '{"change":1}',
})

function chainOf(length: number): LinkedEntry[] {
  let previous = CHAIN_START
  return Array.from({ length }, (_, index) => {
    const entry = entryOf(index + 1)
    previous = linkHash(sha256, previous, entry)
    return { ...entry, hash: previous }
  })
}

function check(entries: readonly LinkedEntry[], expected?: Link): Link | ChainFault {
  const chain = checkChain(sha256, BEFORE_FIRST, expected)
  for (const entry of entries) {
    const fault = chain.take(entry)
    if (fault !== undefined) return fault
  }
  return chain.end()
}

const whole = chainOf(5)
const linkAt = (number: number): Link => ({ number, hash: whole[number - 1]?.hash ?? 'none' })

test('the hash of an entry is fixed: entries of earlier versions stay valid', () => {
  expect(whole[0]?.hash).toBe(sha256(`${CHAIN_START}\n${JSON.stringify(Object.values(entryOf(1)))}`))
})

describe('a chain', () => {
  const other = (index: number, changes: Partial<LinkedEntry>): LinkedEntry[] =>
    whole.map((entry, at) => (at === index ? { ...entry, ...changes } : entry))
  const relinked = (index: number, changes: Partial<AuditEntry>): LinkedEntry[] => {
    const previous = whole[index - 1]?.hash ?? CHAIN_START
    const changed: AuditEntry = { ...entryOf(index + 1), ...changes }
    return other(index, { ...changes, hash: linkHash(sha256, previous, changed) })
  }
  test.each<[string, LinkedEntry[], Link | undefined, Link | ChainFault]>([
    ['that is whole', whole, undefined, linkAt(5)],
    ['without entries', [], undefined, BEFORE_FIRST],
    ['that contains the expected entry', whole, linkAt(3), linkAt(5)],
    [
      'whose second entry was changed',
      other(1, { actorName: 'x' }),
      undefined,
      { number: 2, kind: 'content' },
    ],
    [
      'whose second entry was changed with its hash',
      relinked(1, { succeeded: false }),
      undefined,
      { number: 3, kind: 'content' },
    ],
    ['whose second entry was removed', whole.toSpliced(1, 1), undefined, { number: 3, kind: 'gap' }],
    [
      'whose second entry is there twice',
      whole.toSpliced(1, 0, ...whole.slice(1, 2)),
      undefined,
      { number: 2, kind: 'gap' },
    ],
    ['whose end was removed', whole.slice(0, 3), linkAt(5), { number: 5, kind: 'missing' }],
    [
      'that was made again from its third entry on',
      relinked(4, { address: null }),
      linkAt(5),
      { number: 5, kind: 'expected' },
    ],
  ])('%s', (_, entries, expected, result) => {
    expect(check(entries, expected)).toEqual(result)
  })

  test('with any changed member is refused', () => {
    const members = Object.keys(entryOf(1)) as (keyof AuditEntry)[] // as above
    for (const member of members) expect(check(other(2, { [member]: 'changed' }))).toHaveProperty('kind')
    expect(members).toHaveLength(15)
  })
})

describe('a line of an export', () => {
  const text = fc.string({ unit: 'grapheme' })
  const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
  const entries = fc.record<LinkedEntry>({
    number: fc.integer({ min: 1 }),
    at: text,
    accountId: fc.option(text),
    zoneId: fc.option(text),
    zoneName: fc.option(text),
    actorKind: text,
    actorId: text,
    actorName: text,
    address: fc.option(text),
    action: text,
    resourceType: text,
    resourceId: text,
    succeeded: fc.boolean(),
    requestId: text,
    detail: text,
    hash,
  })

  test('is read as it was written, and is one line', () => {
    fc.assert(
      fc.property(entries, hash, (entry, previousHash) => {
        const line = formatLine({ entry, previousHash })
        expect(line).not.toContain('\n')
        expect(readLine(line)).toEqual({ entry, previousHash })
      }),
    )
  })

  test('of any content is read or refused with an Error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        expect(() => readLine(line)).toThrow(Error)
      }),
    )
  })

  const [first] = whole
  const good = JSON.parse(formatLine({ entry: first as LinkedEntry, previousHash: CHAIN_START })) // there are five
  test.each([
    ['number', 0],
    ['number', 1.5],
    ['at', null],
    ['address', 5],
    ['succeeded', 'yes'],
    ['hash', 'abc'],
    ['previous_hash', null],
  ])('whose %s is %s is refused by name', (member, value) => {
    expect(() => readLine(JSON.stringify({ ...good, [member]: value }))).toThrow(member)
  })
})
