// The manifest of real samples, and their texts, which are checked against their hashes.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The form of a hostile script before or behind a library. */
export const IN_LIBRARY = 'in a library'

/** One sample, as in manifest.jsonl. */
export interface Entry {
  /** `owner/name`, or `npm:package@version`. */
  readonly repository: string
  /** '' for a package. */
  readonly commit: string
  readonly path: string
  readonly sha256: string
  /** benign, or the class of harm. */
  readonly label: string
  readonly family: string
  readonly year: number
  /** Stands as a whole on one side of a split: a repository, a package, a library. */
  readonly group: string
  readonly kind: string
  /** plain, or what was done to it. */
  readonly form: string
}

export function readManifest(folder: string): readonly Entry[] {
  return (
    readFileSync(join(folder, 'manifest.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      // Each line is written by collect-samples.ts.
      .map((line) => JSON.parse(line) as Entry)
  )
}

/** @throws if the file was changed */
export function readSampleText(folder: string, { sha256, repository, path }: Entry): string {
  const text = readFileSync(join(folder, 'files', sha256), 'utf8')
  if (createHash('sha256').update(text).digest('hex') !== sha256)
    throw new Error(`the sample ${repository} ${path} is not the one of the manifest`)
  return text
}
