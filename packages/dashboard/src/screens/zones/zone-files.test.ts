import { parseName } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { originOf, previewOf, zoneNameOf } from './zone-files.ts'

const ORIGIN = parseName('example.com')
const { signal } = new AbortController()

describe('the name of the zone', () => {
  test.each([
    [
      '$ORIGIN',
      '; a comment\n$TTL 300\n$ORIGIN Example.COM.\n@ SOA a. b. 1 2 3 4 5',
      'other.example.zone',
      'example.com',
    ],
    ['the owner of the SOA', 'example.com. 3600 IN SOA a. b. 1 2 3 4 5', 'x.txt', 'example.com'],
    ['the file, if the SOA is relative', '@ IN SOA a. b. 1 2 3 4 5', 'example.com.zone', 'example.com'],
    ['the file, as BIND names it', 'www A 192.0.2.1', 'db.example.com', 'example.com'],
    ['the file, whose zone begins with db', 'www A 192.0.2.1', 'db.example', 'db.example'],
    [
      'the file, not a later $ORIGIN',
      'www A 192.0.2.1\n$ORIGIN sub.example.com.',
      'example.com.txt',
      'example.com',
    ],
    ['none', 'www A 192.0.2.1', 'export.txt', ''],
    [
      'the SOA below the root, as BIND writes secondary zones',
      '$ORIGIN .\n$TTL 300\nexample.com IN SOA a. b. (\n  1 2 3 4 5 )\n$ORIGIN example.com.\nwww A 192.0.2.1',
      'backup.txt',
      'example.com',
    ],
    [
      'the SOA below $ORIGIN',
      '$ORIGIN com.\nexample IN SOA a. b. 1 2 3 4 5\n$ORIGIN example.com.\nwww A 192.0.2.1',
      'backup.txt',
      'example.com',
    ],
    [
      'the SOA, which need not be the first record',
      'www.example.com. A 192.0.2.1\nexample.com. SOA a. b. 1 2 3 4 5',
      'my.backup.txt',
      'example.com',
    ],
    [
      'the SOA, whatever the file is named',
      'example.com. SOA a. b. 1 2 3 4 5',
      'my.backup.txt',
      'example.com',
    ],
    ['$ORIGIN without an SOA', '$ORIGIN com.\n$ORIGIN example\nwww A 192.0.2.1', 'x.txt', 'example.com'],
    ['none: the root is no zone here', '$ORIGIN .\nwww.example.com A 192.0.2.1', 'export.txt', ''],
    ['none: records are outside the name of the file', 'www.example.com. A 192.0.2.1', 'my.backup.txt', ''],
    ['none: what the SOA is relative to is not known', 'example IN SOA a. b. 1 2 3 4 5', 'export.txt', ''],
    ['the file, in Unicode', 'www A 192.0.2.1', 'bücher.example.zone', 'bücher.example'],
  ])('by %s', (_, text, fileName, expected) => expect(zoneNameOf(text, fileName)).toBe(expected))

  test.each([
    ['example.com', 'example.com'],
    [' Example.com. ', 'example.com'],
    ['', undefined],
    ['a..b', undefined],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['bücher.example/path', undefined],
    ['bücher..example', undefined],
    ['1.2', '1.2'],
  ])('as it is typed: "%s"', (typed, expected) => expect(originOf(typed)).toBe(expected))
})

describe('the preview of a file', () => {
  test('counts records by type, most frequent first, without the SOA', async () => {
    const text = '@ 300 SOA a. b. 1 2 3 4 5\nwww A 192.0.2.1\n@ MX 10 mail\nmail A 192.0.2.2\n'
    expect(await previewOf(text, ORIGIN, signal)).toEqual({
      records: 3,
      counts: [
        ['A', 2],
        ['MX', 1],
      ],
      wrong: [],
      wrongCount: 0,
    })
  })

  test('names lines that cannot be read, and names outside the zone', async () => {
    const { wrong, wrongCount, records } = await previewOf(
      'www A 192.0.2.1\nbad A 192.0.2\nother.example. A 192.0.2.1\nnotexample.com. A 192.0.2.1\nopen TXT (',
      ORIGIN,
      signal,
    )
    expect(wrong.map(({ line }) => line)).toEqual([2, 3, 4, 5])
    expect(wrong[0]?.message).toMatch(/^column \d+: /)
    expect(wrong[1]?.message).toBe('other.example is not within the zone example.com')
    expect([wrongCount, records]).toEqual([4, 1])
  })

  test('names some lines of many, and counts all', async () => {
    const { wrong, wrongCount } = await previewOf('x A y\n'.repeat(5_000), ORIGIN, signal)
    expect([wrong.length, wrongCount]).toEqual([20, 5_000])
  })

  test('stops when it is not wanted any more', async () => {
    const controller = new AbortController()
    const reading = previewOf('www A 192.0.2.1\n'.repeat(5_000), ORIGIN, controller.signal)
    controller.abort(new Error('closed'))
    await expect(reading).rejects.toThrow('closed')
  })
})
