// Accessibility of the page as it is now, by axe-core, and whether it scrolls sideways.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Of other results than violations, only one node is described: nothing here reads them. */
const run = (rules: string): string => `axe.run(document, { runOnly: ${rules}, resultTypes: ['violations'] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`

const RUN = run(`['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']`)
/** The rules of these that look at colors. */
const RUN_COLORS = run(`{ type: 'rule', values: ['color-contrast', 'link-in-text-block'] }`)

/** Findings, one per line; empty for a good page. */
export async function auditPage(page: Page): Promise<readonly string[]> {
  return [...(await findingsOf(page, RUN)), ...(await widthOf(page))]
}

/** What a page that has been audited may have in another theme, which changes only its colors. */
export async function auditColors(page: Page): Promise<readonly string[]> {
  return [...(await findingsOf(page, RUN_COLORS)), ...(await widthOf(page))]
}

async function findingsOf(page: Page, how: string): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE)
  return page.evaluate<string[]>(how)
}

async function widthOf(page: Page): Promise<readonly string[]> {
  const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
  return isWide ? ['the page scrolls sideways'] : []
}
