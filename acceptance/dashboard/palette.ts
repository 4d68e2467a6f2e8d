// The palette by the keyboard alone: switching the zone, commands, and where the focus goes.
import { deepEqual, equal } from 'node:assert/strict'
import type { Report } from '../report.ts'
import { ZONE, type Site } from './site.ts'
import type { Visitor } from './visitor.ts'

const FIELD = 'Go to or run a command'
// The browser says that a dialog was left some time later, and a key may come before that.
const LEAVE_AND_OPEN = `document.querySelector('dialog.pal').close()
document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))`

export async function runPalette({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const field = page.getByRole('combobox', { name: FIELD })

  await report.check('the palette switches the zone and keeps the section', async () => {
    await page.goto(`/zones/${ZONE}/history`)
    await page.getByLabel('Filter by name').focus()
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type('@shop')
    await page.getByRole('option', { name: 'shop.example.org' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/zones/shop.example.org/history')
    await field.waitFor({ state: 'detached' })
  })

  await report.check('the palette runs commands, and gives the focus back when it is left', async () => {
    await page.goto(`/zones/${ZONE}/records`)
    await page.getByRole('button', { name: `${ZONE}, switch zone` }).press('Enter')
    await field.waitFor()
    equal(await field.inputValue(), '@')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.locator('button.zone:focus').waitFor()
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type('>add rec')
    await page.keyboard.press('Enter')
    await page.getByLabel('IPv4 address').waitFor()
    equal(new URL(page.url()).searchParams.get('edit'), 'new')
    await page.keyboard.press('Control+k')
    await field.fill('>compare')
    await page.keyboard.press('Enter')
    await page
      .locator('select:focus')
      .and(page.getByLabel('From', { exact: true }))
      .waitFor()
    await page.keyboard.press('Control+k')
    await field.fill('>dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    await page.keyboard.press('Control+k')
    await field.fill('>system')
    await page.keyboard.press('Enter')
  })

  await openAgain(page, report)

  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${ZONE}`)
  const compareLastTwo = async (): Promise<void> => {
    await page.keyboard.press('Control+k')
    await field.fill('>compare')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/history\?from=\d+&to=\d+$/)
    const path = `/zonereeve/zones/${zone?.id}/changes?per_page=2`
    const numbers = (await api.get<readonly { number: number }[]>(path)).map(({ number }) => String(number))
    const { searchParams } = new URL(page.url())
    deepEqual([searchParams.get('to'), searchParams.get('from')], numbers)
  }

  await report.check('the palette compares the last two changes, whatever the history shows', async () => {
    await page.goto(`/zones/${ZONE}/history`)
    await page.getByRole('link', { name: 'Compare two serials' }).waitFor()
    await page.keyboard.press('Control+k')
    await field.fill('>add rec')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('compared')
    await page.getByLabel('IPv4 address').fill('192.0.2.79')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('compared A added.').waitFor()
    await compareLastTwo()
    const records = `/zones/${zone?.id}/dns_records`
    const [added] = await api.get<readonly { id: string }[]>(`${records}?name=compared.${ZONE}`)
    await api.call('DELETE', `${records}/${added?.id}`)
    await page.goto(`/zones/${ZONE}/history?kind=dns_record.create`)
    await page.getByRole('link', { name: 'Compare two serials' }).waitFor()
    await compareLastTwo()
  })
}

async function openAgain(page: Visitor['page'], report: Report): Promise<void> {
  const field = page.getByRole('combobox', { name: FIELD })
  await report.check(
    'the palette opens again in the same moment in which it is left, and keeps what is typed',
    async () => {
      await page.keyboard.press('Control+k')
      await field.fill('@left')
      await page.evaluate(LEAVE_AND_OPEN)
      await field.waitFor()
      equal(await field.inputValue(), '')
      await page.keyboard.type('>comp')
      await page.keyboard.press('Control+k')
      equal(await field.inputValue(), '>comp')
      await page.keyboard.press('Escape')
      await field.waitFor({ state: 'detached' })
    },
  )
}
