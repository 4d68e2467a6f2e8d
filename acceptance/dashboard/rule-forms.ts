// Redirects and rate limits in the dashboard: the first of a zone, changes of each, and what the API refuses at its field.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../browsers/api.ts'
import type { Report } from '../report.ts'
import { RULES_ZONE } from './rules-site.ts'
import type { Site } from './site.ts'
import type { Visitor } from './visitor.ts'
import { FREE_ZONE } from './wizard-site.ts'

/** The editor of what a rule matches. */
const WHEN = 'When: expression'

interface Rule {
  readonly description: string
  readonly action: string
  readonly expression: string
  readonly action_parameters?: object
  readonly ratelimit?: object
}

interface Decision {
  readonly action: string
  readonly response: { readonly status_code: number; readonly location?: string } | null
}

const zoneId = async (api: Api, name: string): Promise<string | undefined> =>
  (await api.get<readonly { id: string }[]>(`/zones?name=${name}`))[0]?.id

/** none before the first. */
const rulesOf = async (api: Api, zone: string | undefined, phase: string): Promise<readonly Rule[]> => {
  const entry = `/zones/${zone}/rulesets/phases/${phase}/entrypoint`
  return (await api.get<{ rules: readonly Rule[] }>(entry).catch(() => ({ rules: [] }))).rules
}

const fill = async (page: Page, editor: string, expression: string): Promise<void> => {
  await page.getByRole('textbox', { name: editor, exact: true }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(expression)
}

const edit = async (page: Page, rule: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${rule}` }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: WHEN, exact: true }).waitFor()
}

const save = (page: Page, name: 'Add rule' | 'Save rule') =>
  page.locator('form.editor').getByRole('button', { name })

export async function runRuleForms({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  await runRedirects(page, api, report)
  await runRateLimits(page, api, report)
}

async function runRedirects(page: Page, api: Api, report: Report): Promise<void> {
  const zone = await zoneId(api, RULES_ZONE)
  const phase = 'http_request_dynamic_redirect'
  const answerTo = async (target: string) => {
    const url = `https://${RULES_ZONE}${target}`
    const request = { url, headers: { 'user-agent': 'probe/1' }, ip: '192.0.2.1' }
    const { response } = await api.post<Decision>(`/zonereeve/zones/${zone}/firewall/decide`, request)
    return [response?.status_code, response?.location]
  }
  await report.check('the first redirect is written in its form, and answers', async () => {
    await page.goto(`/zones/${RULES_ZONE}/rules/redirects`)
    await page.getByRole('button', { name: 'Add the first redirect' }).click()
    await page.keyboard.type('Old shop')
    await fill(page, WHEN, 'http.request.uri.path eq "/old"')
    await page.getByLabel('Status').selectOption('308 Permanent redirect')
    const url = page.getByLabel('URL', { exact: true })
    await url.fill(' ')
    await url.press('Tab')
    await page.locator('.err').getByText('Write the URL, for example').waitFor()
    ok(await save(page, 'Add rule').isDisabled())
    await url.fill('https://www.example.com/new')
    await page.getByLabel('Keep the query string').check()
    await save(page, 'Add rule').click()
    await page.getByText('Old shop is added.').waitFor()
    deepEqual(await answerTo('/old?a=1'), [308, 'https://www.example.com/new?a=1'])
    deepEqual(await answerTo('/new'), [undefined, undefined])
  })
  await report.check(
    'a redirect leads to what an expression gives, and not while it gives no string',
    async () => {
      await edit(page, 'Old shop')
      equal(await page.getByLabel('URL', { exact: true }).inputValue(), 'https://www.example.com/new')
      await page.getByRole('radio', { name: 'Computed URL' }).check()
      await fill(page, 'Target URL', 'http.request.timestamp.sec')
      await page.getByText('line 1, column 1: it must give a string').waitFor()
      ok(await save(page, 'Save rule').isDisabled())
      await fill(page, 'Target URL', 'concat("https://www.example.com/archive", http.request.uri.path)')
      await page.getByRole('radio', { name: 'Fixed URL' }).check()
      await page.getByRole('radio', { name: 'Computed URL' }).check()
      match(await page.getByRole('textbox', { name: 'Target URL' }).innerText(), /archive/)
      await page.getByLabel('Status').selectOption('302 Found')
      await save(page, 'Save rule').click()
      await page.getByText('Old shop is changed.').waitFor()
      deepEqual(await answerTo('/old?a=1'), [302, 'https://www.example.com/archive/old?a=1'])
      const [rule] = await rulesOf(api, zone, phase)
      equal(rule?.description, 'Old shop')
    },
  )
}

