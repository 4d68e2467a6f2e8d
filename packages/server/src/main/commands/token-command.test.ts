// zonereeve token create: writes a token directly into the database, with exactly the permissions of its
// template.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig, type Config } from '@zonereeve/config'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { createTokenCommand } from './token-command.ts'

let database: string
let config: Config
beforeEach(() => {
  database = join(scratchFolder(), 'data', 'zonereeve.db')
  config = loadConfig({ flags: { database: `sqlite:${database}` }, environment: {} })
})
afterEach(() => void vi.restoreAllMocks())

async function create(template: string, name = 'made'): Promise<{ out: string; err: string }> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await createTokenCommand(config, { name, template })
    const text = (spy: typeof out) => spy.mock.calls.map(([chunk]) => String(chunk)).join('')
    return { out: text(out).trim(), err: text(err).trim() }
  } finally {
    vi.restoreAllMocks()
  }
}

/** The permissions of a token, shown by the statuses of requests. */
async function rights(app: TestApp, token: string): Promise<string> {
  const [zone] = await app.must<{ id: string }[]>('GET', '/zones?name=example.com')
  const [other] = await app.must<{ id: string }[]>('GET', '/zones?name=example.net')
  const record = { type: 'TXT', name: 'x', content: token.slice(0, 8) }
  const requests: [string, string, string, unknown?][] = [
    ['zones', 'GET', '/zones'],
    ['zone', 'PATCH', `/zones/${zone?.id}`, {}],
    ['read', 'GET', `/zones/${zone?.id}/dns_records`],
    ['write', 'POST', `/zones/${zone?.id}/dns_records`, record],
    ['read other', 'GET', `/zones/${other?.id}/dns_records`],
    ['write other', 'POST', `/zones/${other?.id}/dns_records`, record],
    ['tokens', 'GET', '/user/tokens'],
    ['decide', 'GET', `/zonereeve/zones/${zone?.id}/edge/configuration`],
    ['decide other', 'GET', `/zonereeve/zones/${other?.id}/edge/configuration`],
  ]
  const allowed = []
  for (const [what, method, path, body] of requests) {
    if ((await app.call({ method, path, token, body })).status === 200) allowed.push(what)
  }
  return allowed.join(', ')
}

describe('token create', () => {
  const templates: [template: string, rights: string][] = [
    ['admin', 'zones, zone, read, write, read other, write other, tokens, decide, decide other'],
    ['dns-edit', 'zones, read, write, read other, write other'],
    ['dns-edit:example.com', 'zones, read, write'],
    ['dns-edit:EXAMPLE.com.', 'zones, read, write'],
    ['read-only', 'zones, read, read other'],
    ['read-only:example.com', 'zones, read'],
    ['edge', 'decide, decide other'],
    ['edge:example.com', 'decide'],
  ]
  test.each(templates)(
    '%s creates a token, while a server uses the database, with the permissions: %s',
    async (template, expected) => {
      const app = await startTestApp({ database })
      for (const name of ['example.com', 'example.net']) await app.must('POST', '/zones', { name })
      const { out, err } = await create(template)
      const tokens = await app.must<{ id: string; name: string }[]>('GET', '/user/tokens')
      const id = tokens.find(({ name }) => name === 'made')?.id
      expect([out, err]).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{40}$/), `token id: ${id}`])
      expect(await rights(app, out)).toBe(expected)
      expect((await app.changeLog(app.userId)).at(-1)).toMatchObject({
        actor_kind: 'system',
        ops: [{ kind: 'token.create' }],
      })
      await app.close()
    },
  )

  const wrong: [name: string, template: string, message: RegExp][] = [
    ['an unknown template', 'everything', /^unknown template everything; use one of admin, /],
    ['an unknown zone', 'dns-edit:example.org', /^unknown zone example\.org$/],
    ['no template', '', /^unknown template/],
  ]
  test.each(wrong)('%s is rejected, and nothing is created', async (_, template, message) => {
    const app = await startTestApp({ database })
    const before = await app.changeCount()
    await expect(create(template)).rejects.toThrow(message)
    expect([await app.changeCount(), (await app.must<unknown[]>('GET', '/user/tokens')).length]).toEqual([
      before,
      1,
    ])
    await app.close()
  })

  const early: [what: string, template: string, name: string, message: string][] = [
    ['an unknown template', 'dns', 'x', 'unknown template dns'],
    ['a member of every object as template', 'constructor', 'x', 'unknown template constructor'],
    ['an administrator of one zone', 'admin:example.com', 'x', 'unknown template admin:example.com'],
    ['a template without its zone', 'dns-edit:', 'x', 'unknown template dns-edit:'],
    ['a template with more than a zone', 'dns-edit:a:b', 'x', 'unknown template dns-edit:a:b'],
    ['no name', 'dns-edit', '', '--name must have 1 to 120 characters'],
    ['a name of 121 characters', 'admin', 'n'.repeat(121), '--name must have 1 to 120 characters'],
    ['a control character in the name', 'admin', 'a\nb', '--name must have 1 to 120 characters'],
    ['a zone where there is no database', 'read-only:a.example', 'x', 'zonereeve.db: database not found'],
    ['any template where there is no database', 'dns-edit', 'x', 'zonereeve.db: database not found'],
    ['an administrator where there is no database', 'admin', 'x', 'zonereeve.db: database not found'],
  ]
  test.each(early)('%s is rejected before there is a database', async (_, template, name, message) => {
    await expect(create(template, name)).rejects.toThrow(message)
    expect(existsSync(dirname(database))).toBe(false)
  })

  test('a name may have 120 characters, also outside the BMP', async () => {
    const name = '😀'.repeat(120)
    const app = await startTestApp({ database })
    const { out } = await create('admin', name)
    const tokens = await app.call<{ name: string }[]>({ method: 'GET', path: '/user/tokens', token: out })
    expect(tokens.json.result.map((token) => token.name)).toContain(name)
    await app.close()
  })
})
