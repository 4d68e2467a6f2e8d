// The activity log: filters that the server is asked for, counts that lead to the list, exceptions that take effect.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Report } from '../report.ts'
import { ACTIVITY_ZONE } from './activity-site.ts'
import type { Site } from './site.ts'
import { untilQuiet, type Visitor } from './visitor.ts'

interface Decision {
  readonly action: string
}

export async function runActivity(visitor: Visitor, site: Site, report: Report): Promise<void> {
  await runFilters(visitor, site, report)
  await runFollowUps(visitor, site, report)
}

const path = `/zones/${ACTIVITY_ZONE}/activity`

async function runFilters(visitor: Visitor, { program }: Site, report: Report): Promise<void> {
  const { page, requests } = visitor
  const rows = page.locator('tr.event')
  await report.check(
    'activity: what is and is not wanted is asked of the server, and stays in the URL',
    async () => {
      await page.goto(path)
      await rows.first().waitFor()
      const isFound = (url: string) =>
        url.includes('action.not=log') && url.includes('host=www.activity.example')
      const found = page.waitForResponse((response) => isFound(response.url()))
      await page.keyboard.press('/')
      await page.keyboard.type('-action:log host:www.activity.example ')
      await found // until then, the list has the events of the filter before
      await page.getByText('is not', { exact: true }).waitFor()
      await page.waitForURL(/q=-action:log\+host:www\.activity\.example/)
      await untilQuiet(page)
      ok(requests.some(isFound))
      const actions = await page.locator('tr.event .k4').allInnerTexts()
      ok(actions.length > 0)
      ok(!actions.some((action) => action.trim() === 'log'))
      await page.reload()
      await rows.first().waitFor()
      deepEqual(await page.locator('tr.event .k4').allInnerTexts(), actions)
      await page.keyboard.press('/')
      await page.keyboard.type('country:DE ')
      await page.getByText('country:DE is no filter.').waitFor()
    },
  )
  await report.check('activity: a frequent value and a bar each lead to their events', async () => {
    await page.goto(path)
    await page.getByRole('button', { name: 'Only 203.0.113.9' }).click()
    await page.waitForURL(/q=address:203\.0\.113\.9/)
    await page
      .locator('tr.event .from')
      .filter({ hasNotText: '203.0.113.9' })
      .first()
      .waitFor({ state: 'detached' })
    await untilQuiet(page)
    const addresses = new Set(
      (await page.locator('tr.event .from').allInnerTexts()).map((text) => text.trim()),
    )
    deepEqual([...addresses], ['203.0.113.9'])
    const bars = page.getByRole('slider')
    await bars.focus()
    await page.keyboard.press('End')
    while (String(await bars.getAttribute('aria-valuetext')).endsWith('none'))
      await page.keyboard.press('ArrowLeft')
    const chosen = String(await bars.getAttribute('aria-valuetext'))
    const counted = /(\d+) [a-z]/.exec(chosen)
    await page.keyboard.press('Enter')
    await page.waitForURL(/since=.*until=/)
    // Until the reply comes, the page shows the bars of the day.
    await page.locator(`[role=slider]:not([aria-valuetext="${chosen}"])`).waitFor()
    await untilQuiet(page)
    ok((await rows.count()) >= Number(counted?.[1]))
    const { searchParams: before } = new URL(page.url())
    await page.locator('.events .u-over').click({ position: { x: 5, y: 30 } })
    await page.waitForURL((url) => url.searchParams.get('until') !== before.get('until'))
    equal(new URL(page.url()).searchParams.get('since'), before.get('since'))
  })
  await report.check('activity: the export has the events of the list', async () => {
    await page.goto(`${path}?q=-action:block`)
    await rows.first().waitFor()
    const href = await page.getByRole('link', { name: 'Export, NDJSON' }).getAttribute('href')
    const reply = await page.request.get(`${program.http}${href}`)
    equal(reply.headers()['content-type'], 'application/x-ndjson')
    const lines = (await reply.text()).trimEnd().split('\n')
    const found = String(await page.locator('.hits').innerText())
    equal(`${lines.length} events`, found)
    ok(lines.every((line) => (JSON.parse(line) as { action: string }).action !== 'block'))
  })
}

