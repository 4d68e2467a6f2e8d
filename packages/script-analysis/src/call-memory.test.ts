import { expect, test } from 'vitest'
import { createCallMemory } from './call-memory.ts'
import { parseSource, isFunction, type FunctionNode } from './syntax-tree.ts'
import { UNKNOWN, type Value } from './values.ts'

const [statement] = parseSource('(function(a){return a})')?.body ?? []
if (statement?.type !== 'ExpressionStatement' || !isFunction(statement.expression))
  throw new Error('it is a function')
const node: FunctionNode = statement.expression

const STEPS = 100

test.each<[string, args: readonly Value[], results: readonly Value[], steps: number, expected: unknown]>([
  ['the same result each time', [7], ['a', 'a', 'a', 'a'], STEPS, 'a'],
  ['a list of numbers', [{ kind: 'array', items: [1, 2] }], ['a', 'a', 'a', 'a'], STEPS, 'a'],
  ['too few results', [7], ['a', 'a', 'a'], STEPS, undefined],
  ['another result at the end, as while a table is turned', [7], ['a', 'a', 'a', 'a', 'b'], STEPS, undefined],
  ['the same results again after another one', [7], ['b', 'a', 'a', 'a', 'a'], STEPS, 'a'],
  ['no arguments, as of a function that reads the next one', [], ['a', 'a', 'a', 'a'], STEPS, undefined],
  ['an unknown argument', [UNKNOWN], ['a', 'a', 'a', 'a'], STEPS, undefined],
  ['a number as the result', [7], [1, 1, 1, 1], STEPS, undefined],
  ['a function of few steps', [7], ['a', 'a', 'a', 'a'], 10, undefined],
])('%s', (_, args, results, steps, expected) => {
  const memory = createCallMemory()
  for (const result of results) memory.note(node, args, result, steps)
  expect(memory.recall(node, args)).toBe(expected)
})

test('a number and its text are different arguments, and so are a list and its items', () => {
  const memory = createCallMemory()
  for (let i = 0; i < 4; i += 1) memory.note(node, [1, 2], 'a', STEPS)
  expect(memory.recall(node, [1, 2])).toBe('a')
  expect(memory.recall(node, ['1', 2])).toBeUndefined()
  expect(memory.recall(node, [{ kind: 'array', items: [1, 2] }])).toBeUndefined()
})
