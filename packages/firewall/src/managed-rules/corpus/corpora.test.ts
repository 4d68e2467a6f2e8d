// The managed rulesets and the legacy WAF at their defaults, over hundreds of ordinary requests and hundreds of
// attacks.
import { describe, expect, test } from 'vitest'
import { DEFAULT_LEGACY_CONFIGURATION, type LegacyConfiguration } from '../../legacy/legacy-configuration.ts'
import { decideLegacy } from '../../legacy/legacy-decision.ts'
import { LEGACY_ALWAYS_ON } from '../../legacy/legacy-packages.ts'
import { inspectSample } from '../request-sample.cases.ts'
import { ATTACK_REQUESTS } from './attack-requests.cases.ts'
import { BENIGN_REQUESTS } from './benign-requests.cases.ts'
import { findNew, isBlocked, PARANOIA_LEVELS } from './new-product.cases.ts'
import { ORDINARY_REQUESTS } from './ordinary-requests.cases.ts'

const benign = BENIGN_REQUESTS.map(({ kind, name, request }) => ({
  name: `${kind}: ${name}`,
  inspected: inspectSample(request),
}))

describe('ordinary requests', () => {
  test('there are more than five hundred, all different', () => {
    expect(benign.length).toBeGreaterThanOrEqual(500)
    expect(new Set(BENIGN_REQUESTS.map(({ request }) => JSON.stringify(request))).size).toBe(benign.length)
  })

  test('none is refused by the managed rulesets at their defaults', () => {
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

  test.each(['high', 'medium', 'low'] as const)('none is stopped by the legacy WAF at %s', (sensitivity) => {
    const configuration = {
      ...DEFAULT_LEGACY_CONFIGURATION,
      packages: { sensitivity, actionMode: 'block' as const },
    }
    const stopped = benign.flatMap(({ name, inspected }) => {
      const { action, ruleId, total } = decideLegacy(configuration, inspected)
      return action === 'block' || action === 'challenge' ? [{ name, action, ruleId, total }] : []
    })
    expect(stopped).toEqual([])
  })
})

describe('ordinary requests with words that occur in attacks', () => {
  const inspected = ORDINARY_REQUESTS.map(({ kind, name, request }) => ({
    name: `${kind}: ${name}`,
    request: inspectSample(request),
  }))

  test('there are more than 1,500, all different', () => {
    expect(inspected.length).toBeGreaterThanOrEqual(1_500)
    expect(new Set(ORDINARY_REQUESTS.map(({ request }) => JSON.stringify(request))).size).toBe(
      inspected.length,
    )
  })

  test('none is refused by a rule of the managed ruleset or by its score', () => {
    const refused = inspected.flatMap(({ name, request }) => {
      const found = findNew(request)
      const by = found.refusing.map(({ description }) => description)
      return isBlocked(found) ? [{ name, by, scores: found.scores }] : []
    })
    expect(refused).toEqual([])
  })

  test('none is stopped by the legacy WAF at its default', () => {
    const stopped = inspected.flatMap(({ name, request }) => {
      const { action, ruleId, total } = decideLegacy(DEFAULT_LEGACY_CONFIGURATION, request)
      return action === 'block' || action === 'challenge' ? [{ name, action, ruleId, total }] : []
    })
    expect(stopped).toEqual([])
  })
})

describe('attacks', () => {
  const kinds = [...new Set(ATTACK_REQUESTS.map(({ kind }) => kind))]
  const blocked = ATTACK_REQUESTS.filter(({ request }) => isBlocked(findNew(inspectSample(request))))

  test('there are more than three hundred, and nine of ten are blocked by the managed rulesets at their defaults', () => {
    expect(ATTACK_REQUESTS.length).toBeGreaterThanOrEqual(300)
    expect(blocked.length / ATTACK_REQUESTS.length).toBeGreaterThanOrEqual(0.9)
  })

  test.each(kinds)('three of four are blocked: %s', (expected) => {
    const ofKind = ATTACK_REQUESTS.filter(({ kind }) => kind === expected)
    const share = blocked.filter(({ kind }) => kind === expected).length / ofKind.length
    expect(ofKind.length).toBeGreaterThan(0)
    expect(share).toBeGreaterThanOrEqual(0.75)
  })

  test('the legacy WAF stops as many, and none if it is off', () => {
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
