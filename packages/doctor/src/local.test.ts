// Files, certificates and limits of the process.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/test-requirements.ts'
import { examineFiles, examineTls } from './files.ts'
import type { Finding } from './finding.ts'
import { examineClock, examineOpenFiles, examinePorts } from './process-limits.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonereeve-doctor-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const levels = (findings: readonly Finding[]) => findings.map(({ level, check }) => `${level} ${check}`)

describe('files', () => {
  const database = () => join(folder, 'zonereeve.db')
  function make(...suffixes: string[]): void {
    for (const suffix of suffixes) writeFileSync(database() + suffix, 'x', { mode: 0o600 })
  }

  test('a folder in order', () => {
    make('', '.key')
    const findings = examineFiles({ database: database(), isKeyConfigured: false })
    // Free space depends on the machine.
    expect(levels(findings.filter(({ check }) => check !== 'disk space'))).toEqual([
      'ok file modes',
      'ok key file',
    ])
    expect(findings.find(({ check }) => check === 'disk space')?.message).toMatch(/^\d+ MiB are free/)
  })

  test('no database', () => {
    expect(levels(examineFiles({ database: database(), isKeyConfigured: false }))).toEqual([
      'problem database',
    ])
  })

  test('open modes and a missing key', () => {
    make('', '-wal')
    chmodSync(database(), 0o640)
    chmodSync(folder, 0o755)
    const findings = examineFiles({ database: database(), isKeyConfigured: false })
    expect(
      findings.filter(({ level }) => level !== 'ok').map(({ level, subject }) => [level, subject]),
    ).toEqual([
      ['warning', folder],
      ['warning', database()],
      ['problem', `${database()}.key`],
    ])
  })

  test('a configured key needs no file', () => {
    make('')
    const findings = examineFiles({ database: database(), isKeyConfigured: true })
    expect(findings.map(({ check }) => check)).not.toContain('key file')
  })
})

describeWith('openssl', 'certificate', () => {
  const files = () => ({ certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') })
  function request(days: number, { certificate, key } = files()): void {
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    const out = ['-subj', '/CN=ns1.example.com', '-days', String(days), '-keyout', key, '-out', certificate]
    execFileSync('openssl', [...kind, ...out], { stdio: 'ignore' })
  }
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

  test.each<[name: string, when: number, levels: string[], message: RegExp]>([
    ['has 89 days left', 0.5, ['ok certificate'], /ends in 89 days/],
    ['has 13 days left', 76.5, ['warning certificate'], /ends in 13 days/],
    ['has ended', 91, ['problem certificate'], /^ended /],
    ['begins tomorrow', -1, ['problem certificate'], /is valid only from/],
  ])('%s', (_, when, expected, message) => {
    request(90)
    const findings = examineTls(files(), inDays(when))
    expect([levels(findings), findings[0]?.message]).toEqual([expected, expect.stringMatching(message)])
  })

  test('of another key, unreadable, and a key that every user may read', () => {
    request(90)
    const other = { certificate: join(folder, 'other.pem'), key: join(folder, 'other-key.pem') }
    request(90, other)
    const now = inDays(0.5)
    expect(levels(examineTls({ ...files(), key: other.key }, now))).toEqual(['problem certificate'])
    expect(levels(examineTls({ ...files(), key: join(folder, 'none') }, now))).toEqual([
      'problem certificate',
    ])
    chmodSync(files().key, 0o644)
    expect(levels(examineTls(files(), now))).toEqual(['ok certificate', 'warning certificate'])
    expect(examineTls({ certificate: undefined, key: undefined }, now)).toEqual([])
  })

  test('for the host of the API', () => {
    request(90)
    const now = inDays(0.5)
    expect(levels(examineTls({ ...files(), host: 'ns1.example.com' }, now))).toEqual(['ok certificate'])
    const [, finding] = examineTls({ ...files(), host: 'dns.example.com' }, now)
    expect([finding?.level, finding?.message]).toEqual([
      'problem',
      expect.stringMatching(/^is not for dns\.example\.com, but for .*ns1\.example\.com/s),
    ])
  })
})

describe('process', () => {
  const status = (mask: string) => (path: string) =>
    path === '/proc/self/status' ? `Name: x\nCapEff:\t${mask}\n` : path.includes('port_start') ? '1024\n' : ''
  test.each([
    ['no capability', '0000000000000000', { dns: 53, http: 8080 }, ['warning ports']],
    ['the capability', '0000000000000400', { dns: 53, http: 8080 }, ['ok ports']],
    ['no low port', '0000000000000000', { dns: 5353, http: 0 }, []],
  ])('low ports with %s', (_, mask, ports, expected) => {
    expect(levels(examinePorts(ports, status(mask)))).toEqual(expected)
  })

  test('low ports that the system allows to everybody, and a system without /proc', () => {
    expect(examinePorts({ dns: 53 }, (path) => (path.includes('port_start') ? '53\n' : ''))).toEqual([])
    expect(levels(examinePorts({ dns: 53 }, () => ''))).toEqual(['warning ports'])
    expect(examineOpenFiles(() => '')).toEqual([])
  })

  test.each([
    ['1024', 'warning open files'],
    ['65536', 'ok open files'],
  ])('%s open files', (limit, expected) => {
    expect(
      levels(examineOpenFiles(() => `Max open files            ${limit}                 ${limit} files\n`)),
    ).toEqual([expected])
  })

  test('clock', () => {
    const now = new Date('2026-01-05T10:00:00Z')
    expect(examineClock(now, undefined).level).toBe('ok')
    expect(examineClock(now, new Date('2026-01-05T10:00:30Z')).level).toBe('ok')
    expect(examineClock(now, new Date('2026-01-06T10:00:00Z'))).toMatchObject({
      level: 'problem',
      check: 'clock',
    })
  })
})
