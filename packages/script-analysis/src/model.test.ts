import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FEATURE_NAMES } from './features.ts'
import { calibrate, weigh, weighHarm } from './model.ts'
import trained from './model.json' with { type: 'json' }

const CLASSES = ['magecart', 'cryptomining', 'malware', 'obfuscation'] as const
const rows = fc
  .array(fc.tuple(fc.nat({ max: FEATURE_NAMES.length - 1 }), fc.double({ min: 0, max: 1.5, noNaN: true })), {
    maxLength: 80,
  })
  .map((some) => {
    const row = new Float64Array(FEATURE_NAMES.length)
    for (const [at, value] of some) row[at] = value
    return row
  })

describe('the model in the file', () => {
  test('is small, and uses only existing features', () => {
    const text = readFileSync(new URL('./model.json', import.meta.url), 'utf8')
    expect(text.length).toBeLessThan(400_000)
    expect(JSON.parse(text)).toEqual(trained)
    const names = new Set(FEATURE_NAMES)
    expect(names.size).toBe(FEATURE_NAMES.length)
    const asked = [
      ...trained.harm.asked,
      ...Object.keys(trained.harm.line.weights),
      ...CLASSES.flatMap((scriptClass) => Object.keys(trained.heads[scriptClass].weights)),
    ]
    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter((name) => !names.has(name))).toEqual([])
    expect(trained.harm.trees.length).toBeLessThanOrEqual(300)
    const places = trained.harm.trees.flatMap(({ features }) => features)
    expect(Math.max(...places)).toBeLessThan(trained.harm.asked.length)
  })

  test('splits the log odds of any features into contributions, and gives a score from 1 to 99', () => {
    fc.assert(
      fc.property(rows, (row) => {
        const { logOdds, contributions } = weighHarm(row)
        const reported = contributions.reduce(
          (sum, { weight }) => sum + weight,
          trained.harm.line.bias * trained.harm.lineShare,
        )
        // Trees with a single leaf use no feature.
        const leaves = trained.harm.trees.filter(({ features }) => (features[0] ?? -1) < 0)
        expect(leaves.length === 0 ? reported : logOdds).toBeCloseTo(logOdds, 6)
        for (const scriptClass of CLASSES) {
          expect(Number.isFinite(weigh(scriptClass, row))).toBe(true)
          const score = calibrate(scriptClass, logOdds)
          expect(Number.isInteger(score) && score >= 1 && score <= 99).toBe(true)
        }
      }),
    )
  })

  test('scores less, the greater the odds', () => {
    for (const scriptClass of CLASSES) {
      const scores = Array.from({ length: 400 }, (_, i) => calibrate(scriptClass, (i - 200) / 10))
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      expect(scores[0]).toBe(99)
      expect(scores.at(-1)).toBe(1)
    }
  })
})
