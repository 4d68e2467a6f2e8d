// How real browsers apply policies: runs each suite in each installed browser.
import { join } from 'node:path'
import { missingOf } from '../../scripts/requirements.ts'
import { startServer } from '../program.ts'
import type { Report } from '../report.ts'
import { BROWSERS } from './browser.ts'
import { runFrames } from './frames.ts'
import { runMatching } from './matching.ts'
import { runMonitoring } from './monitoring.ts'

/** @param launcher starts the program for these suites, because it must fetch the scripts that pages load. */
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
      if (missingOf(['openssl']) === undefined) await runFrames(browser, program, report, folder)
    }
  } finally {
    await report.check('the program that fetches scripts ends with code 0 on SIGTERM', program.stop)
  }
}
