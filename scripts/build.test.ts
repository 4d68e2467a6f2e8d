// The published package must declare every npm package that its bundle imports, with the range our own packages use.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename } from 'node:path'
import type { Metafile } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { bundle } from './build.ts'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(new URL(`../packages/${name}/package.json`, import.meta.url), 'utf8'))
}

const server = manifestOf('server')
const { outputs } = (await bundle({ write: false })).metafile
const declared = { ...server.dependencies, ...server.optionalDependencies }

describe('packed package', () => {
  test('declares exactly the packages that the bundle imports', () => {
    const imported = Object.values(outputs)
      .flatMap((output) => output.imports)
      .filter((found) => found.external === true)
      .map((found) => packageOf(found.path))
      .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    expect(imported.length).toBeGreaterThan(0)
    expect(Object.keys(declared).toSorted()).toEqual([...new Set(imported)].toSorted())
  })

  test.each([
    ['the command line', 'cli.js', ['commander', 'ipaddr.js', 're2js', 'typebox']],
    ['a thread that answers', 'answering.worker.js', []],
  ])('%s loads at its start only the packages that each use of it needs', (_, entry, expected) => {
    expect(packagesAtStart(outputs, entry)).toEqual(expected)
  })

  test.each(['acme-client', '@redis/client', 'nodemailer', 'pg'])(
    'a server does not load %s before it is needed',
    async (name) => {
      const [serve = ''] = Object.keys(outputs).filter((path) => /\/serve-\w+\.js$/.test(path))
      const loaded = packagesAtStart(outputs, basename(serve))
      expect(loaded).toContain('fastify')
      expect(loaded).not.toContain(name)
    },
  )

  test.each(['dns', 'expr', 'csp', 'contract'])(
    'requires the same versions as the inlined package %s',
    (name) => {
      const inlined = Object.entries(manifestOf(name).dependencies ?? {}).filter(
        ([found]) => found in declared,
      )
      expect(inlined.map(([found]) => [found, declared[found]])).toEqual(inlined)
    },
  )
})

/** The npm packages that a file imports, and the files that it imports, before anything runs. */
function packagesAtStart(outputs: Metafile['outputs'], entry: string): string[] {
  const seen = new Set<string>()
  const waiting = Object.keys(outputs).filter((path) => basename(path) === entry)
  const found = new Set<string>()
  if (waiting.length !== 1) throw new Error(`${waiting.length} files are named ${entry}`)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const imported of outputs[path]?.imports ?? []) {
      if (imported.kind === 'dynamic-import') continue
      if (imported.external !== true) waiting.push(imported.path)
      else if (!imported.path.startsWith('node:')) found.add(packageOf(imported.path))
    }
  }
  return [...found].toSorted()
}

function packageOf(path: string): string {
  const parts = path.split('/')
  return parts.slice(0, path.startsWith('@') ? 2 : 1).join('/')
}
