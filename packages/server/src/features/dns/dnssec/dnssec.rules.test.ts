// The lifecycle of keys against a model of resolver caches: no step may make anything invalid that a cache may still
// hold.
import type { Ds } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  advance,
  dueAt,
  entryPoint,
  isInKeySet,
  KEY_TTL_SECONDS,
  MAX_TTL_SECONDS,
  movingKey,
  nextStatus,
  withParent,
  type DnssecStatus,
  type Facts,
  type ParentView,
  type SigningState,
  type ZoneKey,
} from './dnssec.rules.ts'

interface NumberedKey extends ZoneKey {
  readonly tag: number
}
type State = SigningState<NumberedKey>

/** Keys of the other algorithm have tags from here on. */
const FIRST_OTHER_TAG = 1000
const algorithmOf = (tag: number): number => (tag < FIRST_OTHER_TAG ? 13 : 15)
const dsWith = (tag: number): Ds => ({
  keyTag: tag,
  algorithm: algorithmOf(tag),
  digestType: 2,
  digest: new Uint8Array(32),
})
const dsOf = ({ tag }: NumberedKey): Ds => dsWith(tag)
const parentWith = (tags: readonly number[], ttlSeconds = 3600): ParentView => ({
  kind: 'known',
  ds: tags.map(dsWith),
  ttlSeconds,
})
const HOUR_MILLIS = 3_600_000
const PROPAGATION_SECONDS = 12_400

const key = (
  role: 'ksk' | 'zsk',
  tag: number,
  state: ZoneKey['state'] = 'active',
  sinceMillis = 0,
): NumberedKey => ({
  id: `${role} ${tag}`,
  role,
  tag,
  algorithm: algorithmOf(tag),
  state,
  sinceMillis,
})
const facts = (nowMillis: number, parent: ParentView = { kind: 'unknown' }): Facts<NumberedKey> => ({
  nowMillis,
  parent,
  dsOf,
  propagationSeconds: PROPAGATION_SECONDS,
})
const FIRST: State = {
  status: 'active',
  dsGoneMillis: null,
  dsTtlSeconds: null,
  keys: [key('ksk', 1), key('zsk', 2)],
}
const statesOf = ({ keys }: State): string => keys.map(({ tag, state }) => `${tag} ${state}`).join(', ')

describe('statuses', () => {
  const EVENTS = ['enable', 'ds_seen', 'disable', 'disable_unseen', 'ds_expired'] as const
  const STATUSES: DnssecStatus[] = ['disabled', 'pending', 'active', 'pending-disabled']

  const reachable = (from: DnssecStatus): Set<DnssecStatus> => {
    const found = new Set([from])
    for (const status of found)
      for (const event of EVENTS) {
        const next = nextStatus(status, event)
        if (next !== undefined) found.add(next)
      }
    return found
  }

  test.each(STATUSES)('%s is reached from disabled, and disabled from it', (status) => {
    expect(reachable('disabled')).toContain(status)
    expect(reachable(status)).toContain('disabled')
  })

  test.each([
    ['pending, parent unknown', 'pending', undefined, 'pending'],
    ['pending, no DS', 'pending', [], 'pending'],
    ['pending, a foreign DS', 'pending', [9], 'pending'],
    ['pending, our DS', 'pending', [1], 'active'],
    ['active, the DS is gone: still signed', 'active', [], 'active'],
    ['pending-disabled, the DS is there', 'pending-disabled', [1], 'pending-disabled'],
    ['disabled, whatever the parent has', 'disabled', [1], 'disabled'],
  ] as const)('%s', (_, status, tags, expected) => {
    const parent = tags === undefined ? undefined : parentWith(tags)
    expect(advance({ ...FIRST, status }, facts(0, parent)).status).toBe(expected)
  })

  test('signing ends when the DS has been gone for longer than any cache may hold it', () => {
    const state: State = { ...FIRST, status: 'pending-disabled' }
    const gone = advance(state, facts(1000, parentWith([])))
    expect([gone.status, gone.dsGoneMillis]).toEqual(['pending-disabled', 1000])
    const end = 1000 + MAX_TTL_SECONDS * 1000
    expect(advance(gone, facts(end - 1, parentWith([])))).toBe(gone)
    expect(advance(gone, facts(end))).toBe(gone)
    expect(advance(gone, facts(end, parentWith([]))).status).toBe('disabled')
    expect(advance(gone, facts(end, parentWith([1]))).dsGoneMillis).toBeNull()
    expect(advance(gone, facts(end, parentWith([], 172_800))).status).toBe('pending-disabled')
  })
})

