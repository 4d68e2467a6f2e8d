// zonereeve token create: refuses what is wrong before it writes anything, and prints a token that works.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { createTokens } from '../features/tokens/index.ts'
import { systemClock } from '../platform/clock.ts'
import { randomIds } from '../platform/ids.ts'
import { silentLog } from '../platform/log.ts'
import { openSqliteStorage, query } from '../storage/index.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { createTokenCommand } from './token-command.ts'

const configIn = (data: string) =>
  loadConfig({ flags: { data }, environment: { ZONEREEVE_ADMIN_TOKEN: 'a'.repeat(40) } })

async function printed(work: () => Promise<void>): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await work()
    return write.mock.calls.map(([text]) => String(text)).join('')
  } finally {
    write.mockRestore()
  }
}

describe('token create', () => {
  test.each([
    ['an unknown template', 'x', 'dns', 'there is no template dns'],
    ['a template of every object', 'x', 'constructor', 'there is no template constructor'],
    ['an administrator of one zone', 'x', 'admin:example.com', 'there is no template admin:example.com'],
    ['a template without its zone', 'x', 'dns-edit:', 'there is no template dns-edit:'],
    ['no name', '', 'dns-edit', 'a name has 1 to 120 characters'],
    ['a name of 121 characters', 'n'.repeat(121), 'admin', 'a name has 1 to 120 characters'],
    ['a control character in the name', 'a\nb', 'admin', 'a name has 1 to 120 characters'],
    ['a zone where there is no database', 'x', 'read-only:example.com', 'there is no zone example.com'],
  ])('%s is refused, and nothing is made', async (_, name, template, message) => {
    const data = join(scratchFolder(), 'data')
    await expect(createTokenCommand(configIn(data), { name, template })).rejects.toThrow(message)
    expect(existsSync(data)).toBe(false)
  })

  test('a zone that the database does not have is refused, and no token made', async () => {
    const config = configIn(scratchFolder())
    await printed(() => createTokenCommand(config, { name: 'first', template: 'admin' }))
    const wanted = { name: 'x', template: 'dns-edit:example.com' }
    await expect(createTokenCommand(config, wanted)).rejects.toThrow('there is no zone example.com')
    const storage = await openSqliteStorage(join(config.data, 'zonereeve.db'), silentLog)
    const names = await storage.all(query.selectFrom('tokens').select('name').orderBy('name'))
    await storage.close()
    expect(names).toEqual([{ name: 'administrator' }, { name: 'first' }])
  })

  test.each(['admin', 'dns-edit', 'read-only'])('the token of template %s works', async (template) => {
    const config = configIn(scratchFolder())
    const name = '😀'.repeat(120)
    const value = (await printed(() => createTokenCommand(config, { name, template }))).trim()
    const storage = await openSqliteStorage(join(config.data, 'zonereeve.db'), silentLog)
    const tokens = createTokens({ storage, clock: systemClock(), ids: randomIds() })
    const caller = await tokens.byToken(value, '192.0.2.1')
    await storage.close()
    expect(caller).toMatchObject({ kind: 'token', name })
  })
})
