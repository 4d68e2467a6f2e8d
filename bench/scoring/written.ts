// Scripts of our own, for kinds of which there are few real samples: recent attacks, and the scripts that a single site
// has of its own. They train the model and never judge it.
import { HOSTILE_BEHAVIOURS } from './hostile-behaviours.ts'
import { HOSTILE_PRACTICES } from './hostile-practices.ts'
import { HOSTILE_SHAPES } from './hostile-shapes.ts'
import { HOSTILES } from './hostile-templates.ts'
import { HOSTILE_VARIANTS } from './hostile-variants.ts'
import { MINER_LOADERS } from './miner-loaders.ts'
import { PAGE_SCRIPTS } from './page-templates.ts'
import { type Reading, readText } from './readings.ts'
import { SITE_BEHAVIOURS } from './site-behaviours.ts'
import { SITE_PRACTICES } from './site-practices.ts'
import { SITE_SHAPES } from './site-shapes.ts'
import { SKIMMER_SHAPES } from './skimmer-shapes.ts'
import { SKIMMERS } from './skimmer-templates.ts'
import type { Transform } from './transforms.ts'
import { createRandom, createVariation } from './variation.ts'

const FAMILIES = [
  ...SKIMMERS,
  ...SKIMMER_SHAPES,
  ...MINER_LOADERS,
  ...HOSTILES,
  ...HOSTILE_SHAPES,
  ...HOSTILE_VARIANTS,
  ...HOSTILE_BEHAVIOURS,
  ...HOSTILE_PRACTICES,
  ...PAGE_SCRIPTS,
  ...SITE_SHAPES,
  ...SITE_BEHAVIOURS,
  ...SITE_PRACTICES,
]
const VARIANTS = 3
const MAX_LENGTH = 40_000

/** Each family in a few variants, each of them plain or minified or obfuscated. */
export async function readWritten(transforms: readonly Transform[]): Promise<readonly Reading[]> {
  const readings: Reading[] = []
  for (const { name, label, make } of FAMILIES) {
    for (let i = 0; i < VARIANTS; i += 1) {
      const id = `${name} ${i}`
      const plain = make(createVariation(id))
      const random = createRandom(`forms ${id}`)
      const fit = transforms.filter(({ maxLength }) => plain.length <= maxLength)
      const transform = random() < 0.5 ? undefined : fit[Math.floor(random() * fit.length)]
      const made = transform === undefined ? plain : await transform.run(plain, id)
      const text = made === null || made.length > MAX_LENGTH ? plain : made
      const form = made === text ? (transform?.form ?? 'plain') : 'plain'
      readings.push(readText(entryOf(id, name, label, form), text))
    }
  }
  return readings
}

const entryOf = (id: string, name: string, label: string, form: string): Reading['sample'] => ({
  repository: 'written',
  commit: '',
  path: id,
  sha256: '',
  label,
  family: 'written',
  year: 2026,
  group: `written ${name}`,
  kind: label === 'benign' ? 'site' : 'hostile',
  form,
})
