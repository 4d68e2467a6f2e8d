import { describe, expect, test } from 'vitest'
import { OPERATIONS, requirementOf } from './index.ts'

/** Every schema in `schema` that has a pattern, and no error of its own. */
function patternsIn(schema: unknown): readonly { readonly pattern: string; readonly must?: unknown }[] {
  if (typeof schema !== 'object' || schema === null) return []
  const inside = Object.values(schema).flatMap(patternsIn)
  const { pattern, reason, must } = schema as { pattern?: unknown; reason?: unknown; must?: unknown } // any schema
  return typeof pattern === 'string' && reason === undefined ? [{ pattern, must }, ...inside] : inside
}

describe('patterns of paths, queries and bodies', () => {
  const found = OPERATIONS.flatMap(({ id, params, query, body }) =>
    [params, query, body].flatMap(patternsIn).map((schema) => ({ id, ...schema })),
  )

  test('say in words what they require', () => {
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ must }) => typeof must !== 'string' || must === '')).toEqual([])
  })
})

describe('a requirement', () => {
  test.each([
    ['pattern', {}, { must: 'be one word' }, 'must be one word'],
    ['pattern', {}, {}, undefined],
    ['minimum', { limit: 1 }, {}, 'must be at least 1'],
    ['maximum', { limit: 100 }, {}, 'must be at most 100'],
    ['minLength', { limit: 1 }, {}, 'must not be empty'],
    ['minLength', { limit: 16 }, {}, 'must have at least 16 characters'],
    ['maxLength', { limit: 1 }, {}, 'must have at most 1 character'],
    ['minItems', { limit: 1 }, {}, 'must not be empty'],
    ['maxItems', { limit: 50 }, {}, 'must have at most 50 items'],
    ['type', { type: 'string' }, {}, undefined],
  ])('%s %j in %j', (keyword, params, parentSchema, words) => {
    expect(requirementOf({ keyword, params, parentSchema })).toBe(words)
  })
})
