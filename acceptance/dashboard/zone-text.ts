// All records as text: the difference before anything changes, faults at their lines, import and undo.
import { deepEqual, equal } from 'node:assert/strict'
import { ask } from '../dns-client.ts'
import type { Report } from '../report.ts'
import { ZONE, type Site } from './site.ts'
import type { Visitor } from './visitor.ts'

export async function runZoneText({ page }: Visitor, site: Site, report: Report): Promise<void> {
  const answers = async (name: string) => (await ask(site.program.dns, `${name}.${ZONE}`, 'A')).answers
  const status = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()
  const editor = page.getByRole('textbox', { name: `Zone file of ${ZONE}` })
  const review = page.getByRole('button', { name: 'Review changes' })

  await report.check(
    'records are edited as text by the keyboard, after their difference is shown',
    async () => {
      await page.goto(`/zones/${ZONE}/records`)
      await page.getByRole('link', { name: 'Edit as text' }).press('Enter')
      await editor.waitFor()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(`\ntyped.${ZONE}. 300 IN A 192.0.2.90\n`)
      await review.click()
      await status(/^1 added, 0 changed, 0 deleted, \d+ as they are\.$/)
      equal(await page.locator('.plan-lines li').count(), 1)
      deepEqual(await answers('typed'), [])
      await page.keyboard.press('Enter')
      await status('1 added, 0 changed, 0 deleted.')
      deepEqual(await answers('typed'), ['A 300 192.0.2.90'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await status('Undone.')
      deepEqual(await answers('typed'), [])
    },
  )

  await report.check('a fault in the text is shown with its line, and nothing is changed', async () => {
    await page.goto(`/zones/${ZONE}/records/text`)
    await editor.waitFor()
    await page.keyboard.type(`wrong.${ZONE}. 300 IN A 192.0.2.999\n`)
    await review.click()
    await page.getByRole('alert').getByRole('button', { name: 'line 1', exact: true }).press('Enter')
    equal(
      await page.evaluate<boolean>('document.activeElement.shadowRoot !== null'),
      true,
      'the editor has focus',
    )
    deepEqual(await answers('wrong'), [])
  })

  await report.check('a file is imported beside what there is, after a review', async () => {
    await page.goto(`/zones/${ZONE}/records/text`)
    await editor.waitFor()
    const lines = Array.from(
      { length: 300 },
      (_, index) => `in-${index} 300 IN A 10.1.${index >> 8}.${index & 255}`,
    )
    await page.getByLabel('Import a file').setInputFiles({
      name: 'more.zone',
      mimeType: 'text/plain',
      buffer: Buffer.from(`$ORIGIN ${ZONE}.\n${lines.join('\n')}\n`),
    })
    await status('301 lines of more.zone are added to the text.')
    await review.click()
    await status(/^300 added, 0 changed, 0 deleted/)
    await page.getByRole('button', { name: 'Apply' }).click()
    await status('300 added, 0 changed, 0 deleted.')
    deepEqual(await answers('in-299'), ['A 300 10.1.1.43'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await status('Undone.')
    deepEqual(await answers('in-299'), [])
  })

  await report.check('the text is not applied over a change of somebody else', async () => {
    await page.goto(`/zones/${ZONE}/records/text`)
    await editor.waitFor()
    const [zone] = await site.api.get<readonly { id: string }[]>(`/zones?name=${ZONE}`)
    await site.api.post(`/zones/${zone?.id}/dns_records`, {
      type: 'A',
      name: 'meanwhile',
      content: '192.0.2.91',
    })
    await page.keyboard.type('; edited\n')
    await review.click()
    await page.getByRole('alert').getByText('Somebody else changed this zone').waitFor()
    deepEqual(await answers('meanwhile'), ['A 300 192.0.2.91'])
  })
}
