// Creates the training data: files of npm packages as benign, our own templates as hostile and as benign, and minified
// and obfuscated copies of both. Nothing of it is run.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { HOSTILE_BEHAVIOURS } from './hostile-behaviours.ts'
import { HOSTILE_PRACTICES } from './hostile-practices.ts'
import { HOSTILE_SHAPES } from './hostile-shapes.ts'
import { HOSTILES } from './hostile-templates.ts'
import { HOSTILE_VARIANTS } from './hostile-variants.ts'
import { MINER_LOADERS } from './miner-loaders.ts'
import { BENIGN_PACKAGES, GENERATORS, type PackageKind } from './packages.ts'
import { PAGE_SCRIPTS } from './page-templates.ts'
import { SITE_BEHAVIOURS } from './site-behaviours.ts'
import { SITE_PRACTICES } from './site-practices.ts'
import { SITE_SHAPES } from './site-shapes.ts'
import { SKIMMER_SHAPES } from './skimmer-shapes.ts'
import { SKIMMERS } from './skimmer-templates.ts'
import { createTransforms, type Transform } from './transforms.ts'
import { createRandom, createVariation, type Family } from './variation.ts'

/** One script with its labels. */
export interface Sample {
  readonly id: string
  readonly label: Family['label']
  /** Package or family; held out as a whole. */
  readonly group: string
  readonly kind: PackageKind | 'site' | 'hostile'
  readonly form: string
  readonly source: string
}

/** The families that were written after the first model. */
export const LATER_FAMILIES: ReadonlySet<string> = new Set(
  [
    ...SKIMMER_SHAPES,
    ...MINER_LOADERS,
    ...HOSTILE_SHAPES,
    ...HOSTILE_VARIANTS,
    ...HOSTILE_BEHAVIOURS,
    ...HOSTILE_PRACTICES,
    ...SITE_SHAPES,
    ...SITE_BEHAVIOURS,
    ...SITE_PRACTICES,
  ].map(({ name }) => name),
)

const MAX_BYTES = 40_000
const FILES_OF_PACKAGE = 4
const VARIANTS_OF_FAMILY = 5

/** All samples, from the cache folder or created there. */
export async function loadSamples(cache: string): Promise<readonly Sample[]> {
  const file = join(cache, 'samples.jsonl')
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true })
    const samples = await makeSamples(cache)
    writeFileSync(file, samples.map((sample) => JSON.stringify(sample)).join('\n'))
  }
  return (
    readFileSync(file, 'utf8')
      .split('\n')
      // Each line is a sample written above.
      .map((line) => JSON.parse(line) as Sample)
  )
}

async function makeSamples(cache: string): Promise<readonly Sample[]> {
  const transforms = createTransforms(generators(cache))
  const made: Sample[] = []
  let read = 0
  for (const sample of [
    ...packageFiles(cache),
    ...written([...PAGE_SCRIPTS, ...SITE_SHAPES, ...SITE_BEHAVIOURS, ...SITE_PRACTICES]),
    ...written([
      ...SKIMMERS,
      ...SKIMMER_SHAPES,
      ...MINER_LOADERS,
      ...HOSTILES,
      ...HOSTILE_SHAPES,
      ...HOSTILE_VARIANTS,
      ...HOSTILE_BEHAVIOURS,
      ...HOSTILE_PRACTICES,
    ]),
  ]) {
    if (sample.kind !== 'site' && sample.kind !== 'hostile') made.push(sample)
    else if (createRandom(sample.id)() < 0.6) made.push(sample)
    for (const transform of chosen(sample, transforms)) {
      const source = await transform.run(sample.source, sample.id)
      if (source !== null && source.length <= MAX_BYTES) {
        made.push({ ...sample, id: `${sample.id} ${transform.form}`, form: transform.form, source })
      }
    }
    read += 1
    if (read % 50 === 0) console.error(`${read} texts, ${made.length} samples`)
  }
  return [...made, ...appended(made)]
}

