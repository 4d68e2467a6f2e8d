// A zone's own rules in the dashboard, by the keyboard alone: written, moved, switched, deleted.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Report } from '../report.ts'
import { CUSTOM_PHASE, RULES_ZONE } from './rules-site.ts'
import type { Site } from './site.ts'
import type { Visitor } from './visitor.ts'

interface Rule {
  readonly description: string
  readonly action: string
  readonly expression: string
  readonly enabled: boolean
}

const NEW = 'Block dotfiles'

export async function runRules({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${RULES_ZONE}`)
  const rules = async (phase: string = CUSTOM_PHASE): Promise<readonly Rule[]> =>
    (await api.get<{ rules: readonly Rule[] }>(`/zones/${zone?.id}/rulesets/phases/${phase}/entrypoint`))
      .rules
  const names = async () => (await rules()).map(({ description }) => description)
  await report.check(
    'a rule is written by the keyboard, with completion, and not while it is wrong',
    async () => {
      await page.goto(`/zones/${RULES_ZONE}/rules`)
      const before = await names()
      await page.getByRole('button', { name: 'Add rule' }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Rule', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'Expression' }).waitFor()
      await page.keyboard.type(NEW)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.type('starts_with(http.hots, "/.")')
      await page.getByText(/line 1, column 13:/).waitFor()
      ok(await page.getByRole('button', { name: 'Add rule' }).last().isDisabled())
      await page.getByRole('button', { name: 'Use http.host' }).press('Enter')
      await page.getByText(/line 1, column 13:/).waitFor({ state: 'detached' })
      ok(await page.getByRole('button', { name: 'Add rule' }).last().isEnabled())
      await page.keyboard.press('Control+a')
      await page.keyboard.type('starts_with(http.request.uri.pa')
      await page.getByRole('listbox', { name: 'Completions' }).waitFor()
      await page.getByRole('option', { name: 'http.request.uri.path', exact: true }).waitFor()
      await takeCompletion(page)
      await page.keyboard.type(', "/.")')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByText(`${NEW} is added.`).waitFor()
      deepEqual(await names(), [...before, NEW])
      const added = (await rules()).at(-1)
      deepEqual(
        { action: added?.action, expression: added?.expression },
        { action: 'block', expression: 'starts_with(http.request.uri.path, "/.")' },
      )
    },
  )
  await runKeys(page, report)
  await runChanges(page, rules, names, report)
  await report.check('the command of an empty phase writes its first rule', async () => {
    const [empty] = await api.get<readonly { id: string }[]>('/zones?name=example.net')
    for (const [screen, phase] of [
      ['rules', CUSTOM_PHASE],
      ['rules/redirects', 'http_request_dynamic_redirect'],
      ['rules/rate-limits', 'http_ratelimit'],
    ] as const) {
      await page.goto(`/zones/example.net/${screen}`)
      const command = await page.locator('pre.code').innerText()
      const body: unknown = JSON.parse(String(/-d '(.*)'$/.exec(command.trim())?.[1]))
      const path = `/zones/${empty?.id}/rulesets/phases/${phase}/entrypoint`
      match(command, new RegExp(`^curl -X PUT '[^']*/client/v4${path}'`))
      await api.call('PUT', path, body as object)
      await page.reload()
      await page.getByRole('button', { name: /^Actions for / }).waitFor()
    }
  })
}

/** The list takes no key in its first 75 ms, so that fast typing is not changed. */
async function takeCompletion(page: Page): Promise<void> {
  const list = page.getByRole('listbox', { name: 'Completions' })
  const editor = page.getByRole('textbox', { name: 'Expression' })
  await page.waitForTimeout(500)
  await page.keyboard.press('Enter')
  await list.waitFor({ state: 'detached' })
  match(await editor.innerText(), /uri\.path/)
}

async function runKeys(page: Page, report: Report): Promise<void> {
  const form = page.locator('form.editor')
  const name = page.getByLabel('Rule', { exact: true })
  await report.check('g f opens the rules, and n a new one, without the error of before', async () => {
    await page.goto(`/zones/${RULES_ZONE}/activity`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await page.waitForURL(`**/zones/${RULES_ZONE}/rules`)
    const writes = '**/client/v4/zones/*/rulesets/**'
    await page.route(writes, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await page.getByRole('button', { name: `Actions for ${NEW}` }).click()
    await page.getByRole('menuitem', { name: 'Turn off', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute(writes)
    await page.keyboard.press('n')
    await name.and(page.locator(':focus')).waitFor()
    equal(await page.getByRole('alert').count(), 0)
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  })
  await report.check('n leaves a rule open that is being edited', async () => {
    await page.getByRole('button', { name: `Actions for ${NEW}` }).click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    await name.fill('Block dotfiles and more')
    await form.getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('n')
    equal(await name.inputValue(), 'Block dotfiles and more')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  })
}

async function runChanges(
  page: Page,
  rules: (phase?: string) => Promise<readonly Rule[]>,
  names: () => Promise<readonly string[]>,
  report: Report,
): Promise<void> {
  const choose = async (rule: string, item: string): Promise<void> => {
    // It is disabled until the rules have been read again: a key pressed before is lost.
    await page.getByRole('button', { name: `Actions for ${rule}`, disabled: false }).press('Enter')
    const entry = page.getByRole('menuitem', { name: item, exact: true })
    await entry.waitFor()
    await entry.focus()
    await page.keyboard.press('Enter')
  }
  await report.check('a rule is moved, and the others keep their order', async () => {
    const before = await names()
    await choose(NEW, 'Move up')
    await page.getByText(`${NEW} is rule ${before.length - 1}.`).waitFor()
    deepEqual(await names(), [...before.slice(0, -2), NEW, before.at(-2)])
  })
  await report.check('a rule is switched off and on', async () => {
    for (const [item, enabled] of [
      ['Turn off', false],
      ['Turn on', true],
    ] as const) {
      await choose(NEW, item)
      await page.getByText(`${NEW} is ${enabled ? 'on' : 'off'}.`).waitFor()
      equal((await rules()).find(({ description }) => description === NEW)?.enabled, enabled)
    }
  })
  await report.check('Escape leaves a rule as it is, and the focus returns to its menu', async () => {
    const before = await rules()
    await choose(NEW, 'Delete')
    await page.getByRole('button', { name: 'Keep rule' }).waitFor()
    await page.keyboard.press('Escape')
    const menu = page.getByRole('button', { name: `Actions for ${NEW}` })
    await menu.waitFor()
    await menu.and(page.locator(':focus')).waitFor()
    deepEqual(await rules(), before)
  })
  await report.check('a rule is deleted after a preview, and the others stay', async () => {
    const before = await names()
    await choose(NEW, 'Delete')
    match(await page.getByRole('list', { name: 'What is deleted' }).innerText(), /Block dotfiles/)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText(`${NEW} is deleted.`).waitFor()
    deepEqual(
      await names(),
      before.filter((name) => name !== NEW),
    )
  })
  await report.check('an edited rate limit keeps its counting', async () => {
    const counting = async () => (await rules('http_ratelimit')).map((rule) => ({ ...rule }) as object)
    const [before] = await counting()
    await page.goto(`/zones/${RULES_ZONE}/rules/rate-limits`)
    await choose('Logins', 'Edit')
    await page.getByLabel('Rule', { exact: true }).fill('Sign-ins')
    await page.keyboard.press('Enter')
    await page.getByText('Logins is changed.').waitFor()
    const [after] = await counting()
    const changing = { version: '', last_updated: '' }
    deepEqual({ ...after, ...changing }, { ...before, ...changing, description: 'Sign-ins' })
  })
}
