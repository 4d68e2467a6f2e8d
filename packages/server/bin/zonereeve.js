#!/usr/bin/env node
// Starts the program: from its TypeScript source in the repository, from the bundle in the published package.
import { existsSync } from 'node:fs'

const source = new URL('../src/main/cli.ts', import.meta.url)
const bundle = new URL('../dist/cli.js', import.meta.url)

const main = await importMain()
// Output that could not be written has made it a failure already.
process.exitCode = (await main?.(process.argv.slice(2))) || process.exitCode

async function importMain() {
  try {
    const { main } = existsSync(source) ? await importSource() : await import(bundle.href)
    return main
  } catch (error) {
    if (error?.code !== 'EMFILE') throw error
    process.exitCode = 1
    process.stderr.write(
      'zonereeve: this process may open too few files to start: allow at least 256 (ulimit -n 256, LimitNOFILE=256)\n',
    )
  }
}

async function importSource() {
  const { register } = await import('tsx/esm/api')
  register()
  return import(source.href)
}
