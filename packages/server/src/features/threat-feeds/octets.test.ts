// Octets of feeds: unpacked, bounded, and read while they come.
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createIntake } from './intake.ts'
import { ImportProblem, readText, type Octets } from './octets.ts'

const MAX_BYTES = 100

async function readAll(octets: Octets): Promise<string> {
  let text = ''
  for await (const part of readText(octets, MAX_BYTES)) text += part
  return text
}

const outcome = (octets: Octets) =>
  readAll(octets).catch((error: unknown) =>
    error instanceof ImportProblem ? error.message : 'another error',
  )

describe('octets', () => {
  test.each<[string, Uint8Array, string]>([
    ['text', Buffer.from('evil.example'), 'evil.example'],
    ['nothing', Buffer.alloc(0), ''],
    ['no UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['gzip', gzipSync('evil.example'), 'evil.example'],
    ['as much as there may be', Buffer.alloc(MAX_BYTES, 'a'), 'a'.repeat(MAX_BYTES)],
    ['one octet more', Buffer.alloc(MAX_BYTES + 1, 'a'), 'it is larger than 100 bytes'],
    ['a bomb', gzipSync(Buffer.alloc(10_000_000)), 'it is larger than 100 bytes'],
    ['a broken gzip', gzipSync('evil.example').subarray(0, 20), 'it is a broken gzip file'],
    ['what begins like gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'it is a broken gzip file'],
    ['zip', Buffer.from('PK\u0003\u0004x'), 'it is a zip archive; only gzip is unpacked'],
    ['bzip2', Buffer.from('BZh9x'), 'it is a bzip2 archive; only gzip is unpacked'],
  ])('%s', async (_, octets, expected) => {
    expect(await outcome([octets])).toBe(expected)
    expect(await outcome([...octets.subarray(0, 200)].map((octet) => Uint8Array.of(octet)))).toEqual(
      octets.length > 200 ? expect.stringMatching(/^it is/) : expected,
    )
  })

  test('an error of the source is nobody else’s', async () => {
    async function* failing() {
      yield Buffer.from('evil.example')
      throw new Error('gone')
    }
    expect(await outcome(failing())).toBe('another error')
    async function* failingGzip() {
      yield gzipSync('evil.example').subarray(0, 10)
      throw new Error('gone')
    }
    expect(await outcome(failingGzip())).toBe('another error')
  })

  test('no octets whatever are too much', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 30 })), fc.boolean(), async (parts, isGzip) => {
        const all = isGzip ? [Uint8Array.of(0x1f), Uint8Array.of(0x8b), ...parts] : parts
        expect(await outcome(all)).not.toBe('another error')
      }),
    )
  })
})

describe('an intake', () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text))

  test('gives the reader what was taken', async () => {
    const intake = createIntake(readAll)
    await intake.take(bytes('evil.'))
    await intake.take(bytes('example'))
    expect(await intake.end()).toBe('evil.example')
  })

  test('ends without anything', async () => {
    expect(await createIntake(readAll).end()).toBe('')
  })

  test('tells who pushes that nobody reads any more, and why', async () => {
    const intake = createIntake(readAll)
    const pushed = async () => {
      for (;;) await intake.take(Buffer.alloc(1000))
    }
    const failure = await pushed().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    await expect(intake.fail(new Error('pushing ended'))).rejects.toThrow('it is larger than 100 bytes')
  })

  test('fails with the failure of who pushed, where the reader met none', async () => {
    const intake = createIntake(readAll)
    await intake.take(bytes('evil.example'))
    await expect(intake.fail(new Error('network'))).rejects.toThrow('network')
    await expect(createIntake(readAll).fail(new Error('before'))).rejects.toThrow('before')
  })
})
