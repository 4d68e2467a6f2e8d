// Dependency rules rot in silence: a renamed folder, and a rule matches nothing. So each one is made to fail here, on a
// small copy of the repository's shape with one bad import per rule.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const SERVER = 'packages/server/src'
const ZONES = `${SERVER}/features/zones`

/** A repository in small: every room has a file, every file is reached, every import is allowed. */
const skeleton: Readonly<Record<string, string>> = {
  'packages/dns/src/index.ts': `export * from './name.ts'`,
  'packages/dns/src/name.ts': `export const name = 1`,
  'packages/dns/src/name.test.ts': `import 'vitest'\nimport './name.ts'\nimport '../../../scripts/requirements.ts'`,
  'packages/expr/src/index.ts': `import 're2js'\nexport const expr = 1`,
  'packages/csp/src/index.ts': `export const csp = 1`,
  'packages/contract/src/index.ts': `import 'typebox'\nexport const contract = 1\nexport interface Wire { readonly id: string }`,
  [`${SERVER}/platform/clock.ts`]: `export const clock = 1`,
  [`${SERVER}/config/config.ts`]: `import '../platform/clock.ts'\nexport const config = 1`,
  [`${SERVER}/storage/storage.ts`]: `import 'kysely'\nimport 'pg'\nexport const storage = 1\nexport interface Tx { readonly id: string }`,
  [`${SERVER}/http/server.ts`]: `import 'fastify'\nimport '@zonereeve/contract'\nexport const http = 1`,
  [`${ZONES}/index.ts`]: `import './zones.routes.ts'\nexport * from './zones.service.ts'`,
  [`${ZONES}/zones.routes.ts`]: `import 'fastify'\nimport '../../http/server.ts'\nimport './zones.wire.ts'\nimport './zones.service.ts'`,
  [`${ZONES}/zones.wire.ts`]: `import '@zonereeve/contract'\nimport './zones.rules.ts'`,
  [`${ZONES}/zones.service.ts`]: `import type { Tx } from '../../storage/storage.ts'\nimport './zones.store.ts'\nimport './zones.rules.ts'\nexport const zones = (tx: Tx) => tx`,
  [`${ZONES}/zones.rules.ts`]: `import '@zonereeve/dns'\nimport './types/a.ts'`,
  [`${ZONES}/types/a.ts`]: `import '@zonereeve/dns'`,
  [`${ZONES}/zones.store.ts`]: `import 'kysely'\nimport '../../storage/storage.ts'`,
  [`${ZONES}/zones.service.test.ts`]: `import '../../testing/app.ts'\nimport '../../storage/storage.ts'\nimport './zones.service.ts'`,
  [`${SERVER}/features/tokens/index.ts`]: `import '../zones/index.ts'\nimport './tokens.rules.ts'`,
  [`${SERVER}/features/tokens/tokens.rules.ts`]: `export const rules = 1`,
  [`${SERVER}/nameserver/listen.ts`]: `import '../features/zones/index.ts'\nexport const listen = 1`,
  [`${SERVER}/jobs/jobs.ts`]: `import '../features/zones/index.ts'\nexport const jobs = 1`,
  [`${SERVER}/main/cli.ts`]: [
    'config/config',
    'storage/storage',
    'http/server',
    'nameserver/listen',
    'jobs/jobs',
    'features/tokens/index',
  ]
    .map((path) => `import '../${path}.ts'`)
    .join('\n'),
  [`${SERVER}/testing/app.ts`]: `import '../main/cli.ts'\nimport '../storage/storage.ts'\nimport '../http/server.ts'`,
  'scripts/requirements.ts': `export const requirements = 1`,
  'acceptance/run.ts': `import 'cloudflare'\nimport '@zonereeve/dns'`,
  'bench/run.ts': `import 'node:fs'`,
}

/** rule -> the file that breaks it, what that file says, and files it needs beside it. */
const plants: Readonly<Record<string, readonly [file: string, text: string, also?: Record<string, string>]>> =
  {
    'no-cycles': [
      'packages/dns/src/ring.ts',
      `import './ring-back.ts'`,
      { 'packages/dns/src/ring-back.ts': `import './ring.ts'` },
    ],
    'pure-packages-no-node': ['packages/dns/src/reads-disk.ts', `import 'node:fs'`],
    'dns-no-npm': ['packages/dns/src/uses-npm.ts', `import 're2js'`],
    'csp-no-npm': ['packages/csp/src/uses-npm.ts', `import 're2js'`],
    'expr-one-engine': ['packages/expr/src/uses-npm.ts', `import 'kysely'`],
    'contract-one-builder': ['packages/contract/src/uses-npm.ts', `import 'kysely'`],
    'pure-packages-stand-alone': ['packages/expr/src/uses-dns.ts', `import '@zonereeve/dns'`],
    'no-deep-package-imports': [`${SERVER}/platform/deep.ts`, `import '../../../dns/src/name.ts'`],
    'packages-import-packages': [
      `${SERVER}/platform/outside.ts`,
      `import '../../../../scripts/requirements.ts'`,
    ],
    'feature-by-its-door': [`${ZONES}/peek.ts`, `import '../tokens/tokens.rules.ts'`],
    'outside-by-the-door': [`${SERVER}/nameserver/peek.ts`, `import '../features/zones/zones.service.ts'`],
    'sql-in-stores': [`${ZONES}/sql.service.ts`, `import 'kysely'`],
    'http-at-the-edge': [`${ZONES}/http.service.ts`, `import 'fastify'`],
    'edge-skips-stores': [`${ZONES}/skip.routes.ts`, `import './zones.store.ts'`],
    'stores-look-down': [`${ZONES}/up.store.ts`, `import './zones.service.ts'`],
    'rules-are-pure': [`${ZONES}/types/impure.ts`, `import '../zones.store.ts'`],
    'storage-knows-no-feature': [`${SERVER}/storage/up.ts`, `import '../features/zones/index.ts'`],
    'features-do-not-listen': [`${ZONES}/listen.service.ts`, `import '../../nameserver/listen.ts'`],
    'config-is-a-leaf': [`${SERVER}/config/up.ts`, `import '../storage/storage.ts'`],
    'platform-is-a-leaf': [`${SERVER}/platform/up.ts`, `import '../config/config.ts'`],
    'clients-use-the-wire': ['acceptance/inside.ts', `import '../packages/server/src/platform/clock.ts'`],
    'wire-shapes-at-the-edge': [
      `${ZONES}/wire.service.ts`,
      `import type { Wire } from '@zonereeve/contract'\nexport type Row = Wire`,
    ],
    'one-composition-root': [`${SERVER}/jobs/root.ts`, `import '../main/cli.ts'`],
    'no-tests-in-production': [`${SERVER}/jobs/borrows.ts`, `import '../testing/app.ts'`],
    'declared-only': [`${SERVER}/platform/undeclared.ts`, `import 'not-in-package-json'`],
    'no-orphans': [`${SERVER}/platform/nobody.ts`, `export const nobody = 1`],
  }

const npmPackages = ['re2js', 'typebox', 'kysely', 'pg', 'fastify', 'vitest', 'cloudflare']

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

  test('the skeleton breaks none', () => {
    expect(clean.summary.violations).toEqual([])
    expect(clean.summary.totalCruised).toBeGreaterThan(20)
  })

  test('every rule of the file has a planted import', () => {
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
  for (const name of ['dns', 'expr', 'csp', 'contract']) {
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
