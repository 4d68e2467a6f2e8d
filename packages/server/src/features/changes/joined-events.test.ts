// Events of one commit: what is joined is published as if each had been.
import type { Name } from '@zonereeve/dns'
import type { Log } from '@zonereeve/platform'
import type { ChangeEvent, RecordsDelta, ServedRecord } from '@zonereeve/storage'
import { describe, expect, test } from 'vitest'
import { createEventHub, joinAdditions } from './events.ts'

const record = (id: string): ServedRecord => ({
  id,
  name: `${id}.example.com` as Name,
  type: 'A',
  ttlSeconds: 300,
  rdata: new Uint8Array([192, 0, 2, 1]),
  proxied: false,
  settings: {},
})
const delta = (added: string, removed = '', rest: Partial<RecordsDelta> = {}): RecordsDelta => ({
  removed: [...removed].map(record),
  added: [...added].map(record),
  isRepair: false,
  arePlain: true,
  ...rest,
})
const records = (
  number: number,
  of: RecordsDelta | undefined,
  { scopeId = 'z', kinds = ['record.create'] } = {},
): ChangeEvent => ({ topic: 'records', scopeId, number, serial: 100 + number, kinds, delta: of })
const settings: ChangeEvent = { topic: 'settings', scopeId: 'z', number: 2, serial: 102, kinds: [] }

/** Scope, number and serial, IDs removed and added, and the number of change sets. */
const shown = (events: readonly ChangeEvent[]): unknown[] =>
  events.map((event) => {
    if (event.topic !== 'records') return event.topic
    const { scopeId, number, serial, delta: of, changeSets } = event
    const ids = (some: Iterable<ServedRecord> | undefined) => Array.from(some ?? [], ({ id }) => id).join('')
    return [`${scopeId} ${number} ${serial}`, `-${ids(of?.removed)} +${ids(of?.added)}`, changeSets ?? 1]
  })

describe('events of a commit', () => {
  test.each<[name: string, given: readonly ChangeEvent[], expected: readonly unknown[]]>([
    ['one', [records(1, delta('a'))], [['z 1 101', '- +a', 1]]],
    [
      'several that add are one',
      [records(1, delta('a')), records(2, delta('bc')), records(3, delta('d'))],
      [['z 3 103', '- +abcd', 3]],
    ],
    [
      'the first may remove',
      [records(1, delta('a', 'x')), records(2, delta('b'))],
      [['z 2 102', '-x +ab', 2]],
    ],
    [
      'a later one may not',
      [records(1, delta('a')), records(2, delta('b', 'a')), records(3, delta('c'))],
      [
        ['z 1 101', '- +a', 1],
        ['z 3 103', '-a +bc', 2],
      ],
    ],
    [
      'zones are apart',
      [records(1, delta('a')), records(7, delta('b'), { scopeId: 'y' }), records(2, delta('c'))],
      [
        ['z 1 101', '- +a', 1],
        ['y 7 107', '- +b', 1],
        ['z 2 102', '- +c', 1],
      ],
    ],
    [
      'another event is between them',
      [records(1, delta('a')), settings, records(3, delta('b'))],
      [['z 1 101', '- +a', 1], 'settings', ['z 3 103', '- +b', 1]],
    ],
    [
      'a repair is apart',
      [records(1, delta('a')), records(2, delta('', '', { isRepair: true })), records(3, delta('b'))],
      [
        ['z 1 101', '- +a', 1],
        ['z 2 102', '- +', 1],
        ['z 3 103', '- +b', 1],
      ],
    ],
    [
      'those to be read from the log are apart',
      [records(1, undefined), records(2, delta('a')), records(3, undefined)],
      [
        ['z 1 101', '- +', 1],
        ['z 2 102', '- +a', 1],
        ['z 3 103', '- +', 1],
      ],
    ],
  ])('%s', (_, given, expected) => {
    expect(shown(joinAdditions(given))).toEqual(expected)
  })

  test.each<[string, readonly (boolean | undefined)[], boolean | undefined]>([
    ['plain if all are', [true, true], true],
    ['of unknown form if one is', [true, undefined], undefined],
    ['of unknown form if one is not plain', [false, true], undefined],
  ])('joined records are %s', (_, plain, expected) => {
    const given = plain.map((arePlain, index): ChangeEvent => {
      const { removed, added, isRepair } = delta(String(index))
      return records(index + 1, { removed, added, isRepair, ...(arePlain !== undefined && { arePlain }) })
    })
    const [joined] = joinAdditions(given)
    expect(joined?.topic === 'records' && joined.delta?.arePlain).toBe(expected)
  })

  test('joined records can be read several times, and their kinds are those of all', () => {
    const [joined] = joinAdditions([
      records(1, delta('a', 'x'), { kinds: ['record.update'] }),
      records(2, delta('b')),
      records(3, delta('c')),
    ])
    expect([shown([joined as ChangeEvent]), shown([joined as ChangeEvent])]).toEqual(
      Array.from({ length: 2 }, () => [['z 3 103', '-x +abc', 3]]),
    )
    expect(joined?.kinds).toEqual(['record.update', 'record.create'])
  })

  test('subscribers get what is joined, and events of other nodes one by one', async () => {
    const hub = createEventHub({ error: () => {} } as unknown as Log)
    const taken: ChangeEvent[] = []
    hub.subscribe(['records'], (event) => void taken.push(event))
    const both = [records(1, delta('a')), records(2, delta('b'))]
    await hub.deliver(both)
    await hub.follow([records(3, undefined), records(4, undefined)])
    expect(shown(taken).map((event) => (event as [string])[0])).toEqual(['z 2 102', 'z 3 103', 'z 4 104'])
  })
})
