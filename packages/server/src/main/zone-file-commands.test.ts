// The zone file commands as typed, against a server: their output, effects and exit codes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { runCommand } from '../testing/run-command.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'

const NOTHING = 'no changes\n'

describe('zone files at the prompt', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    vi.stubEnv('ZONEREEVE_URL', `http://127.0.0.1:${app.port}/client/v4`)
    vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await app.must('DELETE', `/zones/${zone}`)
  })

  function file(text: string): string {
    const path = join(scratchFolder(), 'a.zone')
    writeFileSync(path, text)
    return path
  }
  const add = (body: object) => app.must('POST', `/zones/${zone}/dns_records`, body)
  const count = async () =>
    (await app.must<unknown[]>('GET', `/zones/${zone}/dns_records?per_page=5000`)).length
  const WWW = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 }
  const LINE = 'www 300 A 192.0.2.1\n'

  test('import, plan and apply lower high TTLs on request, and import reports which', async () => {
    const path = file('a 172800 A 192.0.2.1\nb 86400 A 192.0.2.1\n')
    expect(await runCommand('records', 'import', 'example.com', path)).toMatchObject({
      code: 1,
      out: 'added 1, already present 0, rejected 1\n',
    })
    const lowered = await runCommand('records', 'import', 'example.com', path, '--clamp-ttl')
    expect(lowered).toMatchObject({ code: 0, out: 'added 1, already present 1, rejected 0\n' })
    expect(lowered.err.match(/^line \d+: .*$/gm)).toEqual(['line 1: TTL 172800 lowered to 86400'])
    expect((await runCommand('plan', 'example.com', path)).code).toBe(1)
    expect(await runCommand('plan', 'example.com', path, '--clamp-ttl')).toMatchObject({
      code: 0,
      out: NOTHING,
    })
    const other = file('a 172800 A 192.0.2.2\nb 86400 A 192.0.2.1\n')
    expect((await runCommand('apply', 'example.com', other, '--clamp-ttl', '--yes')).code).toBe(0)
    const [a] = await app.must<{ ttl: number; content: string }[]>(
      'GET',
      `/zones/${zone}/dns_records?name=a.example.com`,
    )
    expect(a).toMatchObject({ ttl: 86_400, content: '192.0.2.2' })
  })

  test('import adds in chunks, reports rejected records by line, and adds only missing ones when run again', async () => {
    const lines = Array.from({ length: 2_500 }, (_, i) => `h${i} 60 A 192.0.2.1`)
    const path = file(
      `$TTL 60\nsub DS 1 8 2 ${'ab'.repeat(32)}\n${lines.join('\n')}\nx 5 A 192.0.2.1\ny A\nsub NS ns.example.net.`,
    )
    const before = await app.changeCount()
    const first = await runCommand('records', 'import', 'example.com', path)
    expect(first).toMatchObject({ code: 1, out: 'added 2502, already present 0, rejected 2\n' })
    expect(first.err).toContain('line 2503: x.example.com: TTL must be between 30 and 86400')
    expect(first.err).toContain('line 2504: column 4: a field is missing')
    expect([await count(), (await app.changeCount()) - before]).toEqual([2_502, 3])
    const [{ id } = { id: '' }] = await app.must<{ id: string }[]>(
      'GET',
      `/zones/${zone}/dns_records?name=h7.example.com`,
    )
    await app.must('DELETE', `/zones/${zone}/dns_records/${id}`)
    expect((await runCommand('records', 'import', 'example.com', path)).out).toBe(
      'added 1, already present 2501, rejected 2\n',
    )
    expect(await count()).toBe(2_502)
  })

  test('import supports --dry-run and --proxied', async () => {
    const path = file(LINE)
    expect(await runCommand('records', 'import', 'example.com', path, '--dry-run')).toMatchObject({
      code: 0,
      out: 'dry run: added 1, already present 0, rejected 0\n',
    })
    expect(await count()).toBe(0)
    expect((await runCommand('records', 'import', zone, path, '--proxied')).code).toBe(0)
    expect(await app.must('GET', `/zones/${zone}/dns_records`)).toMatchObject([{ proxied: true }])
  })

  test.each([
    ['a missing file', 'nowhere.zone', 'nowhere.zone: no such file or folder'],
    ['an unknown zone', undefined, 'unknown zone'],
  ])('import of %s fails in one line', async (_, path, message) => {
    const { code, out, err } = await runCommand(
      'records',
      'import',
      path === undefined ? 'example.net' : 'example.com',
      path ?? file(LINE),
    )
    expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1])
    expect(err).toContain(message)
    expect(await count()).toBe(0)
  })

  test('import of a file without line breaks stops early, and names the line', async () => {
    const { code, err } = await runCommand(
      'records',
      'import',
      'example.com',
      file(`; x\n;${'x'.repeat(800_000)}`),
    )
    expect([code, await count()]).toEqual([1, 0])
    expect(err).toContain('line 2 does not end')
  })

  test('import of bytes that are not UTF-8 names the line', async () => {
    const path = join(scratchFolder(), 'latin.zone')
    writeFileSync(path, Buffer.from('a 60 TXT "x"\nb 60 TXT "\u00ff"\n', 'latin1'))
    const { code, err } = await runCommand('records', 'import', 'example.com', path)
    expect([code, await count()]).toEqual([1, 0])
    expect(err).toContain('is not UTF-8')
  })

  test('export prints, or writes a file for which plan finds no changes', async () => {
    await add(WWW)
    const printed = await runCommand('records', 'export', 'example.com')
    expect(printed.out).toContain('www.example.com.\t300\tIN\tA\t192.0.2.1')
    const path = join(scratchFolder(), 'out.zone')
    expect((await runCommand('records', 'export', 'example.com', '-o', path)).out).toBe('')
    expect(readFileSync(path, 'utf8')).toBe(printed.out)
    expect(await runCommand('plan', 'example.com', path)).toEqual({ code: 0, out: NOTHING, err: '' })
  })

  test('plan shows additions, deletions and changes, and changes nothing', async () => {
    await add(WWW)
    await add({ type: 'MX', name: '@', content: 'mail.example.net', priority: 10, comment: 'old' })
    await add({ type: 'TXT', name: 'same', content: '"x"' })
    const before = await app.changeCount()
    const { code, out } = await runCommand(
      'plan',
      'example.com',
      file('www 60 A 192.0.2.2\nsame 1 TXT "x"\nnew 60 AAAA 2001:db8::1 ; hello\n'),
    )
    expect(code).toBe(2)
    expect(out).toBe(
      [
        '- example.com MX',
        '    - auto 10 mail.example.net ; old',
        '+ new.example.com AAAA',
        '    + 60 2001:db8::1 ; hello',
        '~ www.example.com A',
        '    - 300 192.0.2.1',
        '    + 60 192.0.2.2',
        '1 to add, 1 to change, 1 to remove, 1 unchanged',
        '',
      ].join('\n'),
    )
    expect(await app.changeCount()).toBe(before)
  })

  test('plan for programs', async () => {
    const { code, out } = await runCommand('plan', 'example.com', file(LINE), '--json')
    expect([code, JSON.parse(out)]).toEqual([
      2,
      {
        added: 1,
        changed: 0,
        removed: 0,
        unchanged: 0,
        rrsets: [{ action: '+', name: 'www.example.com', type: 'A', before: [], after: ['300 192.0.2.1'] }],
      },
    ])
  })

  test.each([
    ['an invalid file', ['plan', 'example.com', 'FILE']],
    ['an unknown zone', ['plan', 'example.net', 'FILE']],
    ['too few arguments', ['plan', 'example.com']],
    ['an unknown option', ['plan', 'example.com', 'FILE', '--nothing']],
  ])('plan of %s exits with 1 and without a plan', async (_, argv) => {
    const path = file('www 300 A 192.0.2.256\n')
    expect(await runCommand(...argv.map((word) => (word === 'FILE' ? path : word)))).toMatchObject({
      code: 1,
      out: '',
    })
  })

  test('apply makes the planned changes, and none the second time', async () => {
    await add(WWW)
    const path = file('www 60 A 192.0.2.2\n')
    const before = await app.changeCount()
    const done = await runCommand('apply', 'example.com', path, '--yes')
    expect([done.code, done.err, (await app.changeCount()) - before]).toEqual([0, 'applied\n', 1])
    expect(done.out).toContain('1 to change')
    expect(await runCommand('apply', 'example.com', path, '--yes')).toEqual({
      code: 0,
      out: NOTHING,
      err: '',
    })
    expect(await app.changeCount()).toBe(before + 1)
  })

  test('apply asks for confirmation, and does nothing without a terminal', async () => {
    const { code, err } = await runCommand('apply', 'example.com', file(LINE))
    expect([code, await count()]).toEqual([1, 0])
    expect(err).toContain('--yes')
  })

  test('a change to much of the zone is planned with a note, and applied only with --force', async () => {
    for (let index = 0; index < 10; index += 1) await add({ ...WWW, name: `h${index}` })
    const path = file('h0 300 A 192.0.2.1\n')
    const plan = await runCommand('plan', 'example.com', path)
    expect(plan.code).toBe(2)
    expect(plan.err).toContain('--force')
    expect((await runCommand('apply', 'example.com', path, '--yes')).code).toBe(1)
    expect(await count()).toBe(10)
    expect((await runCommand('apply', 'example.com', path, '--yes', '--force')).code).toBe(0)
    expect(await count()).toBe(1)
  })

  test('a change between plan and apply is detected', async () => {
    await add(WWW)
    const path = file('www 60 A 192.0.2.2\n')
    const wait = vi.spyOn(globalThis, 'fetch')
    const real = wait.getMockImplementation() ?? fetch
    wait.mockRestore()
    let dryRuns = 0
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const reply = await real(url, init)
      if (url.includes('dry_run')) {
        dryRuns += 1
        await add({ ...WWW, name: 'other' })
      }
      return reply
    })
    try {
      const { code, err } = await runCommand('apply', 'example.com', path, '--yes')
      expect([code, dryRuns]).toEqual([1, 1])
      expect(err).toContain('has changed since the plan')
    } finally {
      vi.unstubAllGlobals()
    }
    expect(await app.must('GET', `/zones/${zone}/dns_records?name=www.example.com`)).toMatchObject([
      { content: '192.0.2.1' },
    ])
  })
})
