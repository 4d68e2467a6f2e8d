// The file format: what is written is read again, and every change of a file is found.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readArchive, writeArchive, type Header } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { millisUntilDue } from './schedule.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonereeve-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HEADER: Omit<Header, 'encryption'> = {
  created: '2026-01-05T10:20:30.000Z',
  version: '0',
  database: { id: 'id', position: 1, octets: 1 },
  rows: {},
  key: 'included',
}
const PASSPHRASE = 'a passphrase'
/** Octets of a chunk of the cipher: sizes around it and its multiples matter. */
const CHUNK = 65_536

let files = 0
/** Incompressible, so that the body is as large as the content. */
async function write(content: Buffer, passphrase: string | undefined): Promise<string> {
  const path = join(folder, `${++files}`)
  const database = `${path}.db`
  writeFileSync(database, content)
  const key = { name: 'zonereeve.db.key', content: { text: 'the key\n' } } as const
  await writeArchive(path, HEADER, [key, { name: 'zonereeve.db', content: { path: database } }], passphrase)
  rmSync(database)
  return path
}

async function read(path: string, passphrase: string | undefined): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  await readArchive(path, passphrase, async (name, octets) => {
    const chunks: Buffer[] = []
    for await (const chunk of octets) chunks.push(chunk)
    entries.set(name, Buffer.concat(chunks))
  })
  return entries
}

function randomOctets(count: number): Buffer {
  let digest = createHash('sha256').update('seed').digest()
  const chunks: Buffer[] = []
  for (let made = 0; made < count; made += digest.length) {
    digest = createHash('sha256').update(digest).digest()
    chunks.push(digest)
  }
  return Buffer.concat(chunks).subarray(0, count)
}

describe('archive', () => {
  test.each(
    [0, 1, CHUNK - 60, CHUNK - 59, CHUNK, 3 * CHUNK + 1].flatMap(
      (octets) =>
        [
          [octets, undefined],
          [octets, PASSPHRASE],
        ] as const,
    ),
  )('%i octets, passphrase %s: read as written', async (octets, passphrase) => {
    const content = randomOctets(octets)
    const path = await write(content, passphrase)
    const entries = await read(path, passphrase)
    expect([...entries.keys()]).toEqual(['zonereeve.db.key', 'zonereeve.db'])
    expect(entries.get('zonereeve.db.key')?.toString()).toBe('the key\n')
    expect(entries.get('zonereeve.db')?.equals(content)).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    rmSync(path)
  })

  test('an existing file is not overwritten', async () => {
    const path = join(folder, 'present')
    writeFileSync(path, 'present')
    await expect(writeArchive(path, HEADER, [], undefined)).rejects.toThrow(/EEXIST/)
    expect(readFileSync(path, 'utf8')).toBe('present')
  })

  // The digest finds accidents; whoever changes a file also writes a new digest.
  test('encrypted: chunks that are changed, cut off, repeated or exchanged are found despite a valid digest', async () => {
    const path = await write(randomOctets(3 * CHUNK), PASSPHRASE)
    const intact = readFileSync(path).subarray(0, -32)
    const start = intact.indexOf('\n', 'zonereeve-backup 1\n'.length) + 1
    const chunk = (number: number) =>
      intact.subarray(start + number * (CHUNK + 16), start + (number + 1) * (CHUNK + 16))
    const head = intact.subarray(0, start)
    const forgeries: [name: string, bytes: Buffer][] = [
      ['the last chunk cut off', Buffer.concat([head, chunk(0), chunk(1), chunk(2)])],
      ['all chunks cut off', head],
      ['a chunk repeated', Buffer.concat([head, chunk(0), intact.subarray(start)])],
      [
        'two chunks exchanged',
        Buffer.concat([head, chunk(1), chunk(0), intact.subarray(start + 2 * (CHUNK + 16))]),
      ],
      [
        'the header changed',
        Buffer.from(intact)
          .fill('1', head.indexOf('"position":1') + 11, head.indexOf('"position":1') + 12)
          .fill('2', head.indexOf('"position":1') + 11, head.indexOf('"position":1') + 12),
      ],
    ]
    for (const [name, bytes] of forgeries) {
      writeFileSync(path, bytes)
      appendFileSync(path, createHash('sha256').update(bytes).digest())
      const outcome = await read(path, PASSPHRASE).then(
        () => 'read',
        (error: unknown) => (error instanceof BackupError ? 'rejected' : error),
      )
      expect([name, outcome]).toEqual([name, 'rejected'])
    }
  })

  test('arbitrary bytes are rejected or read, and never hang', async () => {
    const path = join(folder, 'arbitrary')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, hasStart) => {
        const start = hasStart
          ? `zonereeve-backup 1\n${JSON.stringify({ ...HEADER, encryption: null })}\n`
          : ''
        const whole = Buffer.concat([Buffer.from(start), bytes])
        writeFileSync(path, Buffer.concat([whole, createHash('sha256').update(whole).digest()]))
        await expect(read(path, undefined)).rejects.toThrow(BackupError)
      }),
      { numRuns: 100 },
    )
  })
})

describe('schedule', () => {
  const now = new Date('2026-01-05T12:00:00Z')
  const HOUR = 3_600_000
  test.each<[name: string, paths: string[], millis: number]>([
    ['no backup yet: now', [], 0],
    [
      'the newest is half an hour old',
      ['/b/zonereeve-20260105T110000Z.backup', '/b/zonereeve-20260105T113000Z.backup'],
      HOUR / 2,
    ],
    ['the newest is older: now', ['/b/zonereeve-20260105T103000Z.backup'], 0],
    ['the newest is from the future', ['/b/zonereeve-20270105T103000Z.backup'], HOUR],
    ['a second one of one second', ['/b/zonereeve-20260105T120000Z-2.backup'], HOUR],
  ])('every hour, %s', (_, paths, millis) => {
    expect(millisUntilDue(paths, HOUR, now)).toBe(millis)
  })
})
