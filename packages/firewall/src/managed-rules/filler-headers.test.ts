// Headers of attack words that spend work on a request and match nothing: they do not hide an attack in the query.
import { describe, expect, test } from 'vitest'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { createDetector } from './detector.ts'
import { inspectSample } from './request-sample.cases.ts'

const RULES = MANAGED_RULES.filter(({ detection }) => detection.kind !== 'incomplete')
const TARGET = `/?q=${encodeURIComponent("1' union select password from users--")}`
const WORDS =
  "select union from where insert script alert document cookie etc passwd php system jndi exec '; -- <a (' or ;cat nc ../ ${ {{7 <?ph onerror = sleep( concat( char(".split(
    ' ',
  )
const COUNT = 200

/** Numbered and in different orders, so that nothing is read only once for all. */
const fillerOf = (header: number, bytes: number): string =>
  Array.from(
    { length: bytes },
    (_, i) => `${WORDS[(header * 7 + i * (1 + (header % 13))) % WORDS.length]}${header}`,
  )
    .join(' ')
    .slice(0, bytes)

function foundInQuery(headers: Readonly<Record<string, string>>) {
  const detector = createDetector(RULES)
  const request = inspectSample({ target: TARGET, headers })
  const found = RULES.filter((rule) => detector.detect(rule, request)?.field.includes('uri'))
  return { ids: found.map(({ id }) => id), units: detector.unitsOfAll(request) }
}

describe(`${COUNT} headers of attack words`, () => {
  const plain = foundInQuery({})

  test.each([
    ['that Node accepts', 65],
    ["that fit HAProxy's frame", 300],
  ])('%s', (_, bytes) => {
    const filler = Array.from({ length: COUNT }, (_value, i) => [`x-${i}`, fillerOf(i, bytes)] as const)
    const filled = foundInQuery(Object.fromEntries(filler))
    expect(filled.units).toBeGreaterThan(10 * plain.units)
    expect(plain.ids.length).toBeGreaterThan(1)
    expect(filled.ids).toEqual(plain.ids)
  })
})
