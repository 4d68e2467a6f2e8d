// The version of the program, from its package.json.
import { readFileSync } from 'node:fs'

interface Manifest {
  readonly version: string
}

function readVersion(): string {
  // From src/main in the repository, from dist in the published package.
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Manifest // our own
      return manifest.version
    } catch {
      // Not at this path: the other layout has it.
    }
  }
  return 'unknown'
}

export const VERSION = readVersion()
