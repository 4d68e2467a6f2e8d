import { expect, test } from 'vitest'
import type { Reading } from './readings.ts'
import { rowsOf } from './train.ts'

const stretchOf = (value: number) => ({
  features: Float64Array.of(value),
  rules: [],
  signs: [],
  isRecorder: false,
})

function readingOf(label: string, form: string, isRead = true): Reading {
  const sample = {
    repository: 'npm:lunr@2.3.9',
    commit: '',
    path: 'lunr.js',
    sha256: '',
    label,
    family: 'npm:lunr',
    year: 2026,
    group: 'npm:lunr',
    kind: 'site',
    form,
  }
  return { sample, bytes: 9, ms: 1, isRead, stretches: [stretchOf(1), stretchOf(2)] }
}

test.each<[name: string, reading: Reading, trained: readonly number[]]>([
  ['a benign script: all stretches', readingOf('benign', 'plain'), [1, 2]],
  ['a hostile one: the whole', readingOf('magecart', 'plain'), [1]],
  ['an obfuscated hostile one: the whole', readingOf('magecart', 'obfuscated low'), [1]],
  [
    'a hostile one in a library, which others judge as benign: nothing',
    readingOf('magecart', 'in a library'),
    [],
  ],
  ['what could not be read: nothing', readingOf('magecart', 'plain', false), []],
])('what trains of %s', (_, reading, trained) => {
  expect(rowsOf([reading]).map(({ features }) => features[0])).toEqual(trained)
})
