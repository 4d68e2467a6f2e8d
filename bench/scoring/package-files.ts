// The browser files of the npm packages that packages.ts pins, and the generators of their variants. Nothing is run
// but the generators.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BENIGN_PACKAGES, GENERATORS, type PackageKind } from './packages.ts'
import { createRandom } from './variation.ts'

export interface PackageFile {
  readonly repository: string
  readonly commit: ''
  readonly path: string
  readonly label: 'benign'
  readonly family: string
  readonly year: number
  readonly group: string
  readonly kind: PackageKind
  readonly form: 'plain'
  readonly text: string
}

export interface FileLimits {
  readonly maxBytes: number
  /** At most one file of a package is larger. */
  readonly large: number
}

const FILES_OF_PACKAGE = 8
const MIN_BYTES = 300
const DELIVERED = /dist|build|umd|lib|min/u
const OTHERS = /(?:test|spec|example|demo|node_modules|gruntfile|config|\.d\.)/iu

/** The files of all pinned packages, from the cache folder or packed into it. */
export function listPackageFiles(cache: string, limits: FileLimits): readonly PackageFile[] {
  const tarballs = join(cache, 'tarballs')
  mkdirSync(tarballs, { recursive: true })
  const all = Object.values(BENIGN_PACKAGES).flat()
  if (readdirSync(tarballs).length < all.length * 0.9)
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', ...all], { cwd: tarballs, stdio: 'inherit' })
  // The keys of BENIGN_PACKAGES have the type PackageKind.
  return (Object.keys(BENIGN_PACKAGES) as PackageKind[]).flatMap((kind) =>
    BENIGN_PACKAGES[kind].flatMap((spec) => filesOf(cache, spec, kind, limits)),
  )
}

function filesOf(cache: string, spec: string, kind: PackageKind, limits: FileLimits): readonly PackageFile[] {
  const tarball = join(cache, 'tarballs', `${spec.replace(/^@/u, '').replaceAll(/[/@]/gu, '-')}.tgz`)
  const folder = join(cache, 'packages', spec.replaceAll('/', '-'))
  if (!existsSync(tarball)) return []
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  }
  const random = createRandom(spec)
  const files = listFiles(folder)
    .map((file) => ({ file, path: file.slice(folder.length + 1), size: statSync(file).size }))
    .filter(({ path }) => /\.(?:js|mjs|cjs)$/u.test(path) && !OTHERS.test(path))
    .filter(({ size }) => size > MIN_BYTES && size <= limits.maxBytes)
    .map((one) => ({ ...one, rank: (DELIVERED.test(one.path) ? 0 : 1) + random() }))
    .toSorted((a, b) => a.rank - b.rank)
  const large = files.filter(({ size }) => size > limits.large).slice(0, 1)
  const small = files.filter(({ size }) => size <= limits.large).slice(0, FILES_OF_PACKAGE)
  return [...small, ...large].map(({ file, path }) => ({
    repository: `npm:${spec}`,
    commit: '',
    path,
    label: 'benign',
    family: spec,
    year: 2026,
    group: `npm:${spec}`,
    kind,
    form: 'plain',
    text: readFileSync(file, 'utf8'),
  }))
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)],
    )
}

/** The folder with the generators, installed there without running install scripts. */
export function installGenerators(cache: string): string {
  const folder = join(cache, 'generators')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'node_modules'))) {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...GENERATORS], {
      cwd: folder,
      stdio: 'inherit',
    })
  }
  return folder
}
