// Collects the samples that sources.json and packages.ts name into a folder outside the checkout: files by hash and a
// manifest. Hostile scripts are only copied out of Git; nothing is run.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { readPageText } from '../../packages/script-analysis/src/page-text.ts'
import { parseSource } from '../../packages/script-analysis/src/syntax-tree.ts'
import { installGenerators, listPackageFiles } from './package-files.ts'
import type { Entry } from './samples.ts'
import sources from './sources.json' with { type: 'json' }
import { createTransforms, type Transform } from './transforms.ts'
import { createRandom } from './variation.ts'

interface Source {
  readonly repository: string
  readonly commit: string
  readonly year: number
  readonly under?: string
  readonly only?: string
  readonly skip?: string
  readonly html?: boolean
}
interface HostileSource extends Source {
  readonly family: string
  readonly class: string
}
interface BenignSource extends Source {
  readonly kind: string
}
interface Found {
  readonly path: string
  readonly text: string
}
/** An entry whose text is not stored yet. */
type Draft = Omit<Entry, 'sha256'> & { readonly text: string }

const MAX_BYTES = 5_000_000
const MIN_BYTES = 60
/** Files of one folder of a repository: some have a thousand copies of one script. */
const FILES_OF_FOLDER = 60
const FILES_OF_FAMILY = 300
const FILES_OF_REPOSITORY = 260
const FILES_OF_GROUP = 5
/** Benign files above this size are rare in the samples, because each takes a second. */
const LARGE = 300_000
const VARIANTS = 0.35
const NOT_DELIVERED =
  /(?:^|[/.])(?:test|tests|spec|specs|example|examples|demo|demos|node_modules|gruntfile|gulpfile|karma|config|fixtures?|__tests__|__mocks__|build-tools)(?:[/.]|$)|\.d\.|\.config\./iu
/** Names of files that say nothing about what is in them. */
const GENERIC =
  /^(?:index|main|app|all|core|common|custom|init|script|scripts|bundle|plugin|module|browser|utils?|admin|form|default|base|ui|cart|checkout|view|list|edit)$/u

/** Writes `folder`/manifest.jsonl and the files. `mirror`: bare repositories as owner+name. */
export async function collectSamples(folder: string, mirror: string, cache: string): Promise<void> {
  mkdirSync(join(folder, 'files'), { recursive: true, mode: 0o700 })
  const hostile = sources.hostile.flatMap((source) => hostileDrafts(mirror, source))
  const benign = [
    ...listPackageFiles(cache, { maxBytes: MAX_BYTES, large: LARGE }),
    ...sources.benign.flatMap((source) => benignDrafts(mirror, source)),
  ]
  // Sources of a build, such as JSX, are no scripts that browsers get.
  const delivered = benign.filter(({ text }) => parseSource(text) !== null)
  const plain = distinct([...hostile, ...mergeGroups(delivered)])
  const transforms = createTransforms(createRequire(join(installGenerators(cache), 'here.js')))
  const drafts = [...plain]
  for (const draft of plain) {
    const variant = await varied(draft, transforms)
    if (variant !== null) drafts.push(variant)
  }
  const lines = distinct(drafts).map(({ text, ...entry }) => {
    const sha256 = createHash('sha256').update(text).digest('hex')
    writeFileSync(join(folder, 'files', sha256), text, { mode: 0o600 })
    return JSON.stringify({ ...entry, sha256 })
  })
  writeFileSync(join(folder, 'manifest.jsonl'), `${lines.join('\n')}\n`, { mode: 0o600 })
}

function distinct<T extends { readonly text: string }>(drafts: readonly T[]): readonly T[] {
  const seen = new Set<string>()
  return drafts.filter(({ text }) => !seen.has(text) && seen.add(text))
}

/** A minified or obfuscated copy, of some of the benign samples. */
async function varied(draft: Draft, transforms: readonly Transform[]): Promise<Draft | null> {
  if (draft.label !== 'benign') return null
  const random = createRandom(`forms ${draft.repository} ${draft.path}`)
  if (random() >= VARIANTS) return null
  const fit = transforms.filter(({ maxLength }) => draft.text.length <= maxLength)
  const transform = fit[Math.floor(random() * fit.length)]
  const text = transform === undefined ? null : await transform.run(draft.text, draft.path)
  if (transform === undefined || text === null || text.length > LARGE) return null
  return { ...draft, form: transform.form, text }
}

function git(mirror: string, repository: string, ...args: string[]): Buffer {
  const folder = join(mirror, repository.replace('/', '+'), 'repo')
  return execFileSync('git', ['-C', folder, ...args], { maxBuffer: 1e9 })
}