async function runFollowUps({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${ACTIVITY_ZONE}`)
  const decide = (target: string) =>
    api.post<Decision>(`/zonereeve/zones/${zone?.id}/firewall/decide`, {
      url: `https://www.${ACTIVITY_ZONE}${target}`,
      headers: { 'user-agent': 'curl/8.0' },
      ip: '203.0.113.9',
    })
  await report.check('activity: an exception from a row lets the request pass, and no other', async () => {
    equal((await decide('/.hidden/notes')).action, 'block')
    await page.goto(`${path}?q=path:/.hidden/notes`)
    await page.locator('tr.event .fold').first().click()
    await page.getByText('starts_with(http.request.uri.path, "/.")').waitFor()
    await page.getByRole('link', { name: 'Add an exception…' }).click()
    await page.getByText('It skips the custom rules after it.').waitFor()
    await page.getByRole('textbox', { name: 'Expression' }).waitFor()
    await page.getByRole('button', { name: 'Add rule' }).last().click()
    await page.getByText('Exception from Block dotfiles is added.').waitFor()
    equal((await decide('/.hidden/notes')).action, 'allow')
    equal((await decide('/.hidden/other')).action, 'block')
  })
  await report.check(
    'trace: from a row, and from a pasted curl command, each phase and the decision',
    async () => {
      await page.goto(`${path}?q=path:/.env`)
      await page.locator('tr.event .fold').first().click()
      await page.getByRole('link', { name: 'Trace again' }).click()
      const url = page.getByLabel('URL', { exact: true })
      match(await url.inputValue(), /^https:\/\/[a-z]+\.activity\.example\/\.env$/)
      await page.getByRole('button', { name: 'Trace', exact: true }).click()
      await page.getByText('The request ends with: block.').waitFor()
      await page.getByRole('cell', { name: 'matched' }).waitFor()
      match(await page.locator('table.steps').first().innerText(), /Block dotfiles/)
      const curl = page.getByLabel('Paste a curl command (optional)')
      await curl.fill(`curl -F a=@b https://www.${ACTIVITY_ZONE}/`)
      await page.getByText('The option -F cannot be read here.').waitFor()
      await curl.fill(`curl -X POST 'https://www.${ACTIVITY_ZONE}/upload' -H 'X-Test: 1' --data-raw 'a=1'`)
      equal(await url.inputValue(), `https://www.${ACTIVITY_ZONE}/upload`)
      equal(await page.getByLabel('Body (optional)').inputValue(), 'a=1')
      await page.getByRole('button', { name: 'Trace', exact: true }).click()
      await page.getByText('The request is logged and reaches the origin.').waitFor()
      match(await page.locator('table.steps').first().innerText(), /Log uploads above 8 MB/)
    },
  )
  await report.check('activity: a rule from a row blocks the same request', async () => {
    equal((await decide('/upload')).action, 'allow')
    await page.goto(`${path}?q=path:/upload address:203.0.113.9&since=7d`)
    await page.locator('tr.event .fold').first().click()
    await page.getByRole('link', { name: 'Write a rule…' }).click()
    await page.getByRole('textbox', { name: 'Expression' }).waitFor()
    const expression = await page.getByRole('textbox', { name: 'Expression' }).innerText()
    match(expression, /ip\.src eq 203\.0\.113\.9/)
    const host = /http\.host eq "([^"]+)"/.exec(expression)?.[1]
    await page.getByRole('button', { name: 'Add rule' }).last().click()
    await page.getByText('Block 203.0.113.9 is added.').waitFor()
    const decided = await api.post<Decision>(`/zonereeve/zones/${zone?.id}/firewall/decide`, {
      url: `https://${host}/upload`,
      headers: { 'user-agent': 'curl/8.0' },
      ip: '203.0.113.9',
    })
    equal(decided.action, 'block')
  })
}
