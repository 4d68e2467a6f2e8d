// What is done with member zones, and what is held.
import { runAtOnce } from '@zonereeve/cooperate'
import { parseName, type Name } from '@zonereeve/dns'
import { expect, test } from 'vitest'
import { isLossHeld, lossOfMembers, planMembers, type MemberZone, type OtherZone } from './plan-members.ts'
import type { CatalogEntry } from './read-catalog.ts'

const CATALOG = parseName('catalog.example')
const OTHER = parseName('other.example')

const entry = (label: string, zone: string, more: Partial<CatalogEntry> = {}): CatalogEntry => ({
  label,
  zone: parseName(zone),
  groups: [],
  newOwner: null,
  ...more,
})
const own = (label: string, name: string, settings = 'default'): MemberZone => ({
  zoneId: `id of ${name}`,
  name: parseName(name),
  label,
  settings,
})
const byLabel = (entries: readonly CatalogEntry[]) => new Map(entries.map((each) => [each.label, each]))

function plan(
  entries: readonly CatalogEntry[],
  zones: readonly MemberZone[],
  others: Record<string, Omit<OtherZone, 'zoneId'>> = {},
) {
  const { steps, conflicts } = runAtOnce(
    planMembers({
      name: CATALOG,
      entries: byLabel(entries),
      own: zones,
      others: new Map(
        Object.entries(others).map(([name, zone]) => [name as Name, { zoneId: `id of ${name}`, ...zone }]),
      ),
      settingsFor: ({ groups }) => groups[0] ?? 'default',
      nameProblem: (name) => (name === 'bad.example' ? 'the name is taken' : undefined),
    }),
  )
  const described = steps.map((step) =>
    'zoneId' in step
      ? `${step.kind} ${step.zoneId.slice('id of '.length)}`
      : `${step.kind} ${step.entry.zone}`,
  )
  return [...described, ...conflicts.map(({ zone, problem }) => `conflict ${zone}: ${problem}`)]
}

const ofOther = (newOwner: Name | null, label = 'm1') => ({ catalog: OTHER, label, newOwner })
const BY_HAND = { catalog: undefined, label: undefined, newOwner: null }

test.each<[string, string[], string[]]>([
  ['nothing to do', plan([entry('m1', 'a.example')], [own('m1', 'a.example')]), []],
  ['a new member', plan([entry('m1', 'a.example')], []), ['create a.example']],
  ['a member that left', plan([], [own('m1', 'a.example')]), ['remove a.example']],
  [
    'another label for the zone',
    plan([entry('m2', 'a.example')], [own('m1', 'a.example')]),
    ['reset a.example'],
  ],
  [
    'another zone for the label',
    plan([entry('m1', 'b.example')], [own('m1', 'a.example')]),
    ['remove a.example', 'create b.example'],
  ],
  [
    'another group',
    plan([entry('m1', 'a.example', { groups: ['internal'] })], [own('m1', 'a.example')]),
    ['configure a.example'],
  ],
  [
    'a zone made by hand is not taken over',
    plan([entry('m1', 'a.example')], [], { 'a.example': BY_HAND }),
    ['conflict a.example: the zone exists already, and was not created by a catalog zone'],
  ],
  [
    'a zone of another catalog zone is not taken over',
    plan([entry('m1', 'a.example')], [], { 'a.example': ofOther(null) }),
    [
      'conflict a.example: the zone is a member of the catalog zone other.example, which does not give it away (coo)',
    ],
  ],
  [
    'nor one that is given to a third',
    plan([entry('m1', 'a.example')], [], { 'a.example': ofOther(parseName('third.example')) }),
    [
      'conflict a.example: the zone is a member of the catalog zone other.example, which does not give it away (coo)',
    ],
  ],
  [
    'a change of ownership with the same label keeps the state',
    plan([entry('m1', 'a.example')], [], { 'a.example': ofOther(CATALOG) }),
    ['takeOver a.example'],
  ],
  [
    'with another label it resets the zone',
    plan([entry('m7', 'a.example')], [], { 'a.example': ofOther(CATALOG) }),
    ['reset a.example'],
  ],
  [
    'what was given away is left alone',
    plan([entry('m1', 'a.example', { newOwner: OTHER })], [], { 'a.example': ofOther(null) }),
    [],
  ],
  [
    'what may be given away stays until it is taken',
    plan([entry('m1', 'a.example', { newOwner: OTHER })], [own('m1', 'a.example')]),
    [],
  ],
  [
    'a name that no zone can have',
    plan([entry('m1', 'bad.example')], []),
    ['conflict bad.example: the name is taken'],
  ],
  [
    'removals come first',
    plan(
      [entry('m1', 'a.example'), entry('m3', 'c.example')],
      [own('m2', 'b.example'), own('m4', 'c.example')],
    ),
    ['remove b.example', 'reset c.example', 'create a.example'],
  ],
])('%s', (_name, actual, expected) => {
  expect(actual).toEqual(expected)
})

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => entry(`m${from + index}`, `z${from + index}.example`))

test.each<[string, number, CatalogEntry[], boolean]>([
  ['ten of ten', 10, [], false],
  ['eleven of eleven', 11, [], true],
  ['eleven of 22: half is not more than half', 22, many(11), false],
  ['twelve of 22', 22, many(10), true],
  ['replaced by as many others', 20, many(20, 100), true],
  [
    'the same zones with other labels',
    20,
    many(20).map((each) => ({ ...each, label: `${each.label}x` })),
    true,
  ],
  ['nothing', 20, many(25), false],
])('losing %s', (_name, before, after, expected) => {
  const entries = many(before)
  const zones = entries.map(({ label, zone }) => own(label, zone))
  const loss = runAtOnce(lossOfMembers({ own: zones, given: [] }, byLabel(entries), byLabel(after)))
  expect(loss.members).toBe(before)
  expect(isLossHeld(loss)).toBe(expected)
})

test('zones that are about to change already are not counted again', () => {
  const entries = many(20).map((each) => ({ ...each, label: `${each.label}x` }))
  const zones = many(20).map(({ label, zone }) => own(label, zone))
  expect(runAtOnce(lossOfMembers({ own: zones, given: [] }, byLabel(entries), byLabel(entries)))).toEqual({
    members: 0,
    removed: [],
    reset: [],
  })
})

test.each<[string, number, string, number]>([
  ['with the same labels', 0, '', 0],
  ['with other labels', 0, 'x', 20],
  ['with other labels, beside as many of its own', 20, 'x', 20],
])('20 zones that another catalog zone gives, %s', (_name, members, suffix, reset) => {
  const mine = many(members, 100)
  const others = many(20)
  const after = [...mine, ...others.map((each) => ({ ...each, label: `${each.label}${suffix}` }))]
  const zones = {
    own: mine.map(({ label, zone }) => own(label, zone)),
    given: [...others, entry('m99', 'unlisted.example')].map(({ label, zone }) => own(label, zone)),
  }
  const loss = runAtOnce(lossOfMembers(zones, byLabel(mine), byLabel(after)))
  expect([loss.members, loss.removed.length, loss.reset.length]).toEqual([members + 20, 0, reset])
  expect(isLossHeld(loss)).toBe(members === 0 && reset > 0)
  expect(runAtOnce(lossOfMembers(zones, byLabel(after), byLabel(after))).reset).toEqual([])
})
