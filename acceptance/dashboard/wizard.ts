// The migration wizard: each plan's way through it, and everything that can go wrong on the way.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Browser, Page } from 'playwright-core'
import { createApi, type Api } from '../browsers/api.ts'
import { startServer, type Program } from '../program.ts'
import type { Report } from '../report.ts'
import { signInInvited } from './signed-in.ts'
import type { Site } from './site.ts'
import { openVisitor, type View, type Visitor } from './visitor.ts'
import { accessLog, attack, newZone, VALIDATING_ZONE } from './wizard-site.ts'

const VIEW: View = { width: 1440, height: 1400, theme: 'light' }
const PASSWORD = 'a long and quiet river'
/** What another process changed takes effect after this time. */
const REMEMBERED_MILLIS = 2_100

interface Wizard {
  readonly browser: Browser
  readonly site: Site
  readonly report: Report
  readonly visitor: Visitor
}

export async function runWizard(
  launcher: string,
  browser: Browser,
  site: Site,
  report: Report,
  folder: string,
): Promise<void> {
  const visitor = await signInInvited(browser, site, { email: 'mover@example.com', role: 'admin' }, VIEW)
  const wizard = { browser, site, report, visitor }
  await runPro(wizard)
  await runEnterprise(wizard)
  await runLegacyOnly(wizard)
  await runConflicts(wizard)
  await runViewer(wizard)
  await report.check('the migration violates the policy nowhere and has no script error', () =>
    deepEqual(visitor.faults, []),
  )
  await visitor.close()
  await runKills(launcher, browser, report, folder)
}

const stateOf = async (api: Api, zoneId: string): Promise<string> =>
  (await api.get<{ migration_state: string }>(`/zones/${zoneId}/waf_migration/status`)).migration_state

const currentStep = (page: Page) => page.locator('[aria-current=step]')
const alertOf = (page: Page) => page.getByRole('alert')
const nameField = (page: Page) => page.getByLabel('Type the name of the zone')

/** What has the focus: its label, or its text. */
const FOCUSED = `(() => {
  const at = document.activeElement
  return at === null ? '' : (at.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.textContent).trim()
})()`
const MAX_TABS = 80

