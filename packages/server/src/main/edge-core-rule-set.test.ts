// An edge uses the Core Rule Set that its server has imported: from the server, and from its folder without the server.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { startEdge, type Edge } from '@zonereeve/edge'
import { coreRuleSet, installCoreRuleSet } from '@zonereeve/firewall'
import { afterEach, expect, test, vi } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { START, startTestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'
import { importCommand } from './commands/crs-command.ts'

const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c'
const MANAGED = 'http_request_firewall_managed'
/** Matches what none of our own rules does. */
const RULES = `SecComponentSignature "OWASP_CRS/3.3.4"
SecAction "id:901001,phase:1,setvar:tx.five=5"
SecRule ARGS "@contains zebra" "id:932001,phase:2,block,msg:'Animal',tag:'paranoia-level/1',severity:'CRITICAL',setvar:'tx.anomaly_score_pl1=+%{tx.five}'"
`

afterEach(() => installCoreRuleSet(undefined))

const optionsFor = (port: number, token: string, folder: string) =>
  edgeOptions({ port }, token, undefined, { folder, proxy: undefined, now: () => START })

function statusOf({ decisions }: Edge, path: string): Promise<number | undefined> {
  const headers = { host: 'example.com', 'x-forwarded-for': '192.0.2.7' }
  return new Promise((resolve, reject) => {
    const sent = get({ ...decisions, path: `/auth/envoy${path}`, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
  })
}

async function importRules(folder: string, database: string): Promise<void> {
  mkdirSync(join(folder, 'crs'))
  writeFileSync(join(folder, 'crs', 'rules.conf'), RULES)
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const config = loadConfig({ flags: { database: `sqlite:${database}` }, environment: {} })
  await importCommand(config, join(folder, 'crs')).finally(() => vi.restoreAllMocks())
}

test('it blocks with the imported rules, also after a restart without the server', async () => {
  const folder = scratchFolder()
  const database = join(folder, 'data', 'zonereeve.db')
  const first = await startTestApp({ database })
  await first.close()
  await importRules(folder, database)
  const app = await startTestApp({ database })
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  const overrides = { rules: [{ id: SCORE_RULE, score_threshold: 5 }] }
  await app.must('PUT', `/zones/${zone.id}/rulesets/phases/${MANAGED}/entrypoint`, {
    rules: [{ action: 'execute', expression: 'true', action_parameters: { id: OWASP, overrides } }],
  })
  const token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
  const other = await makeToken(app, [allow(['Zone WAF Read'], 'account.zone.*')])
  const path = '/zonereeve/edge/core_rule_set'
  expect((await app.call({ method: 'GET', path, token })).json.result).toMatchObject({
    rule_set: { version: '3.3.4' },
  })
  expect((await app.call({ method: 'GET', path, token: other })).status).toBe(403)

  // The edge is another process, which has imported nothing.
  installCoreRuleSet(undefined)
  const stored = join(folder, 'edge')
  const edge = await startEdge(optionsFor(app.port, token, stored))
  await edge.synced
  expect(await statusOf(edge, '/?q=zebra')).toBe(403)
  expect(await statusOf(edge, '/?q=horse')).toBe(204)
  await edge.close()
  await app.close()
  expect(readdirSync(stored).toSorted()).toEqual([`${zone.id}.json`, 'core-rule-set.json'].toSorted())

  installCoreRuleSet(undefined)
  const alone = await startEdge(optionsFor(9, token, stored))
  expect(coreRuleSet()?.version).toBe('3.3.4')
  expect(await statusOf(alone, '/?q=zebra')).toBe(403)
  await alone.close()

  installCoreRuleSet(undefined)
  writeFileSync(join(stored, 'core-rule-set.json'), '{"id":1')
  const damaged = await startEdge(optionsFor(9, token, stored))
  expect(coreRuleSet()).toBeUndefined()
  await damaged.close()
})