/** The files of a source, at most FILES_OF_FOLDER of each folder. */
function filesOf(mirror: string, source: Source, pattern: RegExp): readonly Found[] {
  const { repository, commit, under, only, skip } = source
  const listed = git(mirror, repository, 'ls-tree', '-r', '-l', commit).toString().split('\n')
  const perFolder = new Map<string, number>()
  return listed.flatMap((line) => {
    const [, id, size, path] = /^\S+ blob (\S+)\s+(\d+)\t(.+)$/u.exec(line) ?? []
    if (id === undefined || path === undefined) return []
    if (under !== undefined && !path.startsWith(`${under}/`)) return []
    if (only === undefined ? !pattern.test(path) : !new RegExp(only, 'u').test(path)) return []
    if (skip !== undefined && new RegExp(skip, 'u').test(path)) return []
    if (Number(size) < MIN_BYTES || Number(size) > MAX_BYTES) return []
    const folder = path.replace(/[^/]*$/u, '')
    const count = (perFolder.get(folder) ?? 0) + 1
    perFolder.set(folder, count)
    if (count > (folder === '' || under !== undefined ? FILES_OF_FAMILY : FILES_OF_FOLDER)) return []
    return [{ path, text: git(mirror, repository, 'cat-file', 'blob', id).toString() }]
  })
}

function hostileDrafts(mirror: string, source: HostileSource): readonly Draft[] {
  return filesOf(mirror, source, /./u).flatMap(({ path, text }) =>
    scriptsIn(text, source.html === true).map((script, i) => ({
      repository: source.repository,
      commit: source.commit,
      path: i === 0 ? path : `${path}#${i}`,
      label: source.class,
      family: source.family,
      year: yearOf(mirror, source, path),
      group: source.repository,
      kind: 'hostile',
      form: 'plain',
      text: script,
    })),
  )
}

/** The scripts of a page; of another text, the text. */
function scriptsIn(text: string, isPage: boolean): readonly string[] {
  if (!isPage || !/<script/iu.test(text)) return [text]
  return readPageText(text).scripts.filter((script) => script.length >= MIN_BYTES)
}

/** The year in which a file was added, as far as the history is stored. */
function yearOf(mirror: string, { repository, commit, year }: Source, path: string): number {
  const added = git(
    mirror,
    repository,
    'log',
    '--format=%ad',
    '--date=format:%Y',
    '--diff-filter=A',
    commit,
    '--',
    path,
  )
  const known = Number(added.toString().trim().split('\n').at(-1))
  return Number.isInteger(known) && known > 2000 ? Math.min(known, year + 1) : year
}

function benignDrafts(mirror: string, source: BenignSource): readonly Draft[] {
  const random = createRandom(source.repository)
  return filesOf(mirror, source, /\.js$/u)
    .filter(({ path, text }) => !NOT_DELIVERED.test(path) && text.length > 300)
    .map((found) => ({ found, rank: random() + (found.text.length > LARGE ? 1 : 0) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, FILES_OF_REPOSITORY)
    .map(({ found: { path, text } }) => ({
      repository: source.repository,
      commit: source.commit,
      path,
      label: 'benign',
      family: source.repository,
      year: source.year,
      group: source.repository,
      kind: source.kind,
      form: 'plain',
      text,
    }))
}

/** The name of what a file contains: `jquery-ui-1.8.min.js` and `jquery-ui.js` are the same library. */
function stemOf(path: string): string {
  return path
    .replace(/^.*\//u, '')
    .toLowerCase()
    .replace(/\.[cm]?js$/u, '')
    .replace(
      /(?:[.-](?:min|prod|production|umd|iife|esm?|cjs|bundle|pack|slim|global|browser|dev|development|v?\d[\d.]*\w*))+$/u,
      '',
    )
}

/** Copies of one library in several repositories and packages are one group; at most FILES_OF_GROUP of each stay. */
function mergeGroups(drafts: readonly Draft[]): readonly Draft[] {
  const owners = new Map<string, string>()
  const counts = new Map<string, number>()
  return drafts.flatMap((draft) => {
    const stem = stemOf(draft.path)
    const isPackage = draft.commit === ''
    const isNamed = stem.length > 3 && !GENERIC.test(stem)
    const known = owners.get(stem)
    const group = isPackage || !isNamed ? draft.group : (known ?? `${draft.group} ${stem}`)
    if (isNamed && known === undefined) owners.set(stem, group)
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    const most = isNamed || isPackage ? FILES_OF_GROUP * (isPackage ? 2 : 1) : FILES_OF_REPOSITORY
    return count > most ? [] : [{ ...draft, group }]
  })
}
