// The demo's legacy firewall can be migrated as it is, and everything in it is migrated.
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../testing/app.ts'
import { DEMO_FIREWALL_ZONE, seedFirewall } from './demo-firewall.ts'

test('the demo has a zone that is ready to migrate from the legacy managed rules', async () => {
  const app = await startTestApp()
  onTestFinished(() => app.close())
  await seedFirewall(app)
  const [zone] = await app.must<{ id: string }[]>('GET', `/zones?name=${DEMO_FIREWALL_ZONE}`)
  const migration = `/zones/${zone?.id}/waf_migration`
  const checked = await app.call({ method: 'GET', path: `${migration}/check?phase_two=1` })
  expect([checked.json.result, checked.json.messages]).toEqual([
    { compatible: true, migration_state: 'start' },
    [],
  ])
  const { rules } = await app.must<{
    rules: {
      action: string
      description: string
      enabled: boolean
      action_parameters: { overrides?: { rules: { enabled?: boolean; action?: string }[] } }
    }[]
  }>('GET', `${migration}/config?phase_two=1`)
  expect(rules.map(({ action, enabled }) => [action, enabled])).toEqual([
    ['skip', true],
    ['skip', true],
    ['skip', true],
    ['execute', true],
    ['execute', true],
  ])
  expect(rules.map(({ description }) => description)).toEqual(
    expect.arrayContaining(['The office', 'Notices of the payment service']),
  )
  const overrides = rules[3]?.action_parameters.overrides?.rules ?? []
  const chosen = overrides.filter(({ enabled }) => enabled === true).map(({ action }) => action)
  expect(chosen.toSorted()).toEqual(['log', 'managed_challenge'])
  expect(overrides.filter(({ enabled }) => enabled === false).length).toBeGreaterThan(0)
  expect(rules[4]?.action_parameters.overrides?.rules).toEqual([
    { id: '6179ae15870a4bb7b2d480d4843b323c', action: 'block', score_threshold: 25 },
  ])
  await app.must('POST', `/zonereeve${migration}/deploy`)
  expect(await app.must('GET', `${migration}/status`)).toEqual({
    migration_state: 'done',
    old_waf: 'disabled',
    new_waf: 'enabled',
  })
})
