// The version of the program, from its package.json, which is beside src in the repository and beside dist in the package.
import { readFileSync } from 'node:fs'

interface Manifest {
  readonly version: string
}

function readVersion(): string {
  try {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest // our own
    return manifest.version
  } catch {
    return 'unknown'
  }
}

export const VERSION = readVersion()
