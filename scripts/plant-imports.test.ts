// Dependency rules can stop working unnoticed: after a folder is renamed, a rule may match nothing. So this test makes
// every rule fail, on a small copy of the repository's structure with one bad import per rule.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const SERVER = 'packages/server/src'
const ZONES = `${SERVER}/features/zones/zones`

/** A minimal repository: every folder has a file, every file is reachable, every import is allowed. */
const skeleton: Readonly<Record<string, string>> = {
  'packages/dns/src/index.ts': `export * from './name.ts'`,
  'packages/dns/src/name.ts': `export const name = 1`,
  'packages/dns/src/name.test.ts': `import 'vitest'\nimport './name.ts'\nimport '../../../scripts/requirements.ts'`,
  'packages/expr/src/index.ts': `import 're2js'\nexport const expr = 1`,
  'packages/seclang/src/index.ts': `import 're2js'\nexport const seclang = 1`,
  'packages/cooperate/src/index.ts': `export const cooperate = 1`,
  'packages/csp/src/index.ts': `export const csp = 1`,
  'packages/script-analysis/src/index.ts': `import 'meriyah'\nexport const analysis = 1`,
  'packages/firewall/src/index.ts': `import '@zonereeve/expr'\nimport '@zonereeve/seclang'\nimport '@zonereeve/cooperate'\nexport const firewall = 1`,
  'packages/nameserver/src/index.ts': `import 'node:dgram'\nimport 'koffi'\nimport '@zonereeve/dns'\nimport '@zonereeve/cooperate'\nexport const nameserver = 1`,
  'packages/edge/src/index.ts': `import 'undici'\nimport 'node:http'\nimport '@zonereeve/firewall'\nexport const edge = 1`,
  'packages/command-line/src/index.ts': `import 'commander'\nimport 'node:fs'\nimport '@zonereeve/contract'\nimport '@zonereeve/dns'\nimport '@zonereeve/firewall'\nexport const commands = 1`,
  'packages/sign-in/src/index.ts': `import 'node:crypto'\nimport '@zonereeve/cooperate'\nexport const signIn = 1`,
  'packages/contract/src/index.ts': `import 'typebox'\nexport const contract = 1\nexport interface Wire { readonly id: string }`,
  'packages/platform/src/index.ts': `import '@zonereeve/dns'\nexport const clock = 1`,
  'packages/storage/src/index.ts': `import 'kysely'\nimport '@zonereeve/platform'\nexport const storage = 1\nexport interface Tx { readonly id: string }`,
  'packages/config/src/index.ts': `import '@zonereeve/platform'\nexport const config = 1`,
  [`${SERVER}/http/server.ts`]: `import 'fastify'\nimport '@zonereeve/contract'\nexport const http = 1`,
  [`${ZONES}/index.ts`]: `import './zones.routes.ts'\nexport * from './zones.service.ts'`,
  [`${ZONES}/zones.routes.ts`]: `import 'fastify'\nimport '../../../http/server.ts'\nimport './zones.wire.ts'\nimport './zones.service.ts'`,
  [`${ZONES}/zones.wire.ts`]: `import '@zonereeve/contract'\nimport './zones.rules.ts'`,
  [`${ZONES}/zones.service.ts`]: `import type { Tx } from '@zonereeve/storage'\nimport './zones.store.ts'\nimport './zones.rules.ts'\nexport const zones = (tx: Tx) => tx`,
  [`${ZONES}/zones.rules.ts`]: `import '@zonereeve/dns'\nimport './types/a.ts'`,
  [`${ZONES}/types/a.ts`]: `import '@zonereeve/dns'`,
  [`${ZONES}/zones.store.ts`]: `import 'kysely'\nimport '@zonereeve/storage'`,
  [`${ZONES}/zones.service.test.ts`]: `import '../../../testing/app.ts'\nimport '@zonereeve/storage'\nimport './zones.service.ts'`,
  [`${SERVER}/features/zones/index.ts`]: `export * from './zones/index.ts'`,
  [`${SERVER}/features/zones/settings/index.ts`]: `import '../zones/index.ts'\nimport './settings.rules.ts'`,
  [`${SERVER}/features/zones/settings/settings.rules.ts`]: `export const rules = 1`,
  [`${SERVER}/features/dns/index.ts`]: `export * from './records/index.ts'`,
  [`${SERVER}/features/dns/records/index.ts`]: `import '../../zones/index.ts'\nexport const records = 1`,
  [`${SERVER}/features/dns/transfers/index.ts`]: `import '../records/index.ts'\nimport '@zonereeve/nameserver'\nexport const listen = 1`,
  [`${SERVER}/features/firewall/index.ts`]: `import '../zones/index.ts'\nexport const firewall = 1`,
  [`${SERVER}/jobs/jobs.ts`]: `import '../features/zones/zones/index.ts'\nexport const jobs = 1`,
  [`${SERVER}/main/cli.ts`]: `import '@zonereeve/command-line'\n${[
    'http/server',
    'features/zones/settings/index',
    'features/dns/index',
    'features/dns/transfers/index',
    'features/firewall/index',
    'jobs/jobs',
  ]
    .map((path) => `import '../${path}.ts'`)
    .join('\n')}`,
  [`${SERVER}/testing/app.ts`]: `import '../main/cli.ts'\nimport '@zonereeve/storage'\nimport '../http/server.ts'`,
  'scripts/requirements.ts': `export const requirements = 1`,
  'acceptance/run.ts': `import 'cloudflare'\nimport '@zonereeve/dns'`,
  'bench/run.ts': `import 'node:fs'`,
}

