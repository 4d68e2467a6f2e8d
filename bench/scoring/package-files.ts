// The browser files of the npm packages that packages.txt pins, and the generators of their variants. Nothing is run
// but the generators.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readPageText } from '../../packages/script-analysis/src/page-text.ts'
import { GENERATORS, groupOf, type PinnedPackage, readPackages } from './packages.ts'
import { createRandom } from './random.ts'

export interface PackageFile {
  readonly repository: string
  readonly path: string
  readonly kind: string
  /** See groupOf. */
  readonly group: string
  readonly text: string
}

type OwnFile = Pick<PackageFile, 'path' | 'kind' | 'text'>

export interface FileLimits {
  readonly maxBytes: number
  /** Larger files are rare in the samples, because each takes a second. */
  readonly large: number
}

const FILES_OF_NEWEST = 3
const FILES_OF_OLDER = 1
/** Themes and templates have many small scripts, which are what a single site has of its own. */
const FILES_OF_SITE = 12
/** Scripts inside its pages: documentation, demonstrations, templates. */
const INLINE_OF_NEWEST = 6
const MIN_BYTES_OF_INLINE = 100
/** Such pages as a whole. */
const PAGES_OF_NEWEST = 3
const SHARE_OF_LARGE = 0.15
const MIN_BYTES = 300
const CHUNK_SIZE = 40
const DELIVERED = /(?:^|[/.])(?:dist|build|umd|iife|browser|bundle|min|prod|js)(?:[/.]|$)/u
const OTHERS =
  /(?:^|[/._-])(?:tests?|specs?|examples?|demos?|node_modules|gruntfile|gulpfile|karma|config|fixtures?|__tests__|__mocks__|scripts|cli|bin|server|node|eslint|types?)(?:[/._-]|$)|\.d\./iu

const NO_PAGES = /(?:^|\/)(?:node_modules|coverage|tests?|specs?|jsdoc|typedoc)\//iu

/**
 * The files of a share of the pinned packages, from the cache folder or packed into it. Those of sites are few, and all
 * are taken.
 */
export function listPackageFiles(cache: string, share: number, limits: FileLimits): readonly PackageFile[] {
  const packages = readPackages().filter(
    ({ name, kind }) => kind === 'site' || createRandom(`share ${name}`)() < share,
  )
  packAll(cache, packages)
  return packages.flatMap((one) => filesOf(cache, one, limits))
}

const specOf = ({ name, version }: PinnedPackage): string => `${name}@${version}`
const tarballOf = (cache: string, one: PinnedPackage): string =>
  join(cache, 'tarballs', `${specOf(one).replace(/^@/u, '').replaceAll(/[/@]/gu, '-')}.tgz`)

function packAll(cache: string, packages: readonly PinnedPackage[]): void {
  const tarballs = join(cache, 'tarballs')
  mkdirSync(tarballs, { recursive: true })
  const missing = packages.filter((one) => !existsSync(tarballOf(cache, one)))
  for (let i = 0; i < missing.length; i += CHUNK_SIZE) {
    const specs = missing.slice(i, i + CHUNK_SIZE).map(specOf)
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', ...specs], {
      cwd: tarballs,
      stdio: 'inherit',
    })
  }
}

