// Collects the samples that sources.json and packages.txt name into a folder outside the checkout: files by hash and a
// manifest. Hostile scripts are only copied out of Git; nothing is run.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseSource } from '../../packages/script-analysis/src/syntax-tree.ts'
import { installGenerators, listPackageFiles, type PackageFile } from './package-files.ts'
import { type Entry, IN_LIBRARY } from './samples.ts'
import sources from './sources.json' with { type: 'json' }
import { createTransforms, type Transform } from './transforms.ts'
import { createRandom } from './random.ts'

interface Source {
  readonly repository: string
  readonly commit: string
  readonly year: number
  readonly family: string
  readonly class: string
  readonly under?: string
  readonly only?: string
  readonly skip?: string
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
const LARGE = 300_000
/** Shares of the samples that have a transformed copy, and of the hostile ones that also stand in a library. */
const VARIANTS = { benign: 0.05, hostile: 0.06, bundled: 0.06 }
/** Smaller families have more copies, up to this number, so that obfuscated ones are not all of a few families. */
const COPIES_OF_FAMILY = 150
const MAX_COPIES = 3
const MAX_BUNDLED = 60_000

/**
 * Writes `folder`/manifest.jsonl and the files. `mirror`: Git repositories as owner+name. `share`: of the packages, for
 * a quicker run.
 */
export async function collectSamples(
  folder: string,
  mirror: string,
  cache: string,
  share: number,
): Promise<void> {
  mkdirSync(join(folder, 'files'), { recursive: true, mode: 0o700 })
  const hostile = sources.hostile.flatMap((source) => hostileDrafts(mirror, source))
  const benign = listPackageFiles(cache, share, { maxBytes: MAX_BYTES, large: LARGE }).map(benignDraft)
  const plain = distinct([...hostile, ...benign])
  const transforms = createTransforms(createRequire(join(installGenerators(cache), 'here.js')))
  const libraries = benign.filter(({ text }) => text.length > 8000 && text.length < MAX_BUNDLED)
  const sizes = new Map<string, number>()
  for (const { family } of plain) sizes.set(family, (sizes.get(family) ?? 0) + 1)
  const drafts = [...plain]
  for (const draft of plain) {
    const isHostile = draft.label !== 'benign'
    const many = isHostile ? COPIES_OF_FAMILY / (sizes.get(draft.family) ?? 1) : 0
    const copies = Math.min(MAX_COPIES, Math.floor(many))
    const share = isHostile ? VARIANTS.hostile : VARIANTS.benign
    for (let i = 0; i < Math.max(1, copies); i += 1) {
      const variant = await varied(draft, transforms, { seed: `forms ${i}`, share: copies > 0 ? 1 : share })
      if (variant !== null) drafts.push(variant)
    }
    const inLibrary = bundled(draft, libraries, Math.max(VARIANTS.bundled, copies / MAX_COPIES))
    if (inLibrary !== null) drafts.push(inLibrary)
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

/** A minified or obfuscated copy, of a share of the samples. */
async function varied(
  draft: Draft,
  transforms: readonly Transform[],
  { seed, share }: { readonly seed: string; readonly share: number },
): Promise<Draft | null> {
  const random = createRandom(`${seed} ${draft.repository} ${draft.path}`)
  if (random() >= share) return null
  const fit = transforms.filter(({ maxLength }) => draft.text.length <= maxLength)
  const transform = fit[Math.floor(random() * fit.length)]
  const text = transform === undefined ? null : await transform.run(draft.text, draft.path)
  if (transform === undefined || text === null || text.length > LARGE) return null
  return { ...draft, form: transform.form, text }
}

/** A share of the hostile scripts, behind or before a library of any group: they train nothing (see rowsOf). */
function bundled(draft: Draft, libraries: readonly Draft[], share: number): Draft | null {
  const random = createRandom(`bundle ${draft.repository} ${draft.path}`)
  if (draft.label === 'benign' || random() >= share || parseSource(draft.text) === null) return null
  const library = libraries[Math.floor(random() * libraries.length)]
  if (library === undefined) return null
  const [before, after] = random() < 0.5 ? [library.text, draft.text] : [draft.text, library.text]
  const text = `${before}\n;${after}`
  // A module behind a script that is none cannot run.
  return parseSource(text) === null ? null : { ...draft, form: IN_LIBRARY, text }
}

function git(mirror: string, repository: string, { input }: { input: string }, ...args: string[]): Buffer {
  const folder = join(mirror, repository.replace('/', '+'), 'repo')
  return execFileSync('git', ['-C', folder, ...args], { maxBuffer: 1e9, input })
}
const NOTHING = { input: '' }

/** The files of a source, at most FILES_OF_FOLDER of each folder. */
function filesOf(mirror: string, source: Source): readonly Found[] {
  const { repository, commit, under, only, skip } = source
  const listed = git(mirror, repository, NOTHING, 'ls-tree', '-r', '-l', commit).toString().split('\n')
  const perFolder = new Map<string, number>()
  const chosen = listed.flatMap((line) => {
    const [, id, size, path] = /^\S+ blob (\S+)\s+(\d+)\t(.+)$/u.exec(line) ?? []
    if (id === undefined || path === undefined) return []
    if (under !== undefined && !path.startsWith(`${under}/`)) return []
    if (only !== undefined && !new RegExp(only, 'u').test(path)) return []
    if (skip !== undefined && new RegExp(skip, 'u').test(path)) return []
    if (Number(size) < MIN_BYTES || Number(size) > MAX_BYTES) return []
    const folder = path.replace(/[^/]*$/u, '')
    const count = (perFolder.get(folder) ?? 0) + 1
    perFolder.set(folder, count)
    if (count > (folder === '' || under !== undefined ? FILES_OF_FAMILY : FILES_OF_FOLDER)) return []
    return [{ path, id }]
  })
  const ids = chosen.map(({ id }) => id).join('\n')
  const answers = git(mirror, repository, { input: ids }, 'cat-file', '--batch')
  let at = 0
  return chosen.map(({ path }) => {
    // `id blob size`, the content, and a line break.
    const start = answers.indexOf('\n', at) + 1
    const size = Number(answers.subarray(at, start).toString().trim().split(' ').at(-1))
    at = start + size + 1
    return { path, text: answers.subarray(start, start + size).toString() }
  })
}

/** The year in which each file was added, as far as the history is stored. */
function yearsOf(mirror: string, { repository, commit }: Source): ReadonlyMap<string, number> {
  const log = [
    'log',
    '--diff-filter=A',
    '--no-renames',
    '--format=year %ad',
    '--date=format:%Y',
    '--name-only',
  ]
  const years = new Map<string, number>()
  let year = 0
  for (const line of git(mirror, repository, NOTHING, ...log, commit)
    .toString()
    .split('\n')) {
    if (/^year \d{4}$/u.test(line)) year = Number(line.slice(5))
    else if (line !== '') years.set(line, year)
  }
  return years
}

function hostileDrafts(mirror: string, source: Source): readonly Draft[] {
  const years = yearsOf(mirror, source)
  return filesOf(mirror, source).map(({ path, text }) => ({
    repository: source.repository,
    commit: source.commit,
    path,
    label: source.class,
    family: source.family,
    // Later, it was only moved.
    year: Math.min(years.get(path) ?? source.year, source.year + 1),
    group: source.repository,
    kind: 'hostile',
    form: 'plain',
    text,
  }))
}

const benignDraft = (file: PackageFile): Draft => ({
  ...file,
  commit: '',
  label: 'benign',
  family: file.group,
  year: 2026,
  form: 'plain',
})