/** rule -> the file that violates it, its content, and other files that it needs. */
const plants: Readonly<Record<string, readonly [file: string, text: string, also?: Record<string, string>]>> =
  {
    'no-cycles': [
      'packages/dns/src/ring.ts',
      `import './ring-back.ts'`,
      { 'packages/dns/src/ring-back.ts': `import './ring.ts'` },
    ],
    'pure-packages-no-node': ['packages/dns/src/reads-disk.ts', `import 'node:fs'`],
    'dns-no-npm': ['packages/dns/src/uses-npm.ts', `import 're2js'`],
    'cooperate-no-npm': ['packages/cooperate/src/uses-npm.ts', `import 're2js'`],
    'csp-no-npm': ['packages/csp/src/uses-npm.ts', `import 're2js'`],
    'expr-one-engine': ['packages/expr/src/uses-npm.ts', `import 'kysely'`],
    'seclang-one-engine': ['packages/seclang/src/uses-npm.ts', `import 'kysely'`],
    'contract-one-builder': ['packages/contract/src/uses-npm.ts', `import 'kysely'`],
    'script-analysis-one-parser': ['packages/script-analysis/src/uses-npm.ts', `import 'kysely'`],
    'firewall-no-npm': ['packages/firewall/src/uses-npm.ts', `import 'kysely'`],
    'nameserver-one-binding': ['packages/nameserver/src/uses-npm.ts', `import 'kysely'`],
    'edge-imports-firewall': ['packages/edge/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'certificates-one-client': ['packages/certificates/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'edge-one-client': ['packages/edge/src/uses-npm.ts', `import 'kysely'`],
    'command-line-uses-the-wire': [
      'packages/command-line/src/uses-server.ts',
      `import '../../server/src/http/server.ts'`,
    ],
    'account-import-uses-the-wire': ['packages/account-import/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'load-test-imports-dns': ['packages/load-test/src/uses-expr.ts', `import '@zonereeve/expr'`],
    'command-line-one-parser': ['packages/command-line/src/uses-npm.ts', `import 'kysely'`],
    'command-line-in-the-entry': [`${SERVER}/jobs/offers.ts`, `import '@zonereeve/command-line'`],
    'firewall-imports-expr': ['packages/firewall/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'sign-in-known-libraries': ['packages/sign-in/src/uses-npm.ts', `import 'kysely'`],
    'alerts-know-no-events': ['packages/alerts/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'browser-reports-import-platform': [
      'packages/browser-reports/src/uses-expr.ts',
      `import '@zonereeve/expr'`,
    ],
    'safe-fetch-one-parser': ['packages/safe-fetch/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'page-scanner-imports-safe-fetch': ['packages/page-scanner/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'backup-stands-alone': ['packages/backup/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'test-control-stands-alone': ['packages/test-control/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'nodes-stand-alone': ['packages/nodes/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'report-log-stands-alone': ['packages/report-log/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'doctor-imports-dns': ['packages/doctor/src/uses-expr.ts', `import '@zonereeve/expr'`],
    'sign-in-stands-alone': ['packages/sign-in/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'dns-scan-imports-resolver': ['packages/dns-scan/src/uses-expr.ts', `import '@zonereeve/expr'`],
    'transfers-import-nameserver': ['packages/transfers/src/uses-expr.ts', `import '@zonereeve/expr'`],
    'resolver-imports-dns': ['packages/resolver/src/uses-expr.ts', `import '@zonereeve/expr'`],
    'nameserver-imports-dns': ['packages/nameserver/src/uses-expr.ts', `import '@zonereeve/expr'`],
    'pure-packages-stand-alone': ['packages/expr/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'no-deep-package-imports': [`${SERVER}/jobs/deep.ts`, `import '../../../dns/src/name.ts'`],
    'packages-import-packages': [`${SERVER}/jobs/outside.ts`, `import '../../../../scripts/requirements.ts'`],
    'area-by-its-index': [`${SERVER}/features/dns/records/peek.ts`, `import '../../zones/zones/index.ts'`],
    'noun-by-its-index': [`${ZONES}/peek.ts`, `import '../settings/settings.rules.ts'`],
    'outside-by-the-index': [`${SERVER}/jobs/peek.ts`, `import '../features/zones/zones/zones.service.ts'`],
    'changes-imports-down': [`${SERVER}/features/changes/up.ts`, `import '../zones/index.ts'`],
    'accounts-imports-down': [`${SERVER}/features/accounts/tokens/up.ts`, `import '../../zones/index.ts'`],
    'zones-imports-down': [`${ZONES}/up.ts`, `import '../../dns/index.ts'`],
    'dns-imports-down': [`${SERVER}/features/dns/records/up.ts`, `import '../../firewall/index.ts'`],
    'firewall-imports-down': [`${SERVER}/features/firewall/rules/up.ts`, `import '../../dns/index.ts'`],
    'monitoring-imports-down': [
      `${SERVER}/features/monitoring/feeds/up.ts`,
      `import '../../firewall/index.ts'`,
    ],
    'sql-in-stores': [`${ZONES}/sql.service.ts`, `import 'kysely'`],
    'http-at-the-edge': [`${ZONES}/http.service.ts`, `import 'fastify'`],
    'edge-skips-stores': [`${ZONES}/skip.routes.ts`, `import './zones.store.ts'`],
    'stores-look-down': [`${ZONES}/up.store.ts`, `import './zones.service.ts'`],
    'rules-are-pure': [`${ZONES}/types/impure.ts`, `import '../zones.store.ts'`],
    'storage-imports-platform': ['packages/storage/src/up.ts', `import '@zonereeve/expr'`],
    'storage-known-libraries': ['packages/storage/src/uses-npm.ts', `import 're2js'`],
    'features-do-not-listen': [`${ZONES}/listen.service.ts`, `import '../../dns/transfers/index.ts'`],
    'config-is-a-leaf': ['packages/config/src/up.ts', `import '@zonereeve/storage'`],
    'platform-is-a-leaf': ['packages/platform/src/up.ts', `import '@zonereeve/expr'`],
    'clients-use-the-wire': ['acceptance/inside.ts', `import '../packages/server/src/http/server.ts'`],
    'wire-shapes-at-the-edge': [
      `${ZONES}/wire.service.ts`,
      `import type { Wire } from '@zonereeve/contract'\nexport type Row = Wire`,
    ],
    'one-composition-root': [`${SERVER}/jobs/root.ts`, `import '../main/cli.ts'`],
    'no-tests-in-production': [`${SERVER}/jobs/borrows.ts`, `import '../testing/app.ts'`],
    'declared-only': [`${SERVER}/jobs/undeclared.ts`, `import 'not-in-package-json'`],
    'no-orphans': [`${SERVER}/jobs/alone.ts`, `export const alone = 1`],
  }

const npmPackages = [
  'undici',
  're2js',
  'typebox',
  'meriyah',
  'astring',
  'diff',
  'koffi',
  'commander',
  'kysely',
  'pg',
  'fastify',
  'vitest',
  'cloudflare',
]

interface Cruise {
  readonly summary: {
    readonly totalCruised: number
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[]
  }
}

describe('dependency rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-imports-'))
  let clean: Cruise
  let planted: Cruise

  beforeAll(async () => {
    writeSkeleton(folder)
    clean = await cruise(folder)
    for (const [file, text, also] of Object.values(plants)) write(folder, { [file]: text, ...also })
    planted = await cruise(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('the minimal repository violates no rule', () => {
    expect(clean.summary.violations).toEqual([])
    expect(clean.summary.totalCruised).toBeGreaterThan(20)
  })

  test('every configured rule has a planted import', () => {
    const rules: readonly { readonly name: string }[] = createRequire(import.meta.url)(
      '../.dependency-cruiser.cjs',
    ).forbidden
    expect(rules.map((rule) => rule.name).toSorted()).toEqual(Object.keys(plants).toSorted())
  })

  test.each(Object.entries(plants))('%s', (rule, [file, , also]) => {
    const files = [file, ...Object.keys(also ?? {})]
    const caught = planted.summary.violations.filter((violation) => files.includes(violation.from))
    expect(caught.map((violation) => violation.rule.name)).toContain(rule)
  })
})

async function cruise(folder: string): Promise<Cruise> {
  const config = join(root, '.dependency-cruiser.cjs')
  const args = ['packages', 'acceptance', 'bench', '--config', config, '--output-type', 'json']
  const finished = await run(join(root, 'node_modules/.bin/depcruise'), args, { cwd: folder })
  return JSON.parse(finished.output)
}

function writeSkeleton(folder: string): void {
  write(folder, skeleton)
  write(folder, {
    'tsconfig.json': JSON.stringify({
      compilerOptions: { module: 'NodeNext', moduleResolution: 'NodeNext' },
    }),
    'package.json': JSON.stringify({
      dependencies: Object.fromEntries(npmPackages.map((name) => [name, '*'])),
    }),
  })
  for (const name of npmPackages) {
    write(folder, {
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: 'index.js' }),
      [`node_modules/${name}/index.js`]: '',
    })
  }
  mkdirSync(join(folder, 'node_modules/@zonereeve'))
  for (const name of [
    'cooperate',
    'command-line',
    'dns',
    'edge',
    'expr',
    'seclang',
    'csp',
    'contract',
    'script-analysis',
    'firewall',
    'nameserver',
    'platform',
    'resolver',
    'sign-in',
    'storage',
  ]) {
    write(folder, {
      [`packages/${name}/package.json`]: JSON.stringify({
        name: `@zonereeve/${name}`,
        exports: './src/index.ts',
      }),
    })
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@zonereeve', name))
  }
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${text}\n`)
  }
}
