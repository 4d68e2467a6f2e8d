// Suites that need something this machine may lack: skipped with its name and reason, or failed where it is required.
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'vitest'

interface Requirement {
  readonly present: () => boolean
  /** How to get it, in words that end a sentence "needs …". */
  readonly remedy: string
}

/** Every optional thing a test may ask for. ZONEREEVE_TEST_REQUIRE=dig,pdns (or all) makes their absence a failure. */
const requirements = {
  dig: command('dig', 'bind9-dnsutils'),
  delv: command('delv', 'bind9-dnsutils'),
  curl: command('curl', 'curl'),
  kdig: command('kdig', 'knot-dnsutils'),
  named: command('named', 'bind9'),
  knotd: command('knotd', 'knot'),
  nsd: command('nsd', 'nsd'),
  pdns: command('pdns_server', 'pdns-server'),
  'shared-data': {
    present: () => existsSync(fileURLToPath(sharedFile('data/openapi-subset.json'))),
    remedy: 'the folder shared/ beside the checkout',
  },
} satisfies Record<string, Requirement>

export type RequirementName = keyof typeof requirements

/** A file of the folder `shared/` that may stand beside the checkout; require 'shared-data' before reading one. */
export function sharedFile(path: string): URL {
  return new URL(`../../shared/${path}`, import.meta.url)
}

/** `describe`, when all `needed` are there; else the suite is skipped by name and reason, or fails if it is required. */
export function describeWith(
  needed: RequirementName | readonly RequirementName[],
  title: string,
  body: () => void,
): void {
  const missing = [needed].flat().filter((name) => !requirements[name].present())
  const reason = missing.map((name) => `${name}: ${requirements[name].remedy}`).join('; ')
  if (missing.length === 0) describe(title, body)
  else if (missing.some(isRequired)) {
    describe(title, () => {
      test(`[needs ${reason}]`, () => {
        throw new Error(`ZONEREEVE_TEST_REQUIRE asks for this suite, which needs ${reason}`)
      })
    })
  } else describe.skip(`${title} [needs ${reason}]`, body)
}

/** What is missing of `needed`, as "name: remedy"; for programs that are not vitest suites. */
export function missingOf(
  needed: readonly RequirementName[],
): { reason: string; required: boolean } | undefined {
  const missing = needed.filter((name) => !requirements[name].present())
  if (missing.length === 0) return undefined
  return {
    reason: missing.map((name) => `${name}: ${requirements[name].remedy}`).join('; '),
    required: missing.some(isRequired),
  }
}

function isRequired(name: RequirementName): boolean {
  const asked = (process.env['ZONEREEVE_TEST_REQUIRE'] ?? '').split(',').map((word) => word.trim())
  return asked.includes('all') || asked.includes(name)
}

function command(program: string, debianPackage: string): Requirement {
  return { present: () => isOnPath(program), remedy: `apt-get install ${debianPackage}` }
}

function isOnPath(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