describe('the TTL of the parent’s DS', () => {
  const leaving: State = { ...FIRST, status: 'pending-disabled' }

  test.each([
    ['a day', 86_400, null],
    ['a second more: rounded up to the next hour', 86_401, 90_000],
    ['two days', 172_800, 172_800],
  ])('of %s is stored only if it exceeds the default', (_, ttlSeconds, expected) => {
    expect(advance(leaving, facts(0, parentWith([1], ttlSeconds))).dsTtlSeconds).toBe(expected)
  })

  test('that counts down in a cache, or is unknown, is unchanged', () => {
    const known = advance(leaving, facts(0, parentWith([1], 172_800)))
    expect(advance(known, facts(1, parentWith([1], 172_740)))).toBe(known)
    expect(advance(known, facts(2))).toBe(known)
    expect(advance(known, facts(3, parentWith([1], 259_200))).dsTtlSeconds).toBe(259_200)
  })

  test('is kept when the DS is gone and no longer visible; an unsigned zone has none', () => {
    const known = advance(leaving, facts(0, parentWith([1], 172_800)))
    const gone = advance(known, facts(1000, parentWith([], 900)))
    const end = 1000 + 172_800_000
    expect(advance(gone, facts(end - 1, parentWith([], 900)))).toBe(gone)
    expect(advance(gone, facts(end, parentWith([], 900)))).toMatchObject({
      status: 'disabled',
      dsGoneMillis: null,
      dsTtlSeconds: null,
    })
  })

  test('is kept for an entry point that the parent has replaced', () => {
    const rolling: State = { ...FIRST, keys: [...FIRST.keys, key('ksk', 3, 'ready')] }
    const known = advance(rolling, facts(0, parentWith([1], 172_800)))
    const taken = advance(known, facts(1000, parentWith([3], 3600)))
    const end = 1000 + (172_800 + PROPAGATION_SECONDS) * 1000
    expect(advance(taken, facts(end - 1, parentWith([3], 3600)))).toBe(taken)
    expect(statesOf(advance(taken, facts(end, parentWith([3], 3600))))).toBe('2 active, 3 active')
  })
})

