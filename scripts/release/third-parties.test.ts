// The bill of materials and the licenses of a release.
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { billOfMaterials, checkedThirdParty, formatLicenses, thirdPartiesAt } from './third-parties.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('third parties', () => {
  test.each([
    ['node_modules/a', undefined, /is not in package-lock\.json/],
    ['node_modules/a', { version: '1' }, /a has the license undefined/],
    [
      'node_modules/b/node_modules/@c/a',
      { version: '1', license: 'GPL-3.0' },
      /@c\/a has the license GPL-3\.0/,
    ],
    ['node_modules/a', { version: '1', license: '(MIT OR GPL-2.0) AND Other' }, /a has the license \(MIT/],
    ['node_modules/a', { version: '1', license: 'GPL-3.0 AND (X OR MIT OR Y)' }, /a has the license GPL/],
    ['node_modules/a', { version: '1', license: '(GPL-2.0 OR GPL-3.0)' }, /a has the license \(GPL/],
  ])('%s with %o is rejected', (key, locked, message) => {
    expect(() => checkedThirdParty(key, '/a', locked)).toThrow(message)
  })

  test('a bill of materials names each package with its license and digest, and is the same each time', () => {
    const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`
    const party = checkedThirdParty('node_modules/x/node_modules/@s/a', '/a', {
      version: '1.2.3',
      license: 'MIT',
      integrity,
    })
    const choice = checkedThirdParty('node_modules/b', '/b', { version: '1', license: '(MIT OR GPL-2.0)' })
    const text = billOfMaterials('0.1.0', '20.0.0', [party, choice])
    expect(billOfMaterials('0.1.0', '20.0.0', [party, choice])).toBe(text)
    const { bomFormat, components } = JSON.parse(text) as { bomFormat: string; components: object[] }
    expect(bomFormat).toBe('CycloneDX')
    expect(components).toMatchObject([
      { name: 'node', version: '20.0.0' },
      {
        name: '@s/a',
        purl: 'pkg:npm/%40s/a@1.2.3',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }],
      },
      { name: 'b', licenses: [{ expression: '(MIT OR GPL-2.0)' }] },
    ])
  })

  test('installed packages: sorted, with the texts of their licenses', () => {
    const paths = ['node_modules/pino', 'node_modules/fastify'].map((path) => join(root, path))
    const parties = thirdPartiesAt(root, paths)
    expect(parties.map(({ name }) => name)).toEqual(['fastify', 'pino'])
    const text = formatLicenses(parties)
    expect(text).toMatch(/^fastify \d+\.\d+\.\d+: MIT\n\n[^]*Permission is hereby granted/)
  })
})
