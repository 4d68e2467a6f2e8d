#!/usr/bin/env node
// Starts the program: from its TypeScript source in the repository, from the bundle in the published package.
import { existsSync } from 'node:fs'

const source = new URL('../src/main/cli.ts', import.meta.url)
const bundle = new URL('../dist/cli.js', import.meta.url)

const { main } = existsSync(source) ? await importSource() : await import(bundle.href)
process.exitCode = await main(process.argv.slice(2))

async function importSource() {
  const { register } = await import('tsx/esm/api')
  register()
  return import(source.href)
}
