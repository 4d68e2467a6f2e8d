// A narrow window: what a finger has to hit, what scrolls, and what a detail leaves out.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import type { Report } from '../report.ts'
import { signIn } from './signed-in.ts'
import { ZONE, type Site } from './site.ts'
import { openVisitor, type View } from './visitor.ts'

const NARROW: View = { width: 390, height: 844, theme: 'light' }
/** Pixels that a finger needs. */
const FINGER = 44

export async function runNarrow(browser: Browser, site: Site, report: Report): Promise<void> {
  await report.check('the sign-in of a server with passwords has one primary button', async () => {
    const stranger = await openVisitor(browser, site.program.http, NARROW)
    await stranger.page.goto('/sign-in')
    await stranger.page.getByLabel('Password').waitFor()
    deepEqual(await stranger.page.locator('.btn.primary').allInnerTexts(), ['Sign in'])
    await stranger.close()
  })
  const visitor = await signIn(browser, site, NARROW)
  const { page } = visitor
  await report.check('the list of keys begins with its title, and its button is in sight', async () => {
    await page.goto('/zones')
    await page.locator('tbody tr[data-index]').first().waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keys' })
    await dialog.waitFor()
    const title = await dialog.getByRole('heading', { name: 'Keys' }).boundingBox()
    ok(title !== null && title.y >= 0, 'the title is in the window')
    const dialogTop = (await dialog.boundingBox())?.y
    ok(dialogTop !== undefined && title.y > dialogTop, 'and not above the first keys')
    const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox()
    ok(close !== null && close.y + close.height <= NARROW.height, 'the button is in the window')
    await page.keyboard.press('Escape')
  })
  await report.check('the items of a menu are as high as a finger needs', async () => {
    await page.goto(`/zones/${ZONE}/records`)
    await page.getByRole('button', { name: 'Actions for mail A' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    const items = await page.getByRole('menuitem').all()
    ok(items.length > 1)
    for (const item of items) ok(Number((await item.boundingBox())?.height) >= FINGER)
  })
  await report.check('a change is a page of its own, without the filter of the list', async () => {
    await page.goto(`/zones/${ZONE}/history`)
    await page.getByPlaceholder('Made by').waitFor()
    await page.goto(`/zones/${ZONE}/history?change=2`)
    await page.getByRole('link', { name: 'All changes' }).waitFor()
    equal(await page.getByPlaceholder('Made by').isVisible(), false)
  })
  await visitor.close()
}
