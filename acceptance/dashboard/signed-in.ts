// A visitor who has signed in by a link.
import type { Browser } from 'playwright-core'
import type { Site } from './site.ts'
import { openVisitor, type View, type Visitor } from './visitor.ts'

export async function signIn(browser: Browser, site: Site, view: View): Promise<Visitor> {
  const visitor = await openVisitor(browser, site.program.http, view)
  await visitor.page.goto(await site.signInPath())
  await visitor.page.waitForURL('**/zones')
  return visitor
}
