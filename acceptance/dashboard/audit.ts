// Accessibility of the page as it is now, by axe-core, and whether it scrolls sideways.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const RUN = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`

/** Findings, one per line; empty for a good page. */
export async function auditPage(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE)
  const findings = await page.evaluate<string[]>(RUN)
  const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
  return isWide ? [...findings, 'the page scrolls sideways'] : findings
}
