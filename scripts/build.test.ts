// The published package must declare every npm package that its bundle imports, with the range our own packages use.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
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
const declared = { ...server.dependencies, ...server.optionalDependencies }

describe('packed package', () => {
  test('declares exactly the packages that the bundle imports', async () => {
    const { metafile } = await bundle({ write: false })
    const imported = Object.values(metafile.outputs)
      .flatMap((output) => output.imports)
      .filter((found) => found.external === true)
      .map((found) => packageOf(found.path))
      .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    expect(imported.length).toBeGreaterThan(0)
    expect(Object.keys(declared).toSorted()).toEqual([...new Set(imported)].toSorted())
  })

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

function packageOf(path: string): string {
  const parts = path.split('/')
  return parts.slice(0, path.startsWith('@') ? 2 : 1).join('/')
}