/** Random but reproducible forms for each sample: more for short samples, because they cost less. */
function chosen({ id, source, kind }: Sample, transforms: readonly Transform[]): readonly Transform[] {
  const random = createRandom(`forms ${id}`)
  const fit = transforms.filter(({ maxLength }) => source.length <= maxLength)
  const count =
    kind === 'site' || kind === 'hostile' ? 1 : Number(random() < (source.length < 8000 ? 0.6 : 0.05))
  return fit.toSorted(() => random() - 0.5).slice(0, count)
}

/** Hostile code appended to a library, the most frequent case in practice. */
function appended(samples: readonly Sample[]): readonly Sample[] {
  const libraries = samples.filter(
    ({ label, form, source }) =>
      label === 'benign' && form === 'plain' && source.length < 60_000 && source.length > 2000,
  )
  return samples
    .filter(
      ({ label, id, source }) =>
        label !== 'benign' && !source.trimStart().startsWith('<') && createRandom(`append ${id}`)() < 0.15,
    )
    .flatMap((sample) => {
      const library = libraries[Math.floor(createRandom(`library ${sample.id}`)() * libraries.length)]
      if (library === undefined) return []
      return [
        {
          ...sample,
          id: `${sample.id} appended`,
          form: 'appended',
          source: `${library.source}\n;${sample.source}`,
        },
      ]
    })
}

function written(families: readonly Family[]): readonly Sample[] {
  return families.flatMap(({ name, label, make }) =>
    Array.from({ length: VARIANTS_OF_FAMILY }, (_, i) => ({
      id: `${name} ${i}`,
      label,
      group: name,
      kind: label === 'benign' ? ('site' as const) : ('hostile' as const),
      form: 'plain',
      source: make(createVariation(`${name} ${i}`)),
    })),
  )
}

function packageFiles(cache: string): readonly Sample[] {
  const folder = join(cache, 'tarballs')
  const unpacked = join(cache, 'packages')
  mkdirSync(folder, { recursive: true })
  const all = Object.values(BENIGN_PACKAGES).flat()
  if (readdirSync(folder).length < all.length * 0.9) {
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', ...all], { cwd: folder, stdio: 'inherit' })
  }
  // The keys of BENIGN_PACKAGES have the type PackageKind.
  return (Object.keys(BENIGN_PACKAGES) as PackageKind[]).flatMap((kind) =>
    BENIGN_PACKAGES[kind].flatMap((spec) => {
      const tarball = join(folder, `${spec.replace(/^@/u, '').replaceAll(/[/@]/gu, '-')}.tgz`)
      const target = join(unpacked, spec.replaceAll('/', '-'))
      if (!existsSync(tarball)) return []
      if (!existsSync(target)) {
        mkdirSync(target, { recursive: true })
        execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
      }
      return filesOf(target, spec, kind)
    }),
  )
}

/** A few files that a browser would load, minified and not. */
function filesOf(folder: string, spec: string, kind: PackageKind): readonly Sample[] {
  const random = createRandom(spec)
  const files = listFiles(folder)
    .filter(
      (file) =>
        /\.(?:js|mjs|cjs)$/u.test(file) &&
        !/(?:test|spec|example|demo|node_modules|gruntfile|config|\.d\.)/iu.test(file.slice(folder.length)),
    )
    .filter((file) => statSync(file).size <= MAX_BYTES && statSync(file).size > 300)
    .map((file) => ({
      file,
      rank: (/dist|build|umd|lib|min/u.test(file.slice(folder.length)) ? 0 : 1) + random(),
    }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, FILES_OF_PACKAGE)
  return files.map(({ file }) => ({
    id: `${spec}${file.slice(folder.length)}`,
    label: 'benign',
    group: spec,
    kind,
    form: 'plain',
    source: readFileSync(file, 'utf8'),
  }))
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)],
    )
}

/** Loads the generators from a folder in the cache, installed there without running install scripts. */
function generators(cache: string): NodeJS.Require {
  const folder = join(cache, 'generators')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'node_modules'))) {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...GENERATORS], {
      cwd: folder,
      stdio: 'inherit',
    })
  }
  return createRequire(join(folder, 'here.js'))
}
