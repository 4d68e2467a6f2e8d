// zonereeve crs: rules are imported into the database, and servers use them, running or started later.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installCoreRuleSet } from '@zonereeve/firewall'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig, type Config } from '@zonereeve/config'
import { startTestApp } from '../../testing/app.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { query } from '@zonereeve/storage'
import { importCommand, removeCommand, showCommand } from './crs-command.ts'

const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'
const RULES = `SecComponentSignature "OWASP_CRS/3.3.4"
SecRule ARGS "@pmFromFile words.data" "id:932001,msg:'Command',tag:'paranoia-level/1',severity:'CRITICAL'"
SecRule ARGS "@detectSQLi" "id:942100,tag:'paranoia-level/1',severity:'CRITICAL'"
SecUnknownDirective On
`

let folder: string
let database: string
let config: Config
beforeEach(() => {
  folder = scratchFolder()
  database = join(folder, 'data', 'zonereeve.db')
  config = loadConfig({ flags: { database: `sqlite:${database}` }, environment: {} })
  mkdirSync(join(folder, 'crs', 'rules'), { recursive: true })
  writeFileSync(join(folder, 'crs', 'rules', 'rules.conf'), RULES)
  writeFileSync(join(folder, 'crs', 'rules', 'words.data'), '# commands\nwget\n')
  writeFileSync(join(folder, 'crs', 'crs-setup.conf'), 'SecAction "id:900990,phase:1,setvar:tx.x=1"\n')
})
afterEach(() => {
  installCoreRuleSet(undefined)
  vi.restoreAllMocks()
})

async function output(command: () => Promise<void>): Promise<string> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await command()
    return out.mock.calls.map(([chunk]) => String(chunk)).join('')
  } finally {
    vi.restoreAllMocks()
  }
}

async function owaspRuleset(): Promise<{ name: string; ids: readonly string[] }> {
  const app = await startTestApp({ database })
  const [zone] = await app.must<{ id: string }[]>('GET', '/zones')
  const id = zone?.id ?? (await app.must<{ id: string }>('POST', '/zones', { name: 'example.com' })).id
  const path = `/zones/${id}/rulesets/${OWASP}`
  const { name, rules } = await app.must<{ name: string; rules: { id: string }[] }>('GET', path)
  await app.close()
  return { name, ids: rules.map((rule) => rule.id.replace(/^0+/, '')) }
}

test('imported rules are the managed OWASP ruleset from the next start on, until they are removed', async () => {
  const own = await owaspRuleset()
  expect(own.name).toBe('Zonereeve OWASP-like Ruleset')
  expect(await output(() => showCommand(config))).toMatch(/^no Core Rule Set was imported/)

  const report = await output(() => importCommand(config, join(folder, 'crs')))
  expect(report).toContain('OWASP Core Rule Set 3.3.4: 3 rules\n  run      2\n  partly   0\n  not run  1\n')
  expect(report).toContain('not run 942100: it needs libinjection (@detectSQLi)\n')
  expect(report).toContain('rules.conf:4: SecUnknownDirective: this directive is not known\n')
  expect(report).toContain(await output(() => showCommand(config)))
  expect(await owaspRuleset()).toEqual({
    name: 'Cloudflare OWASP Core Ruleset',
    ids: ['932001', '6179ae15870a4bb7b2d480d4843b323c'],
  })

  await output(() => removeCommand(config))
  expect(await owaspRuleset()).toEqual(own)
})

test('a running server uses imported rules without a restart, and decides by them', async () => {
  const app = await startTestApp({ database })
  const { id } = await app.must<{ id: string }>('POST', '/zones', { name: 'example.com' })
  const overrides = { rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 5 }] }
  const execute = { action: 'execute', expression: 'true', action_parameters: { id: OWASP, overrides } }
  const entry = `/zones/${id}/rulesets/phases/http_request_firewall_managed/entrypoint`
  await app.must('PUT', entry, { rules: [execute] })
  const state = async () => {
    const { name } = await app.must<{ name: string }>('GET', `/zones/${id}/rulesets/${OWASP}`)
    const { action } = await app.must<{ action: string }>('POST', `/zonereeve/zones/${id}/firewall/decide`, {
      method: 'GET',
      url: 'https://example.com/?q=wget',
      ip: '192.0.2.1',
      headers: { accept: '*/*', 'user-agent': 'Mozilla/5.0' },
    })
    const { core_rule_set: edges } = await app.must<{ core_rule_set: string | null }>(
      'GET',
      '/zonereeve/edge/zones',
    )
    return { isOwn: name === 'Zonereeve OWASP-like Ruleset', action, isOffered: edges !== null }
  }
  const own = { isOwn: true, action: 'allow', isOffered: false }
  const imported = { isOwn: false, action: 'block', isOffered: true }
  expect(await state()).toEqual(own)
  await output(() => importCommand(config, join(folder, 'crs')))
  await app.followCoreRules()
  expect(await state()).toEqual(imported)
  await app.followCoreRules()
  expect(await state()).toEqual(imported)
  await output(() => removeCommand(config))
  await app.followCoreRules()
  expect(await state()).toEqual(own)
  await app.close()
})

test('rules that cannot be used are not used: those before stay', async () => {
  const app = await startTestApp({ database })
  await output(() => importCommand(config, join(folder, 'crs')))
  await app.followCoreRules()
  const { id } = await app.must<{ id: string }>('POST', '/zones', { name: 'example.com' })
  await app.storage.write(async (tx) => {
    await tx.run(query.updateTable('settings').set({ value: '{}' }).where('name', '=', 'core_rule_set'))
    await tx.run(query.updateTable('settings').set({ value: 'other' }).where('name', '=', 'core_rule_set_id'))
  })
  await app.followCoreRules()
  const { name } = await app.must<{ name: string }>('GET', `/zones/${id}/rulesets/${OWASP}`)
  expect(name).toBe('Cloudflare OWASP Core Ruleset')
  await app.close()
})

test('a single file is imported with the lists beside it', async () => {
  await owaspRuleset()
  const report = await output(() => importCommand(config, join(folder, 'crs', 'rules', 'rules.conf')))
  expect(report).toContain('3.3.4: 2 rules')
})

describe('nothing is stored', () => {
  test.each([
    ['for a path that does not exist', 'absent', /absent: not found/],
    ['for a folder without rules', 'data', /no rules found/],
    ['for rules that are not valid', 'broken', /broken\.conf:1: SecRule: targets and an operator/],
  ])('%s', async (_, path, message) => {
    await owaspRuleset()
    mkdirSync(join(folder, 'broken'))
    writeFileSync(join(folder, 'broken', 'broken.conf'), 'SecRule ARGS\n')
    await expect(importCommand(config, join(folder, path))).rejects.toThrow(message)
    expect(await output(() => showCommand(config))).toMatch(/^no Core Rule Set/)
  })

  test('without a database', async () => {
    await expect(importCommand(config, join(folder, 'crs'))).rejects.toThrow(/database not found/)
  })
})
