// Managed rules in the dashboard: the zone's own scores beside each threshold, and choices that take effect.
import { deepEqual, equal, match } from 'node:assert/strict'
import type { Report } from '../report.ts'
import { SCORED_ZONE } from './firewall-site.ts'
import type { Site } from './site.ts'
import type { Visitor } from './visitor.ts'

const ENTRY = 'rulesets/phases/http_request_firewall_managed/entrypoint'
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c'
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'

interface Executed {
  readonly enabled: boolean
  readonly action_parameters: { readonly id: string; readonly overrides?: object }
}

export async function runFirewall({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${SCORED_ZONE}`)
  const owasp = async (): Promise<Executed | undefined> => {
    const { rules } = await api.get<{ rules: readonly Executed[] }>(`/zones/${zone?.id}/${ENTRY}`)
    return rules.find(({ action_parameters: { id } }) => id === OWASP)
  }
  await report.check('managed rules show how many requests of the zone reach each threshold', async () => {
    await page.goto(`/zones/${SCORED_ZONE}/managed-rules`)
    await page.getByText(/[1-9]\d* requests? had a score in the last 7 days/).waitFor()
    const rows = await page.locator('table.thresholds tbody tr').allInnerTexts()
    deepEqual(
      rows.map((row) => Number(/^\s*(\d+)/.exec(row)?.[1])),
      [5, 25, 40, 60],
    )
    const counts = rows.map((row) => Number(/(\d+)\s*$/.exec(row)?.[1]))
    deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    )
    match(String(rows[2]), /now/)
  })
  await report.check('a threshold is chosen by the keyboard alone, and other settings stay', async () => {
    await page.getByRole('radio', { name: '40 now' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('The threshold is 5.').waitFor()
    deepEqual((await owasp())?.action_parameters, {
      id: OWASP,
      overrides: { rules: [{ id: SCORE_RULE, score_threshold: 5, action: 'log' }] },
    })
    await page.getByRole('radio', { name: '5 now' }).waitFor()
  })
  await report.check('a ruleset is turned off and on again', async () => {
    await page.getByRole('button', { name: /^Turn off: .*OWASP/ }).click()
    await page.getByRole('button', { name: /^Execute: .*OWASP/ }).waitFor()
    equal((await owasp())?.enabled, false)
    await page.getByRole('button', { name: /^Execute: .*OWASP/ }).click()
    await page.getByRole('button', { name: /^Turn off: .*OWASP/ }).waitFor()
    equal((await owasp())?.enabled, true)
  })
}