describe('keys', () => {
  test('a ZSK rollover depends on time alone', () => {
    const rolling: State = { ...FIRST, keys: [...FIRST.keys, key('zsk', 3, 'published')] }
    const end = (MAX_TTL_SECONDS + PROPAGATION_SECONDS) * 1000
    expect(advance(rolling, facts(end - 1))).toBe(rolling)
    expect(statesOf(advance(rolling, facts(end)))).toBe('1 active, 3 active')
  })

  test('a KSK rollover waits until the parent has the new DS', () => {
    let state: State = { ...FIRST, keys: [...FIRST.keys, key('ksk', 3, 'published')] }
    expect(entryPoint(state.keys)?.tag).toBe(1)
    expect(advance(state, facts(0, parentWith([1, 3])))).toBe(state)
    const known = (KEY_TTL_SECONDS + PROPAGATION_SECONDS) * 1000
    state = advance(state, facts(known, parentWith([1])))
    expect([statesOf(state), entryPoint(state.keys)?.tag]).toEqual(['1 active, 2 active, 3 ready', 3])
    expect(advance(state, facts(known * 100, parentWith([1])))).toBe(state)
    state = advance(state, facts(known + 1, parentWith([3])))
    expect([statesOf(state), entryPoint(state.keys)?.tag]).toEqual(['1 outgoing, 2 active, 3 active', 3])
    const forgotten = known + 1 + (MAX_TTL_SECONDS + PROPAGATION_SECONDS) * 1000
    expect(advance(state, facts(forgotten - 1, parentWith([3])))).toBe(state)
    expect(statesOf(advance(state, facts(forgotten, parentWith([3]))))).toBe('2 active, 3 active')
  })

  test('an algorithm rollover: signatures first and last, and the parent in between', () => {
    const news = [key('ksk', 1003, 'signing'), key('zsk', 1004, 'signing')]
    let state: State = { ...FIRST, keys: [...FIRST.keys, ...news] }
    let now = 0
    const reported: string[] = []
    const wait = (seconds: number, parent: ParentView): void => {
      const end = now + seconds * 1000
      expect(advance(state, facts(end - 1, parent))).toBe(state)
      expect(state.keys.map((each) => dueAt(each, state, facts(now, parent)))).toContain(end)
      now = end
      take(parent)
    }
    const take = (parent: ParentView): void => {
      state = advance(state, facts(now, parent))
      reported.push(`${statesOf(state)}: ${entryPoint(state.keys)?.tag}`)
    }
    wait(MAX_TTL_SECONDS + PROPAGATION_SECONDS, parentWith([1]))
    wait(KEY_TTL_SECONDS + PROPAGATION_SECONDS, parentWith([1]))
    now += 1
    take(parentWith([1003]))
    wait(MAX_TTL_SECONDS + PROPAGATION_SECONDS, parentWith([1003]))
    wait(KEY_TTL_SECONDS + PROPAGATION_SECONDS, parentWith([1003]))
    expect(reported).toEqual([
      '1 active, 2 active, 1003 published, 1004 published: 1',
      '1 active, 2 active, 1003 ready, 1004 ready: 1003',
      '1 outgoing, 2 outgoing, 1003 active, 1004 active: 1003',
      '1 withdrawn, 2 withdrawn, 1003 active, 1004 active: 1003',
      '1003 active, 1004 active: 1003',
    ])
    expect(advance(state, facts(Number.MAX_SAFE_INTEGER, parentWith([1003])))).toBe(state)
  })

  test('keys of an algorithm that were created one after the other advance together', () => {
    const news = [key('ksk', 1003, 'signing', 1), key('zsk', 1004, 'signing', 2)]
    const state: State = { ...FIRST, keys: [...FIRST.keys, ...news] }
    const due = (MAX_TTL_SECONDS + PROPAGATION_SECONDS) * 1000 + 2
    expect(news.map((each) => dueAt(each, state, facts(0)))).toEqual([due, due])
    expect(advance(state, facts(due - 1))).toBe(state)
    expect(statesOf(advance(state, facts(due)))).toMatch(/1003 published, 1004 published$/)
  })

  test.each([
    ['an unknown parent', undefined],
    ['no DS', []],
    ['the old one', [1]],
    ['both', [1, 1003]],
    ['the new one, and another of the old algorithm', [9, 1003]],
    ['another of the new algorithm', [1009]],
  ])('new keys wait until the parent has only their DS: %s', (_, tags) => {
    const news = [key('ksk', 1003, 'ready'), key('zsk', 1004, 'ready')]
    const state: State = { ...FIRST, keys: [...FIRST.keys, ...news] }
    const parent = tags === undefined ? undefined : parentWith(tags)
    expect(advance(state, facts(MAX_TTL_SECONDS * 100_000, parent))).toBe(state)
  })

  test('a DS of the old algorithm that reappears restarts the wait of the old keys', () => {
    const olds = [key('ksk', 1, 'outgoing'), key('zsk', 2, 'outgoing')]
    const state: State = { ...FIRST, keys: [...olds, key('ksk', 1003), key('zsk', 1004)] }
    const due = (MAX_TTL_SECONDS + PROPAGATION_SECONDS) * 1000
    const remaining = advance(state, facts(due, parentWith([1, 1003])))
    expect(remaining.keys.map(({ sinceMillis }) => sinceMillis)).toEqual([due, due, 0, 0])
    expect(advance(remaining, facts(2 * due - 1, parentWith([1003])))).toBe(remaining)
    expect(statesOf(advance(remaining, facts(2 * due, parentWith([1003]))))).toMatch(
      /^1 withdrawn, 2 withdrawn,/,
    )
  })

  test('an unsigned zone waits for nothing', () => {
    const state: State = { ...FIRST, status: 'disabled', keys: [...FIRST.keys, key('zsk', 3, 'published')] }
    expect(advance(state, facts(Number.MAX_SAFE_INTEGER, parentWith([])))).toBe(state)
  })
})

