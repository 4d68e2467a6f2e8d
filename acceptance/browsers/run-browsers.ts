// What real browsers do with policies: each suite in each browser that is there.
import { missingOf } from '../../scripts/requirements.ts'
import type { Target } from '../program.ts'
import type { Report } from '../report.ts'
import { BROWSERS } from './browser.ts'
import { runMatching } from './matching.ts'
import { runMonitoring } from './monitoring.ts'

export async function runBrowsers(target: Target, report: Report, folder: string): Promise<void> {
  for (const browser of BROWSERS) {
    const missing = missingOf([browser.program])
    if (missing !== undefined) {
      report.skip(`policies in ${browser.engine}`, missing.reason, missing.required)
      continue
    }
    await runMatching(browser, report, folder)
    await runMonitoring(browser, target, report, folder)
  }
}