function filesOf(cache: string, one: PinnedPackage, limits: FileLimits): readonly PackageFile[] {
  const spec = specOf(one)
  const members = listMembers(gunzipSync(readFileSync(tarballOf(cache, one))))
  const random = createRandom(spec)
  const entry = entriesOf(members)
  const files = members
    .filter(({ path }) => /\.(?:js|mjs|cjs)$/u.test(path) && !OTHERS.test(path))
    .filter(({ content: { length } }) => length > MIN_BYTES && length <= limits.maxBytes)
    .map((member) => ({
      ...member,
      isLarge: member.content.length > limits.large,
      rank: (entry.has(member.path) ? 0 : DELIVERED.test(member.path) ? 1 : 2) + random(),
    }))
    .toSorted((a, b) => a.rank - b.rank)
  const isLargeKept = !one.isOlder && random() < SHARE_OF_LARGE
  const large = isLargeKept ? files.filter(({ isLarge }) => isLarge).slice(0, 1) : []
  const most = one.kind === 'site' ? FILES_OF_SITE : one.isOlder ? FILES_OF_OLDER : FILES_OF_NEWEST
  const small = files.filter(({ isLarge }) => !isLarge).slice(0, most)
  const source = { repository: `npm:${spec}`, group: groupOf(one.name) }
  return [
    ...[...small, ...large].map(({ path, content }) => ({
      ...source,
      path,
      kind: one.kind,
      text: content.toString(),
    })),
    ...(one.isOlder && one.kind !== 'site' ? [] : filesOfPages(members, random)).map((file) => ({
      ...source,
      ...file,
    })),
  ]
}

/** Scripts that stand inside the pages of a package, without handlers of elements, and pages with such a script as a whole. */
function filesOfPages(members: readonly Member[], random: () => number): readonly OwnFile[] {
  const pages = members
    .filter(({ path }) => /\.html?$/u.test(path) && !NO_PAGES.test(path))
    .map(({ path, content }) => {
      const text = content.toString()
      const { scripts, owners } = readPageText(text)
      const inline = scripts.flatMap((script, i) =>
        owners[i] === null && script.length >= MIN_BYTES_OF_INLINE
          ? [{ path: `${path}#${i}`, text: script }]
          : [],
      )
      return { path, text, inline }
    })
    .filter(({ inline }) => inline.length > 0)
  // Pages of one site repeat their scripts.
  const distinct = new Map(pages.flatMap(({ inline }) => inline).map((script) => [script.text, script]))
  const inline = sampleOf([...distinct.values()], INLINE_OF_NEWEST, random)
  const whole = sampleOf(pages, PAGES_OF_NEWEST, random)
  return [
    ...inline.map((script) => ({ ...script, kind: 'inline' })),
    ...whole.map(({ path, text }) => ({ path, text, kind: 'document' })),
  ]
}

function sampleOf<Item>(items: readonly Item[], size: number, random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, size)
    .map(({ item }) => item)
}

interface Member {
  /** Without the folder that all members of a package are in. */
  readonly path: string
  readonly content: Buffer
}

const BLOCK = 512

/** The plain files of a tar archive (POSIX ustar). Long names in extended headers are not read: such files are left out. */
function listMembers(archive: Buffer): readonly Member[] {
  const found: Member[] = []
  const text = (from: number, length: number): string =>
    archive
      .subarray(from, from + length)
      .toString('latin1')
      .replace(/\0.*$/su, '')
  for (let at = 0; at + BLOCK <= archive.length;) {
    const [name, size, type] = [text(at, 100), Number.parseInt(text(at + 124, 12), 8), text(at + 156, 1)]
    if (name === '' || Number.isNaN(size)) break
    const prefix = text(at + 345, 155)
    const path = (prefix === '' ? name : `${prefix}/${name}`).replace(/^[^/]*\//u, '')
    const content = archive.subarray(at + BLOCK, at + BLOCK + size)
    if (type === '0' || type === '') found.push({ path, content })
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The files that package.json names for browsers. */
function entriesOf(members: readonly Member[]): ReadonlySet<string> {
  const file = members.find(({ path }) => path === 'package.json')
  if (file === undefined) return new Set()
  // Any JSON value; only strings under these names are used.
  const read = JSON.parse(file.content.toString().replace(/^\uFEFF/u, '')) as Readonly<
    Record<string, unknown>
  >
  const named = ['unpkg', 'jsdelivr', 'browser', 'main', 'module'].map((name) => read[name])
  return new Set(named.flatMap((path) => (typeof path === 'string' ? [path.replace(/^\.\//u, '')] : [])))
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
