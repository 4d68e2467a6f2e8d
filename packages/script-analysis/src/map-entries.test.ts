import { expect, test } from 'vitest'
import { analyse } from './analysis.ts'
import { taintNames } from './observations.ts'

const FIELD = `document.querySelector('#user').value`

test.each<[name: string, puts: string, expected: readonly string[]]>([
  ['another key', `m.set('u',${FIELD});m.set('lang','en')`, []],
  ['another key, and none of its own', `m.set('u',${FIELD})`, []],
  ['its key', `m.set('lang',${FIELD})`, ['field']],
  ['its key, replaced', `m.set('lang',${FIELD});m.set('lang','en')`, ['field']],
  ['a key that is not known', `m.set(window.name,${FIELD});m.set('lang','en')`, ['field']],
  [
    'a key that is not known, before another value',
    `m.set(window.name,${FIELD});m.set(window.name,location.href)`,
    ['field', 'place'],
  ],
])('a value that is taken out of a map by a key: what was put in by %s', (_, puts, expected) => {
  const { flows } = analyse(`const m=new Map();${puts};fetch('https://a.example/?'+m.get('lang'))`).observed
  expect(flows.map(({ taint }) => taintNames(taint))).toEqual([expected])
})

test('an object that is no map may give what was put in by another key', () => {
  const { flows } = analyse(
    `page.store.set('u',${FIELD});fetch('https://a.example/?'+page.store.get('lang'))`,
  ).observed
  expect(flows.map(({ taint }) => taintNames(taint))).toEqual([['field']])
})
