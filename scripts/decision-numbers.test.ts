// The list of missing numbers of the architecture decision records: those below the newest that no file has.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDER = new URL('../docs/adr/', import.meta.url)
const numbers = readdirSync(FOLDER).flatMap((name) =>
  /^\d{4}-/.test(name) ? [Number(name.slice(0, 4))] : [],
)

test('each record has a number of its own, and its row in the table', () => {
  const table = readFileSync(new URL('README.md', FOLDER), 'utf8')
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
  expect(numbers.filter((number) => !table.includes(`\n| ${number} | [`))).toEqual([])
})

test('the missing numbers are those that no record has', () => {
  const [, list = ''] = /There are no records with the numbers ([^.]*)\./.exec(
    readFileSync(new URL('README.md', FOLDER), 'utf8'),
  ) ?? ['']
  const listed = list.split(/,|\band\b/).flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split(' to ').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  const newest = Math.max(...numbers)
  const missing = Array.from({ length: newest }, (_, index) => index + 1).filter((n) => !numbers.includes(n))
  expect(listed).toEqual(missing)
})