/** Everything that is published in one hour and that a resolver could fetch then. */
interface Published {
  /** KSKs in the key set, all of which sign. */
  readonly entryPoints: readonly number[]
  readonly zoneKeys: readonly number[]
  /** ZSKs that sign, including those that are not in the key set. */
  readonly signers: readonly number[]
  readonly isSigned: boolean
  readonly ds: readonly number[]
}

type Action = 'roll zsk' | 'roll ksk' | 'roll algorithm' | 'disable' | 'enable' | 'parent follows' | 'nothing'
const ACTIONS: Action[] = [
  'roll zsk',
  'roll ksk',
  'roll algorithm',
  'disable',
  'enable',
  'parent follows',
  'parent follows',
  'nothing',
  'nothing',
  'nothing',
]
/** TTL of the parent's DS, and of its negative answer for it. */
const DS_TTL_HOURS = [1, 24, 48]
const NO_DS_TTL_SECONDS = 900
const ACCEPTED_HOURS = 72
const KEY_TTL_HOURS = KEY_TTL_SECONDS / 3600
const DATA_TTL_HOURS = MAX_TTL_SECONDS / 3600

test('at any time, a resolver with anything in its cache can validate', () => {
  let rolled = 0
  let exchanged = 0
  let ended = 0
  const steps = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.integer({ min: 1, max: 40 })), {
    minLength: 10,
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, fc.nat(3), fc.constantFrom(...DS_TTL_HOURS), (actions, lagHours, dsTtlHours) => {
      const history = play(actions, dsTtlHours)
      rolled +=
        new Set(history.flatMap(({ zoneKeys, entryPoints }) => [...zoneKeys, ...entryPoints])).size - 2
      // Signatures of the old algorithm are removed last.
      const algorithms = history.map(({ signers }) => new Set(signers.map(algorithmOf)).size)
      exchanged += algorithms.filter((count, hour) => count < (algorithms[hour - 1] ?? 1)).length
      ended += Number(history.some(({ isSigned }) => !isSigned))
      for (let now = 0; now < history.length; now += 1) expectValid(history, now, { lagHours, dsTtlHours })
    }),
    { numRuns: 60 },
  )
  expect(rolled).toBeGreaterThan(100)
  expect(exchanged).toBeGreaterThan(2)
  expect(ended).toBeGreaterThan(5)
})

