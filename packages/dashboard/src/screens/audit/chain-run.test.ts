import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CHAIN_START, formatLine, linkHash, type AuditEntry } from '@zonereeve/audit'
import { checkLog, readLink } from './chain-run.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Lines of a chain of as many entries. */
function chainOf(count: number): string[] {
  let previousHash = CHAIN_START
  return Array.from({ length: count }, (_, index) => {
    const entry: AuditEntry = {
      number: index + 1,
      at: '2026-11-23T10:00:00Z',
      accountId: null,
      zoneId: null,
      zoneName: null,
      actorKind: 'user',
      actorId: 'u1',
      actorName: 'anna@example.com',
      address: '192.0.2.1',
      action: 'session.create',
      resourceType: 'session',
      resourceId: `s${index}`,
      succeeded: true,
      requestId: '',
      detail: '{"ü":1}',
    }
    const hash = linkHash(sha256, previousHash, entry)
    const line = formatLine({ entry: { ...entry, hash }, previousHash })
    previousHash = hash
    return line
  })
}

const reading =
  (lines: readonly string[], perReply = 400) =>
  async (after: number) =>
    lines.filter((line) => (JSON.parse(line) as { number: number }).number > after).slice(0, perReply)

const check = (lines: readonly string[], expected?: { number: number; hash: string }) =>
  checkLog(reading(lines), expected, () => {}, new AbortController().signal)

const lines = chainOf(1_200)
const hashOf = (line: string | undefined): string => (JSON.parse(line ?? '{}') as { hash: string }).hash

describe('check of the audit log', () => {
  test('a whole chain, over several replies, with progress', async () => {
    const seen: number[] = []
    const signal = new AbortController().signal
    const outcome = await checkLog(reading(lines), undefined, (entries) => seen.push(entries), signal)
    expect(outcome).toEqual({
      kind: 'whole',
      entries: 1_200,
      first: 1,
      last: { number: 1_200, hash: hashOf(lines.at(-1)) },
    })
    expect(seen).toEqual([500, 1_000])
  })

  test('no entries', async () => expect(await check([])).toEqual({ kind: 'empty' }))

  test('a chain whose beginning was deleted by retention', async () => {
    expect(await check(lines.slice(700))).toMatchObject({ kind: 'whole', entries: 500, first: 701 })
  })

  test.each([
    ['a changed entry', lines.with(9, (lines[9] ?? '').replace('192.0.2.1', '192.0.2.2')), 'content', 10],
    ['a removed entry', lines.toSpliced(9, 1), 'gap', 11],
    [
      'a first entry with another hash before it',
      [(lines[0] ?? '').replace(/"hash":"./, '"hash":"f')],
      'content',
      1,
    ],
  ])('%s', async (_, altered, kind, number) => {
    expect(await check(altered)).toEqual({ kind: 'broken', fault: { number, kind } })
  })

  test('an entry that was known before', async () => {
    const known = { number: 900, hash: hashOf(lines[899]) }
    expect(await check(lines, known)).toMatchObject({ kind: 'whole' })
    expect(await check(lines, { ...known, hash: '0'.repeat(64) })).toMatchObject({
      kind: 'broken',
      fault: { number: 900, kind: 'expected' },
    })
    expect(await check(lines.slice(0, 800), known)).toMatchObject({
      kind: 'broken',
      fault: { number: 900, kind: 'missing' },
    })
  })

  test.each([
    ['4711:' + 'a'.repeat(64), { number: 4711, hash: 'a'.repeat(64) }],
    [' 1:' + 'A'.repeat(64) + '\n', { number: 1, hash: 'a'.repeat(64) }],
    ['4711', undefined],
    ['x:' + 'a'.repeat(64), undefined],
    ['1:' + 'a'.repeat(63), undefined],
  ])('%s as a known entry', (text, expected) => expect(readLink(text)).toEqual(expected))
})