async function runRateLimits(page: Page, api: Api, report: Report): Promise<void> {
  const zone = await zoneId(api, FREE_ZONE)
  const phase = 'http_ratelimit'
  const stored = async () => (await rulesOf(api, zone, phase))[0]
  const form = page.locator('form.editor')
  await report.check(
    'what the API refuses of a rate limit is said at its field, and nothing is written',
    async () => {
      await page.goto(`/zones/${FREE_ZONE}/rules/rate-limits`)
      await page.getByRole('button', { name: 'Add the first rate limit' }).click()
      await page.keyboard.type('Logins')
      await fill(page, WHEN, 'http.request.uri.path matches "^/log-?in$"')
      await page.getByLabel('Requests', { exact: true }).fill('0')
      equal(await page.locator('.err').count(), 0)
      await page.getByLabel('Requests', { exact: true }).press('Tab')
      await page.locator('.err').getByText('It must be a whole number of at least 1.').waitFor()
      ok(await save(page, 'Add rule').isDisabled())
      await page.getByLabel('Requests', { exact: true }).fill('20')
      await page.getByRole('button', { name: 'Add characteristic' }).click()
      await page.getByLabel('Characteristic 2', { exact: true }).selectOption('Address')
      await save(page, 'Add rule').click()
      await form
        .locator('.f', { hasText: 'When' })
        .getByText(/a Business plan .* is required/)
        .waitFor()
      await form
        .locator('.f', { hasText: 'Characteristic 2' })
        .getByText(/more than once \(\d+\)/)
        .waitFor()
      equal(await form.getByRole('alert').count(), 0)
      deepEqual(await rulesOf(api, zone, phase), [])
    },
  )
  await report.check('the first rate limit is written after that, with a header and a cookie', async () => {
    await fill(page, WHEN, 'http.request.uri.path eq "/login"')
    await page.getByLabel('Characteristic 2', { exact: true }).selectOption('Header …')
    await page.getByLabel('Name of characteristic 2').fill('X-Api-Key')
    await page.getByRole('button', { name: 'Add characteristic' }).click()
    await page.getByLabel('Characteristic 3', { exact: true }).selectOption('Cookie …')
    await page.getByLabel('Name of characteristic 3').fill('sid')
    await page.getByRole('button', { name: 'Remove characteristic 1' }).click()
    await page.getByRole('button', { name: 'Add characteristic' }).and(page.locator(':focus')).waitFor()
    await page.getByLabel('Action', { exact: true }).selectOption('Managed challenge')
    await save(page, 'Add rule').click()
    await page.getByText('Logins is added.').waitFor()
    const rule = await stored()
    equal(rule?.action, 'managed_challenge')
    deepEqual(rule?.ratelimit, {
      characteristics: ['http.request.headers["x-api-key"]', 'http.request.cookies["sid"]'],
      period: 60,
      requests_per_period: 20,
      mitigation_timeout: 60,
    })
  })
  await report.check('the numbers of a rate limit are changed, and what counts', async () => {
    await edit(page, 'Logins')
    equal(await page.getByLabel('Name of characteristic 1').inputValue(), 'x-api-key')
    await page.getByLabel('Period in seconds').fill('10')
    await page.getByLabel('Action lasts, in seconds').fill('')
    await page.getByRole('button', { name: 'Remove characteristic 2' }).click()
    await page.getByLabel('Count other requests').check()
    ok(await save(page, 'Save rule').isDisabled())
    await fill(page, 'Counts when', 'http.response.cod eq 401')
    await page.getByText('Did you mean http.response.code?').waitFor()
    ok(await save(page, 'Save rule').isDisabled())
    await fill(page, 'Counts when', 'http.response.code eq 401')
    await save(page, 'Save rule').click()
    await page.getByText('Logins is changed.').waitFor()
    deepEqual((await stored())?.ratelimit, {
      characteristics: ['http.request.headers["x-api-key"]'],
      period: 10,
      requests_per_period: 20,
      counting_expression: 'http.response.code eq 401',
    })
  })
  await report.check(
    'what is about no field is said below the form: a second rate limit on plan free',
    async () => {
      await page.getByRole('button', { name: 'Add rate limit' }).click()
      await fill(page, WHEN, 'true')
      await save(page, 'Add rule').click()
      await form
        .getByRole('alert')
        .getByText(/2 out of 1/)
        .waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      equal((await rulesOf(api, zone, phase)).length, 1)
    },
  )
}
