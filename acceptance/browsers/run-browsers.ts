// What real browsers do with policies: each suite in each browser that is there.
import { join } from 'node:path'
import { missingOf } from '../../scripts/requirements.ts'
import { startServer } from '../program.ts'
import type { Report } from '../report.ts'
import { BROWSERS } from './browser.ts'
import { runMatching } from './matching.ts'
import { runMonitoring } from './monitoring.ts'

/** @param launcher of the program, which is started for these suites: it fetches the scripts that they load. */
export async function runBrowsers(launcher: string, report: Report, folder: string): Promise<void> {
  const program = await startServer(launcher, join(folder, 'browsers'), { fetchesScripts: true })
  try {
    for (const browser of BROWSERS) {
      const missing = missingOf([browser.program])
      if (missing !== undefined) {
        report.skip(`policies in ${browser.engine}`, missing.reason, missing.required)
        continue
      }
      await runMatching(browser, report, folder)
      await runMonitoring(browser, program, report, folder)
    }
  } finally {
    await report.check('the program that fetches scripts ends with code 0 on SIGTERM', program.stop)
  }
}
