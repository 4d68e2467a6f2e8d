// Octets of feeds: decompressed, bounded, and read as they arrive.
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPushStream } from './push-stream.ts'
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
    ['the maximum size', Buffer.alloc(MAX_BYTES, 'a'), 'a'.repeat(MAX_BYTES)],
    ['one octet more', Buffer.alloc(MAX_BYTES + 1, 'a'), 'it is larger than 100 bytes'],
    ['a bomb', gzipSync(Buffer.alloc(10_000_000)), 'it is larger than 100 bytes'],
    ['a broken gzip', gzipSync('evil.example').subarray(0, 20), 'it is a broken gzip file'],
    ['data that begins like gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'it is a broken gzip file'],
    ['zip', Buffer.from('PK\u0003\u0004x'), 'it is a zip archive; only gzip is supported'],
    ['bzip2', Buffer.from('BZh9x'), 'it is a bzip2 archive; only gzip is supported'],
  ])('%s', async (_, octets, expected) => {
    expect(await outcome([octets])).toBe(expected)
    expect(await outcome([...octets.subarray(0, 200)].map((octet) => Uint8Array.of(octet)))).toEqual(
      octets.length > 200 ? expect.stringMatching(/^it is/) : expected,
    )
  })

  test('an error of the source is returned unchanged', async () => {
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

  test('any octets are handled', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 30 })), fc.boolean(), async (parts, isGzip) => {
        const all = isGzip ? [Uint8Array.of(0x1f), Uint8Array.of(0x8b), ...parts] : parts
        expect(await outcome(all)).not.toBe('another error')
      }),
    )
  })
})

describe('a parser', () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text))

  test('passes pushed data to the reader', async () => {
    const pushStream = createPushStream(readAll)
    await pushStream.take(bytes('evil.'))
    await pushStream.take(bytes('example'))
    expect(await pushStream.end()).toBe('evil.example')
  })

  test('ends without data', async () => {
    expect(await createPushStream(readAll).end()).toBe('')
  })

  test('reports to the writer that the reader has stopped, and why', async () => {
    const pushStream = createPushStream(readAll)
    const pushed = async () => {
      for (;;) await pushStream.take(Buffer.alloc(1000))
    }
    const failure = await pushed().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    await expect(pushStream.fail(new Error('pushing ended'))).rejects.toThrow('it is larger than 100 bytes')
  })

  test("fails with the writer's error if the reader had none", async () => {
    const pushStream = createPushStream(readAll)
    await pushStream.take(bytes('evil.example'))
    await expect(pushStream.fail(new Error('network'))).rejects.toThrow('network')
    await expect(createPushStream(readAll).fail(new Error('before'))).rejects.toThrow('before')
  })
})
