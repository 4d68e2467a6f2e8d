// Both products at their defaults, over hundreds of ordinary requests and hundreds of attacks.
import { describe, expect, test } from 'vitest'
import { DEFAULT_LEGACY_CONFIGURATION, type LegacyConfiguration } from '../legacy-configuration.ts'
import { decideLegacy, LEGACY_ALWAYS_ON } from '../legacy-decision.rules.ts'
import { inspectSample } from '../request-sample.ts'
import { ATTACK_REQUESTS } from './attack-requests.cases.ts'
import { BENIGN_REQUESTS } from './benign-requests.cases.ts'
import { findNew, isBlocked, PARANOIA_LEVELS } from './new-product.cases.ts'

const benign = BENIGN_REQUESTS.map(({ kind, name, request }) => ({
  name: `${kind}: ${name}`,
  inspected: inspectSample(request),
}))

describe('ordinary requests', () => {
  test('there are more than five hundred, each once', () => {
    expect(benign.length).toBeGreaterThanOrEqual(500)
    expect(new Set(BENIGN_REQUESTS.map(({ request }) => JSON.stringify(request))).size).toBe(benign.length)
  })

  test('none is refused by the new product at its default', () => {
    const refused = benign.flatMap(({ name, inspected }) => {
      const found = findNew(inspected)
      const by = found.refusing.map(({ description }) => description)
      return isBlocked(found) ? [{ name, by, scores: found.scores }] : []
    })
    expect(refused).toEqual([])
  })

  test('none reaches the lowest threshold at any paranoia level', () => {
    const highest = benign.map(({ name, inspected }) => ({ name, scores: findNew(inspected).scores }))
    expect(highest.filter(({ scores }) => PARANOIA_LEVELS.some((level) => scores[level] >= 25))).toEqual([])
  })

  test.each(['high', 'medium', 'low'] as const)(
    'none is stopped by the previous product at %s',
    (sensitivity) => {
      const configuration = {
        ...DEFAULT_LEGACY_CONFIGURATION,
        packages: { sensitivity, actionMode: 'block' as const },
      }
      const stopped = benign.flatMap(({ name, inspected }) => {
        const { action, ruleId, total } = decideLegacy(configuration, inspected)
        return action === 'block' || action === 'challenge' ? [{ name, action, ruleId, total }] : []
      })
      expect(stopped).toEqual([])
    },
  )
})

describe('attacks', () => {
  const kinds = [...new Set(ATTACK_REQUESTS.map(({ kind }) => kind))]
  const blocked = ATTACK_REQUESTS.filter(({ request }) => isBlocked(findNew(inspectSample(request))))

  test('there are more than three hundred, and nine of ten are blocked by the new product at its default', () => {
    expect(ATTACK_REQUESTS.length).toBeGreaterThanOrEqual(300)
    expect(blocked.length / ATTACK_REQUESTS.length).toBeGreaterThanOrEqual(0.9)
  })

  test.each(kinds)('three of four are blocked: %s', (wanted) => {
    const ofKind = ATTACK_REQUESTS.filter(({ kind }) => kind === wanted)
    const share = blocked.filter(({ kind }) => kind === wanted).length / ofKind.length
    expect(ofKind.length).toBeGreaterThan(0)
    expect(share).toBeGreaterThanOrEqual(0.75)
  })

  test('the previous product stops as many, and none of them where it is off', () => {
    const stops = (configuration: LegacyConfiguration): number =>
      ATTACK_REQUESTS.filter(({ request }) => {
        const { action } = decideLegacy(configuration, inspectSample(request))
        return action === 'block' || action === 'challenge'
      }).length
    expect(stops(DEFAULT_LEGACY_CONFIGURATION) / ATTACK_REQUESTS.length).toBeGreaterThanOrEqual(0.85)
    const ruleModes = new Map([...LEGACY_ALWAYS_ON].map((id) => [id, 'disable' as const]))
    expect(stops({ ...DEFAULT_LEGACY_CONFIGURATION, wafOn: false, ruleModes })).toBe(0)
  })
})
