// What the built page asks for early.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the page preloads fonts, and no answer of the API', () => {
  const config = readFileSync(new URL('../../vite.config.ts', import.meta.url), 'utf8')
  const preloaded = [...config.matchAll(/rel: 'preload', as: '(\w+)'/gu)].map(([, kind]) => kind)
  expect(preloaded).toEqual(['font'])
  expect(config).not.toContain('/client/v4')
})
