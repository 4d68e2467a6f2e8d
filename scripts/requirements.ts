// What tests may need and a machine may lack. ZONEREEVE_TEST_REQUIRE=dig,pdns (or all) makes an absence a failure.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isOnPath } from './process.ts'

interface Requirement {
  readonly present: () => boolean
  /** How to get it, in words that end a sentence "needs …". */
  readonly remedy: string
}

/** Debian's own Python, which has Debian's modules; another may come first on the PATH. */
export const DEBIAN_PYTHON = '/usr/bin/python3'

/** Every optional thing a test may ask for. */
const requirements = {
  dig: command('dig', 'bind9-dnsutils'),
  delv: command('delv', 'bind9-dnsutils'),
  curl: command('curl', 'curl'),
  kdig: command('kdig', 'knot-dnsutils'),
  named: command('named', 'bind9'),
  knotd: command('knotd', 'knot'),
  nsd: command('nsd', 'nsd'),
  pdns: command('pdns_server', 'pdns-server'),
  'named-rrchecker': command('named-rrchecker', 'bind9-utils'),
  'named-checkzone': command('named-checkzone', 'bind9-utils'),
  'named-compilezone': command('named-compilezone', 'bind9-utils'),
  kzonecheck: command('kzonecheck', 'knot-dnssecutils'),
  'ldns-read-zone': command('ldns-read-zone', 'ldnsutils'),
  dnspython: {
    present: () => spawnSync(DEBIAN_PYTHON, ['-c', 'import dns.rdata']).status === 0,
    remedy: 'apt-get install python3-dnspython',
  },
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

/** What is missing of `needed`, as "name: remedy", and whether it must be there. */
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