/** Presses Tab until what has this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>(FOCUSED)).startsWith(name)) return
  }
  throw new Error(`Tab does not reach "${name}"`)
}

async function runPro({ visitor: { page }, site: { api }, report }: Wizard): Promise<void> {
  const name = 'keyboard.example'
  const zone = await newZone(api, name, 'pro')
  await report.check(
    'on plan pro the keyboard alone completes the migration, after a wrong name',
    async () => {
      await page.goto(`/zones/${name}`)
      await page.getByRole('link', { name: 'Move to rulesets' }).waitFor()
      await tabTo(page, 'Move to rulesets')
      await page.keyboard.press('Enter')
      await page.getByText('No obstacles.').waitFor()
      await nameField(page).waitFor()
      await tabTo(page, 'Type the name of the zone')
      await page.keyboard.type('keyboard.exampel')
      await page.keyboard.press('Enter')
      await page.getByText(`That is not the name of this zone. Type ${name}.`).waitFor()
      ok(await page.getByRole('button', { name: 'Deploy and turn off previous version' }).isDisabled())
      equal(await stateOf(api, zone), 'start')
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Backspace')
      await page.keyboard.type('le')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      equal(await page.evaluate<string>(FOCUSED), 'Deploy and turn off previous version')
      await page.keyboard.press('Enter')
      await page.getByText('The zone uses rulesets.').waitFor()
      equal(await stateOf(api, zone), 'done')
      await page.reload()
      await page.getByText('Legacy rules turned off').waitFor()
      await page.getByRole('link', { name: 'Download the snapshot' }).waitFor()
    },
  )
}

async function runEnterprise({ visitor: { page }, site, report }: Wizard): Promise<void> {
  const { api } = site
  const name = 'validate.example'
  const zone = await newZone(api, name, 'enterprise')
  const root = `/zones/${name}/migration`
  await report.check(
    'an access log shows what would be decided differently, before anything changes',
    async () => {
      await page.goto(root)
      await page.getByText('No obstacles.').waitFor()
      const file = { name: 'access.log', mimeType: 'text/plain', buffer: Buffer.from(accessLog()) }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByText('0 of 4 requests would be decided differently.').waitFor()
      await page.getByText('Not compared: 1 line not parsed.').waitFor()
      const other = { ...file, buffer: Buffer.from('nothing of use\n') }
      await page.locator('input[type=file]').setInputFiles(other)
      await alertOf(page).getByText('has no requests of this zone').waitFor()
      equal(await stateOf(api, zone), 'start')
    },
  )
  await report.check('Deploy leads to the validation, which a reload shows', async () => {
    await page.goto(`${root}/turn-off`)
    await page.getByText('Not yet.').waitFor()
    equal(await nameField(page).count(), 0)
    await page.getByRole('link', { name: 'Go to step 1' }).click()
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByText('Both versions have run since').waitFor()
    equal(await stateOf(api, zone), 'validation')
    await page.reload()
    await currentStep(page).getByText('2 Ready to update').waitFor()
    await page.getByText('No request was ended yet.').waitFor()
  })
  await report.check('what both versions end is shown side by side', async () => {
    for (const path of ['/item', '/item', '/list'])
      await api.post(`/zonereeve/zones/${zone}/firewall/decide`, attack(name, path))
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: 'GET /item' })
    await row.waitFor()
    deepEqual((await row.getByRole('cell').allInnerTexts()).slice(0, 3), ['GET /item', '2', '0'])
  })
  await report.check(
    'the way back from step 2: other rules are deployed, and both versions still run',
    async () => {
      const entry = `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`
      const version = async () => Number((await api.get<{ version: string }>(entry)).version)
      const before = await version()
      await page.getByRole('link', { name: 'Deploy other rules' }).click()
      await page.getByRole('button', { name: 'Deploy these rules' }).click()
      await page.getByRole('status').getByText('The new rules were replaced.').waitFor()
      await currentStep(page).getByText('2 Ready to update').waitFor()
      equal(await version(), before + 1)
      equal(await stateOf(api, zone), 'validation')
    },
  )
  await runLastStep(page, site, report, { name, zone })
}

/** In the zone of the site, where legacy rules act alone. */
async function runLegacyOnly({ visitor: { page }, site: { api }, report }: Wizard): Promise<void> {
  const name = VALIDATING_ZONE
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${name}`)
  await report.check('a rule is written from a request that only legacy rules end, and ends it', async () => {
    // Events have the path as received: a rule about the normalized one would never match.
    const path = '//xmlrpc.php'
    const decide = `/zonereeve/zones/${zone?.id}/firewall/decide`
    await api.post(decide, attack(name, path))
    const link = page.getByRole('link', { name: `Write a rule for GET ${path}`, exact: true })
    await page.goto(`/zones/${name}/migration`)
    await link.click()
    const editor = page.getByRole('textbox', { name: 'When: expression', exact: true })
    await editor.waitFor()
    const events = `/zonereeve/zones/${zone?.id}/security/events?source=waf&path=${path}`
    const [event] = await api.get<readonly { action: string }[]>(events)
    const rule = `${event?.action === 'block' ? 'Block' : 'Challenge'} GET ${path}`
    equal(await page.getByLabel('Rule', { exact: true }).inputValue(), rule)
    equal(await page.getByLabel('Action', { exact: true }).inputValue(), event?.action)
    equal(
      (await editor.innerText()).trim(),
      `http.host eq "${name}" and http.request.method eq "GET" and raw.http.request.uri.path eq "${path}"`,
    )
    await page.goBack()
    await currentStep(page).getByText('2 Ready to update').waitFor()
    await link.click()
    await editor.waitFor()
    await page.locator('form.editor').getByRole('button', { name: 'Add rule' }).click()
    await page.getByText(`${rule} is added.`).waitFor()
    const { ended_by: ending } = await api.post<{ ended_by: { product: string; description?: string } }>(
      decide,
      attack(name, path),
    )
    deepEqual([ending.product, ending.description], ['new', rule])
    await page.goBack()
    await page.getByText('Both versions have run since').waitFor()
    await currentStep(page).getByText('2 Ready to update').waitFor()
  })
}

interface NamedZone {
  readonly name: string
  readonly zone: string
}

async function runLastStep(page: Page, site: Site, report: Report, { name, zone }: NamedZone): Promise<void> {
  const { api, program } = site
  await report.check('the last step needs the name and a recent sign-in, and its record stays', async () => {
    await setPassword(page)
    await page.goto(`/zones/${name}/migration/ready`)
    await page.getByRole('link', { name: 'Ready to update', exact: true }).click()
    await page.getByText('There is no way back.').waitFor()
    await page.getByRole('link', { name: 'Not now' }).click()
    await page.waitForURL('**/migration/ready')
    await currentStep(page).getByText('2 Ready to update').waitFor()
    await page.goBack()
    await expireConfirmations(site)
    await fillFinalForm(page, name)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    equal(await stateOf(api, zone), 'validation')
    await page.keyboard.press('Escape')
    await alertOf(page).getByText('Nothing was changed.').waitFor()
    equal(await stateOf(api, zone), 'validation')
    await page.getByRole('button', { name: 'Turn off previous version' }).click()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The zone uses rulesets.').waitFor()
    equal(await stateOf(api, zone), 'done')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the snapshot' }).click()
    equal((await download).suggestedFilename(), `${name}-legacy-waf.json`)
    const packages = `${program.http}/client/v4/zones/${zone}/firewall/waf/packages`
    equal((await fetch(packages, { headers: { authorization: `Bearer ${program.token}` } })).status, 410)
  })
}

async function fillFinalForm(page: Page, name: string): Promise<void> {
  await nameField(page).fill(name.toUpperCase())
  await page.getByLabel('Terraform and other tools').press('Space')
  await page.getByRole('button', { name: /urn off previous version$/ }).click()
}

async function setPassword(page: Page): Promise<void> {
  await page.goto('/account')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByLabel('New password').press('Enter')
  await page.getByRole('status').getByText('Password set.').waitFor()
}

/** The last confirmations are too old from now on. */
async function expireConfirmations({ folder }: Site): Promise<void> {
  const database = new DatabaseSync(join(folder, 'zonereeve.db'))
  database.exec(`UPDATE sessions SET authenticated_on = '2020-01-01T00:00:00.000000Z'`)
  database.close()
  await sleep(REMEMBERED_MILLIS)
}

async function runConflicts({ visitor: { page, context }, site: { api }, report }: Wizard): Promise<void> {
  const deployOf = (of: Page) => of.getByRole('button', { name: 'Deploy', exact: true })
  await report.check(
    'in a second tab the stale step is refused, and the tab shows the true state',
    async () => {
      const name = 'tabs.example'
      const zone = await newZone(api, name, 'enterprise')
      await page.goto(`/zones/${name}/migration`)
      await deployOf(page).waitFor()
      await api.post(`/zonereeve/zones/${zone}/waf_migration/deploy`, {})
      await deployOf(page).click()
      await alertOf(page).getByText('Somebody else moved this zone on.').waitFor()
      match(await alertOf(page).innerText(), /Nothing was changed\. .*\(19590\)/)
      await currentStep(page).getByText('2 Ready to update').waitFor()
      await page.goto(`/zones/${name}/migration/turn-off`)
      const second = await context.newPage()
      await second.goto(`/zones/${name}/migration/turn-off`)
      await nameField(second).waitFor()
      await fillFinalForm(page, name)
      await page.getByText('The zone uses rulesets.').waitFor()
      await fillFinalForm(second, name)
      await alertOf(second).getByText('Somebody else moved this zone on.').waitFor()
      match(await alertOf(second).innerText(), /\(19582\)/)
      await second.getByText('Legacy rules turned off').waitFor()
      await second.close()
    },
  )
  await report.check('a Deploy that the plan has made permanent meanwhile is refused', async () => {
    const name = 'replanned.example'
    const zone = await newZone(api, name, 'enterprise')
    await page.goto(`/zones/${name}/migration`)
    await deployOf(page).waitFor()
    await api.call('PATCH', `/zones/${zone}`, { plan: { id: 'pro' } })
    await deployOf(page).click()
    await alertOf(page).getByText('The plan of the zone changed.').waitFor()
    match(await alertOf(page).innerText(), /\(20350\)/)
    equal(await stateOf(api, zone), 'start')
    await page.getByRole('button', { name: 'Deploy and turn off previous version' }).waitFor()
  })
}

async function runViewer({ browser, site, report }: Wizard): Promise<void> {
  const name = 'watched.example'
  const zone = await newZone(site.api, name, 'enterprise')
  const visitor = await signInInvited(browser, site, { email: 'watcher@example.com', role: 'viewer' }, VIEW)
  const { page } = visitor
  await report.check('a viewer sees each step and can make none', async () => {
    await page.goto(`/zones/${name}/migration`)
    await page.getByText('You can read this, not change it.').waitFor()
    ok(await page.getByRole('button', { name: 'Deploy', exact: true }).isDisabled())
    const path = `/client/v4/zonereeve/zones/${zone}/waf_migration/deploy`
    equal(
      await page.evaluate<number>(`fetch('${path}', { method: 'POST' }).then(({ status }) => status)`),
      403,
    )
    equal(await stateOf(site.api, zone), 'start')
    await site.api.post(`/zonereeve/zones/${zone}/waf_migration/deploy`, {})
    await page.goto(`/zones/${name}/migration/turn-off`)
    await nameField(page).waitFor()
    ok(await nameField(page).isDisabled())
    await page.goto(`/zones/${VALIDATING_ZONE}/migration`)
    await page.getByText('GET //xmlrpc.php').first().waitFor()
    equal(await page.getByRole('link', { name: 'Write a rule' }).count(), 0)
    deepEqual(visitor.faults, [])
  })
  await visitor.close()
}

/** From before the request arrives to after it was answered. */
const KILL_AFTER_MILLIS = [0, 4, 12, 40]

async function runKills(launcher: string, browser: Browser, report: Report, folder: string): Promise<void> {
  const data = join(folder, 'wizard-kills')
  let program: Program = await startServer(launcher, data)
  const port = new URL(program.http).port
  const api = createApi(program)
  const zones = []
  for (const delay of KILL_AFTER_MILLIS)
    zones.push({
      delay,
      name: `killed-${delay}.example`,
      id: await newZone(api, `killed-${delay}.example`, 'pro'),
    })
  const { stdout } = await promisify(execFile)(launcher, ['admin', 'link', '--data', data])
  const visitor = await openVisitor(browser, program.http, VIEW)
  const { pathname, hash } = new URL(stdout.trim())
  await visitor.page.goto(`${pathname}${hash}`)
  await visitor.page.waitForURL('**/zones')
  for (const { delay, name, id } of zones)
    await report.check(`killed ${delay} ms into a Deploy, a reload shows the true state`, async () => {
      const { page } = visitor
      await page.goto(`/zones/${name}/migration`)
      await nameField(page).waitFor()
      const sent = page.waitForRequest(/waf_migration\/deploy/)
      await fillFinalForm(page, name)
      await sent
      await sleep(delay)
      await program.kill()
      program = await startServer(launcher, data, { flags: ['--http', `127.0.0.1:${port}`] })
      const state = await stateOf(api, id)
      await page.goto(`/zones/${name}/migration`)
      const shown = state === 'done' ? 'The zone uses rulesets.' : 'Nothing has changed yet.'
      await page.getByText(shown).waitFor()
      // All of the step, or nothing of it.
      const kinds = await api.get<readonly object[]>(`/zonereeve/zones/${id}/changes?kind=waf_migration`)
      equal(kinds.length, state === 'done' ? 1 : 0)
      const snapshot = await api.get(`/zonereeve/zones/${id}/waf_migration/snapshot`).catch(() => undefined)
      equal(snapshot !== undefined, state === 'done')
    })
  await visitor.close()
  await report.check('the program that was killed ends with code 0 on SIGTERM', () => program.stop())
}
