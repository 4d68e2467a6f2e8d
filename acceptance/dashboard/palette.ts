// The palette by the keyboard alone: switching the zone, commands, and where the focus goes.
import { equal } from 'node:assert/strict'
import type { Report } from '../report.ts'
import { ZONE } from './site.ts'
import type { Visitor } from './visitor.ts'

export async function runPalette({ page }: Visitor, report: Report): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Go to or run a command' })

  await report.check('the palette switches the zone and keeps the section', async () => {
    await page.goto(`/zones/${ZONE}/history`)
    await page.getByLabel('Filter by name').focus()
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type('@shop')
    await page.getByRole('option', { name: 'shop.example.org' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/zones/shop.example.org/history')
    equal(await field.count(), 0)
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
    await page.waitForURL(/\/history\?from=\d+&to=\d+$/)
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
}
