// npm run screens [-- [--program PATH] FOLDER [NAME…]]: pictures of every screen of the dashboard, or of those whose name
// starts with one of the NAMEs, light and dark, 1440 and 390 pixels wide; by default of the program in this checkout.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtProgram, temporaryFolder } from './program.ts'
import { signIn } from './dashboard/signed-in.ts'
import { openScreen, SCREENS, VIEWS } from './dashboard/screens.ts'
import { startSite } from './dashboard/site.ts'
import { launchBrowser, openVisitor } from './dashboard/visitor.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { program: { type: 'string', default: builtProgram } },
})
const [folder = temporaryFolder('screens'), ...starts] = positionals
const isChosen = (name: string): boolean =>
  starts.length === 0 || starts.some((start) => name.startsWith(start))
const chosenScreens = SCREENS.filter(({ name }) => isChosen(name))
const data = temporaryFolder('screens-data')
mkdirSync(folder, { recursive: true })
const site = await startSite(options.program, join(data, 'state'))
const browser = await launchBrowser()
try {
  for (const view of VIEWS) {
    const pathOf = (name: string): string => join(folder, `${name}-${view.theme}-${view.width}.png`)
    const stranger = await openVisitor(browser, site.program.http, view)
    await stranger.page.goto('/sign-in')
    await stranger.page.waitForLoadState('networkidle')
    await stranger.page.screenshot({ path: pathOf('sign-in') })
    await stranger.close()
    const visitor = await signIn(browser, site, view)
    for (const screen of chosenScreens) {
      await openScreen(visitor.page, screen)
      await visitor.page.screenshot({ path: pathOf(screen.name) })
    }
    await visitor.close()
  }
} finally {
  await browser.close()
  await site.program.stop()
  await site.primary.stop()
  rmSync(data, { recursive: true, force: true })
}
console.log(folder)
