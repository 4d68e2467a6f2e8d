// Records by the keyboard alone, from the form to the answer of DNS and back by undo.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { ask } from '../dns-client.ts'
import type { Report } from '../report.ts'
import { ZONE, type Site } from './site.ts'
import type { Visitor } from './visitor.ts'

export async function runRecords(visitor: Visitor, site: Site, report: Report): Promise<void> {
  await runForm(visitor, site, report)
  await runChanges(visitor, site, report)
  await runHistory(visitor, site, report)
  await runComparison(visitor, report)
  await runNewZone(visitor, report)
}

/** Addresses that DNS answers with for a name of the zone. */
async function addressesOf({ program }: Site, name: string): Promise<readonly string[]> {
  return (await ask(program.dns, `${name}.${ZONE}`, 'A')).answers
}

const saidBy = (page: Visitor['page']) => (text: string) => page.getByRole('status').getByText(text).waitFor()

async function runForm({ page }: Visitor, site: Site, report: Report): Promise<void> {
  const answers = (name: string) => addressesOf(site, name)
  const status = saidBy(page)

  await report.check('a record is added by the keyboard, and DNS answers with it', async () => {
    await page.goto(`/zones/${ZONE}/records`)
    await page.getByText('203.0.113.80').waitFor()
    await page.keyboard.press('n')
    await page.keyboard.type('fresh')
    await page.keyboard.press('Tab')
    await page.keyboard.type('192.0.2.77')
    await page.keyboard.press('Enter')
    await status('fresh A added.')
    deepEqual(await answers('fresh'), ['A 300 192.0.2.77'])
    await page.getByText('192.0.2.77').waitFor()
  })

  await report.check('undo takes it back', async () => {
    await page.getByRole('button', { name: 'Undo' }).click()
    await status('Undone.')
    deepEqual(await answers('fresh'), [])
    await page.getByText('192.0.2.77').waitFor({ state: 'detached' })
  })

  await report.check('what is wrong is said while one types, and is not sent', async () => {
    await page.goto(`/zones/${ZONE}/records?edit=new`)
    await page.getByLabel('Name', { exact: true }).fill('wrong')
    await page.getByLabel('IPv4 address').fill('192.0.2.256')
    await page.getByLabel('Name', { exact: true }).focus()
    await page.locator('.err').waitFor()
    ok(await page.getByRole('button', { name: 'Add record' }).last().isDisabled())
    await page.keyboard.press('Control+Enter')
    deepEqual(await answers('wrong'), [])
    await page.getByLabel('IPv4 address').fill('192.0.2.25')
    equal(await page.locator('.err').count(), 0)
    await page.keyboard.press('Escape')
    await page.waitForURL(`**/zones/${ZONE}/records`)
  })

  await report.check(
    'what only the server knows is said at the form: an alias beside other records',
    async () => {
      await page.goto(`/zones/${ZONE}/records?edit=new`)
      await page.getByLabel('Type', { exact: true }).selectOption('CNAME')
      await page.getByLabel('Name', { exact: true }).fill('mail')
      await page.getByLabel('Target').fill('other.example.net')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText('Not saved').waitFor()
      deepEqual(await answers('mail'), ['A 3600 192.0.2.25'])
    },
  )
}

