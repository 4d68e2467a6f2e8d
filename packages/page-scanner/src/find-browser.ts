// Finds what a scan needs and Zonereeve does not bring: playwright-core, and a Chromium.
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { BrowserType, chromium as Chromium } from 'playwright-core'

/** A scan is not possible, and the user can do something about it. */
export class NoBrowser extends Error {}

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * Loads playwright-core, which is not installed with Zonereeve.
 * @throws NoBrowser
 */
export async function loadPlaywright(name = 'playwright-core'): Promise<BrowserType> {
  try {
    // A variable, so that bundles do not include it and an installation without it works.
    const { chromium } = (await import(name)) as { chromium: typeof Chromium } // the package of that name
    return chromium
  } catch (error) {
    const detail = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw new NoBrowser(
      detail
        ? 'playwright-core is not installed: run `npm install --global playwright-core`, or install it beside zonereeve'
        : `playwright-core cannot be loaded: ${String(error)}`,
      { cause: error },
    )
  }
}

/** What a browser needs, and no more: other variables of a program may be secrets. */
const OF_BROWSER = /^(?:PATH|HOME|TMPDIR|LANG|LC_.*|TZ|XDG_.*|FONTCONFIG_.*)$/

/** The part of an environment that a browser is started with. */
export const environmentOfBrowser = (
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => OF_BROWSER.test(name)))

/**
 * The path of a Chromium: the given one, or the first on the search path.
 * @throws NoBrowser
 */
export async function findChromium(
  given: string | undefined,
  searchPath: string,
  names: readonly string[] = PROGRAMS,
): Promise<string> {
  const candidates =
    given === undefined
      ? names.flatMap((name) => searchPath.split(delimiter).map((folder) => join(folder, name)))
      : [given]
  for (const path of candidates) if (await isProgram(path)) return path
  throw new NoBrowser(
    given === undefined
      ? `no Chromium was found on the search path (${names.join(', ')}): install one, or name it with --chromium`
      : `${given} is not a program`,
  )
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false // it is looked for elsewhere
  }
}
