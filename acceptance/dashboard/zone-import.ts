// Zones from files: several at once, with what is wrong in a file by line, and the result of each.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../browsers/site.ts'
import { ask } from '../dns-client.ts'
import type { Report } from '../report.ts'
import type { Site } from './site.ts'
import type { Visitor } from './visitor.ts'

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

export const chooseFiles = (page: Page, files: readonly ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').setInputFiles([...files])

export const IMPORTED_FILES = [
  file(
    'one.zone',
    '$ORIGIN imported-one.example.\n@ 3600 SOA ns.x. h.x. 1 2 3 4 5\nwww 300 A 192.0.2.61\n@ MX 10 www\n',
  ),
  file('db.imported-two.example', 'www 604800 A 192.0.2.62\n'),
  file('example.net.zone', 'www 300 A 192.0.2.63\n'),
  file('broken.example.zone', 'www 300 A 192.0.2.64\nbad 300 A 192.0.2\n'),
]

export async function runZoneImport(
  { page }: Visitor,
  { program, api }: Site,
  report: Report,
): Promise<void> {
  const rows = page.locator('.imports > li')
  const row = (name: string) => rows.filter({ hasText: name })
  const create = page.getByRole('button', { name: /^Create \d+ zones?$/ })

  await report.check('zone files are previewed, and a bad one is named with its line', async () => {
    await page.goto('/zones')
    await page.getByRole('button', { name: 'Import zone files' }).press('Enter')
    await page.locator('button:focus', { hasText: 'Choose files' }).waitFor()
    await chooseFiles(page, IMPORTED_FILES)
    await row('one.zone').getByText('2 records').waitFor()
    await row('one.zone').getByText('1 A, 1 MX').waitFor()
    equal(await page.getByLabel('Zone of one.zone').inputValue(), 'imported-one.example')
    await row('broken.example.zone').getByText('1 line is wrong').waitFor()
    await row('broken.example.zone').getByText('line 2', { exact: true }).waitFor()
    await row('example.net.zone').getByText('exists already').waitFor()
    await page.getByRole('button', { name: 'Create 2 zones' }).waitFor()
    equal((await api.get<readonly object[]>('/zones?name=imported-one.example')).length, 0)
  })

  await report.check('chosen files stay: no key or button opens another form meanwhile', async () => {
    await page.getByRole('button', { name: 'Choose more files' }).press('n')
    equal(await page.getByRole('button', { name: /^Add zone/ }).isDisabled(), true)
    equal(await page.getByRole('button', { name: 'Import zone files' }).isDisabled(), true)
    await page.evaluate('new Promise((done) => setTimeout(done, 100))')
    equal(await rows.count(), IMPORTED_FILES.length)
    equal(new URL(page.url()).searchParams.get('add'), 'files')
  })

  await report.check('each file becomes a zone that answers, or says why not', async () => {
    await page.getByLabel(/^Lower TTLs/).check()
    await create.press('Enter')
    await row('one.zone').getByText('created with 2 records').waitFor()
    await row('db.imported-two.example').getByText('created with 1 record').waitFor()
    await row('example.net.zone').getByText('exists already').waitFor()
    const answers = async (name: string) => (await ask(program.dns, name, 'A')).answers
    deepEqual(await answers('www.imported-one.example'), ['A 300 192.0.2.61'])
    deepEqual(await answers('www.imported-two.example'), ['A 86400 192.0.2.62'])
  })

  await report.check(
    'a zone that was created meanwhile is not created again, and the file says so',
    async () => {
      await chooseFiles(page, [file('imported-late.example.zone', 'www 300 A 192.0.2.67\n')])
      await row('imported-late').getByText('1 record').waitFor()
      await api.post('/zones', { name: 'imported-late.example' })
      await create.press('Enter')
      await row('imported-late').getByText('not created').waitFor()
      await row('imported-late')
        .getByText(/already exists/)
        .waitFor()
    },
  )

  await runLostAnswer(page, report)

  await runTypedName(page, report)
}

async function runTypedName(page: Page, report: Report): Promise<void> {
  const row = page.locator('.imports > li').filter({ hasText: 'export.txt' })
  await report.check('a name that is typed is the zone of a file, whose fault is then known', async () => {
    await page.getByRole('button', { name: 'Remove broken.example.zone', disabled: false }).press('Enter')
    await chooseFiles(page, [file('export.txt', 'www 300 A 192.0.2.65\nwww 300 CNAME other.example.\n')])
    await row.getByText('Which zone is it?').waitFor()
    const asked: (string | null)[] = []
    const search = (url: URL) => url.pathname.endsWith('/zones') && url.searchParams.has('name')
    await page.route(search, (route) => {
      // Without an answer: the preview does not wait for it.
      asked.push(new URL(route.request().url()).searchParams.get('name'))
    })
    const name = 'imported-three.example'
    await page.getByLabel('Zone of export.txt').pressSequentially(name)
    await row.getByText('2 records').waitFor()
    await until(
      () => asked.at(-1) === name,
      () => `looked for: ${asked.join(' ')}`,
    )
    // A slow machine may pause while it types.
    ok(asked.length < name.length / 2, `typed names are not looked for one by one: ${asked.join(' ')}`)
    await page.unroute(search)
    await page.getByRole('button', { name: /^Create \d+ zones?$/ }).press('Enter')
    await row.getByText('created without records').waitFor()
    await row.getByText('line 2', { exact: true }).waitFor()
    await row.getByRole('link', { name: 'Edit as text' }).press('Enter')
    await page.waitForURL('**/zones/imported-three.example/records/text')
  })
}

async function runLostAnswer(page: Page, report: Report): Promise<void> {
  const row = page.locator('.imports > li').filter({ hasText: 'imported-lost' })
  await report.check(
    'a lost answer is not called a failure, and only the records are sent again',
    async () => {
      await chooseFiles(page, [file('imported-lost.example.zone', 'www 300 A 192.0.2.66\n')])
      const upload = '**/zone_file?*'
      await page.route(upload, async (route) => {
        await route.fetch()
        await route.abort()
      })
      await page.getByRole('button', { name: 'Create 1 zone' }).press('Enter')
      await row.getByText('the answer is missing: check the zone').waitFor()
      await page.unroute(upload)
      await row.getByRole('button', { name: 'Try again', disabled: false }).press('Enter')
      await row.getByText(/^created with/).waitFor()
    },
  )
}