async function runChanges({ page }: Visitor, site: Site, report: Report): Promise<void> {
  const answers = (name: string) => addressesOf(site, name)
  const status = saidBy(page)

  await report.check('a record is edited in its row; filter and selection survive', async () => {
    await page.goto(`/zones/${ZONE}/records?q=name:vpn`)
    await page.getByRole('checkbox', { name: 'Select vpn A' }).check()
    await page.getByRole('button', { name: 'Actions for vpn A' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('IPv4 address').fill('203.0.113.81')
    await page.keyboard.press('Enter')
    await status('vpn A saved.')
    deepEqual(await answers('vpn'), ['A 300 203.0.113.81'])
    ok(await page.getByRole('checkbox', { name: 'Select vpn A' }).isChecked())
    equal(new URL(page.url()).searchParams.get('q'), 'name:vpn')
  })

  await report.check('several records are changed at once after a preview, and undone at once', async () => {
    await page.goto(`/zones/${ZONE}/records?q=name:shop`)
    for (const row of [0, 1]) await page.getByRole('checkbox', { name: 'Select shop A' }).nth(row).check()
    await page.getByLabel('Selection').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.plan li.d').nth(1).waitFor()
    equal(await page.locator('.plan li.d').count(), 2)
    equal((await answers('shop')).length, 2, 'the preview changed nothing')
    await page.getByRole('button', { name: 'Apply to 2 records' }).click()
    await status('2 records deleted.')
    deepEqual(await answers('shop'), [])
    await page.keyboard.press('z')
    await status('Undone.')
    deepEqual(await answers('shop'), ['A 60 192.0.2.41', 'A 60 192.0.2.42'])
  })
}

async function runHistory({ page }: Visitor, site: Site, report: Report): Promise<void> {
  const answers = (name: string) => addressesOf(site, name)
  const status = saidBy(page)

  await report.check('a change is undone from the history, after a preview', async () => {
    await page.goto(`/zones/${ZONE}/history`)
    await page.getByText('shop 60 A 192.0.2.41').waitFor()
    await page.goto(`/zones/${ZONE}/records?edit=new`)
    await page.getByLabel('Name', { exact: true }).fill('past')
    await page.getByLabel('IPv4 address').fill('192.0.2.78')
    await page.keyboard.press('Enter')
    await status('past A added.')
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await page.getByText('past  auto  A  192.0.2.78').waitFor()
    await page.getByRole('button', { name: 'Undo this change' }).click()
    await page.getByText('Would restore 0, change 0 and remove 1.').waitFor()
    deepEqual(await answers('past'), ['A 300 192.0.2.78'])
    await page.getByRole('button', { name: 'Undo it' }).click()
    await status('undone.')
    deepEqual(await answers('past'), [])
  })

  await report.check(
    'the history is filtered, the address keeps it, and an earlier state is restored',
    async () => {
      await page.goto(`/zones/${ZONE}/history`)
      await page.getByLabel('Filter by name').fill('past')
      await page.getByText('2 changes').waitFor()
      equal(new URL(page.url()).searchParams.get('q'), 'past')
      await page.reload()
      await page.getByText('2 changes').waitFor()
      await page.getByRole('link', { name: /past A added/ }).press('Enter')
      await page.getByRole('button', { name: 'Restore this state' }).click()
      await page.getByText('Would restore 1, change 0 and remove 0.').waitFor()
      deepEqual(await answers('past'), [])
      await page.getByRole('button', { name: 'Restore it' }).press('Enter')
      await status('Records are as after change')
      deepEqual(await answers('past'), ['A 300 192.0.2.78'])
    },
  )
}

async function runComparison({ page }: Visitor, report: Report): Promise<void> {
  await report.check('the records after two serials are compared, and the address keeps both', async () => {
    await page.goto(`/zones/${ZONE}/history`)
    const lines = page.getByLabel('What changed').getByRole('listitem')
    await page.getByRole('link', { name: 'Compare two serials' }).press('Enter')
    await page.waitForURL(/from=\d+&to=\d+/)
    await page
      .locator('select:focus')
      .and(page.getByLabel('From', { exact: true }))
      .waitFor()
    await page.getByText('1 added, 0 deleted, 0 changed.').waitFor()
    deepEqual(await lines.allInnerTexts(), ['+\npast  auto  A  192.0.2.78'])
    await page.getByRole('link', { name: 'Swap' }).press('Enter')
    await page.getByText('0 added, 1 deleted, 0 changed.').waitFor()
    await page.reload()
    await page.getByText('0 added, 1 deleted, 0 changed.').waitFor()
    await page.getByLabel('Filter by name').fill('zzz')
    await page.getByText('No change matches.').waitFor()
    await page.getByText('0 added, 1 deleted, 0 changed.').waitFor()
    await page.getByLabel('Filter by name').fill('')
    await page
      .getByRole('link', { name: /past A added/ })
      .first()
      .waitFor()
    await page.getByLabel('From', { exact: true }).selectOption({ index: 0 })
    await page.getByLabel('To', { exact: true }).selectOption({ index: 0 })
    await page.getByText('The records are the same.').waitFor()
    await page
      .getByRole('link', { name: /past A added/ })
      .first()
      .press('Enter')
    await page.waitForURL(/\?change=\d+$/)
  })
}

async function runNewZone({ page }: Visitor, report: Report): Promise<void> {
  await report.check('a zone is added, with the name servers to copy', async () => {
    await page.goto('/zones')
    await page.getByRole('link', { name: ZONE, exact: true }).waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Domain name').fill('added.example')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('added.example is added and answers.').waitFor()
    await page.getByRole('button', { name: 'Copy' }).click()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    ok(copied.split('\n').length >= 2, copied)
    await page.getByRole('link', { name: 'Open its records' }).click()
    await page.getByText('No records yet, only SOA and NS.').waitFor()
  })
}