/** Published data hour by hour, while these actions happen, each the given number of hours after the previous one. */
function play(actions: readonly (readonly [Action, number])[], dsTtlHours: number): Published[] {
  const history: Published[] = []
  let state = FIRST
  let parent: readonly number[] = [1]
  let tag = 2
  const newTag = (algorithm: number): number => (tag += 1) + (algorithm === 15 ? FIRST_OTHER_TAG : 0)
  const view = (): ParentView => parentWith(parent, parent.length > 0 ? dsTtlHours * 3600 : NO_DS_TTL_SECONDS)
  for (const [action, hours] of actions) {
    const nowMillis = history.length * HOUR_MILLIS
    const isSigned = state.status !== 'disabled'
    const role = action === 'roll zsk' ? 'zsk' : 'ksk'
    const algorithm = state.keys[0]?.algorithm ?? 13
    if ((action === 'roll zsk' || action === 'roll ksk') && isSigned && !movingKey(state.keys, role))
      state = { ...state, keys: [...state.keys, key(role, newTag(algorithm), 'published', nowMillis)] }
    if (action === 'roll algorithm' && isSigned && !movingKey(state.keys, 'algorithm')) {
      const fresh = (of: 'ksk' | 'zsk') => key(of, newTag(algorithm === 13 ? 15 : 13), 'signing', nowMillis)
      state = { ...state, keys: [...state.keys, fresh('ksk'), fresh('zsk')] }
    }
    if (action === 'disable')
      state = { ...withParent(state, view()), status: nextStatus(state.status, 'disable') ?? state.status }
    if (action === 'enable') {
      const status = nextStatus(state.status, 'enable') ?? state.status
      state = { ...state, status, dsGoneMillis: null }
    }
    // The parent follows CDS whenever it looks. Before it trusts a zone for the first time, it has seen it signed for
    // a while (RFC 8078 §3.3): until then caches hold unsigned data.
    const unsignedAt = history.findLastIndex(({ isSigned }) => !isSigned)
    const mayTrust = parent.length > 0 || unsignedAt === -1 || history.length - unsignedAt > ACCEPTED_HOURS
    if (action === 'parent follows' && state.status !== 'disabled' && mayTrust)
      parent = state.status === 'pending-disabled' ? [] : [entryPoint(state.keys)?.tag ?? 0]
    for (let hour = 0; hour < hours; hour += 1) {
      // The parent is not queried for a zone that waits for nothing.
      const isWaiting = state.status !== 'active' || state.keys.some((each) => each.state !== 'active')
      if (isWaiting) state = advance(state, facts(history.length * HOUR_MILLIS, view()))
      const tags = (expected: string) =>
        state.keys.filter((each) => each.role === expected && isInKeySet(each)).map((each) => each.tag)
      history.push({
        entryPoints: tags('ksk'),
        zoneKeys: tags('zsk'),
        signers: state.keys.filter((each) => each.role === 'zsk').map((each) => each.tag),
        isSigned: state.status !== 'disabled',
        ds: parent,
      })
    }
  }
  return history
}

/**
 * Checks every combination of a DS, a key set and data that a resolver can hold at that hour, each from any server.
 * As strict as possible: each algorithm of the DS must have a trusted key, and each of the keys a signature (RFC 4035
 * §2.2).
 */
function expectValid(
  history: readonly Published[],
  now: number,
  { lagHours, dsTtlHours }: { readonly lagHours: number; readonly dsTtlHours: number },
): void {
  const within = (hours: number): Published[] => history.slice(Math.max(0, now - hours), now + 1)
  const distinct = (published: readonly Published[]): Published[] => [
    ...new Map(published.map((each) => [JSON.stringify(each), each])).values(),
  ]
  for (const { ds } of distinct(within(dsTtlHours))) {
    // Without a DS nothing is validated.
    if (ds.length === 0) continue
    for (const keys of distinct(within(KEY_TTL_HOURS + lagHours))) {
      expect({
        now,
        isSigned: keys.isSigned,
        trusts: covers(
          ds,
          keys.entryPoints.filter((tag) => ds.includes(tag)),
        ),
      }).toEqual({
        now,
        isSigned: true,
        trusts: true,
      })
      for (const data of distinct(within(DATA_TTL_HOURS + lagHours))) {
        const signers = data.signers.filter((tag) => keys.zoneKeys.includes(tag))
        const isValid = data.isSigned && covers([...keys.zoneKeys, ...keys.entryPoints], signers)
        expect({ now, isValid }).toEqual({ now, isValid: true })
      }
    }
  }
}

/** Whether there is one of each algorithm. */
const covers = (algorithms: readonly number[], tags: readonly number[]): boolean =>
  algorithms.every((expected) => tags.some((tag) => algorithmOf(tag) === algorithmOf(expected)))
