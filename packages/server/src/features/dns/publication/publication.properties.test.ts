import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWorld, EDGE, STANDARD, type Outside, type World, type WorldSettings } from './world.cases.ts'

const ZONES = ['example.com', 'b.example.com', 'example.org']
const NAMES = ['@', 'a', 'b', '*', 'x.b', '*.b', 'y.x.b']
const OUTSIDE: Outside = {
  'cdn.example.net': ['70 A 203.0.113.1', '60 AAAA 2001:db8::9'],
  'back.example.net': ['50 CNAME a.example.org'],
  'gone.example.net': 'no',
  'bad.example.net': 'fail',
}
const TARGETS = [
  ...Object.keys(OUTSIDE),
  'example.com',
  'a.example.com',
  'z.example.com',
  'x.b.example.com',
  'q.x.b.example.com',
  'y.x.b.example.com',
  'a.example.org',
  'z.b.example.org',
  'example.org',
]
const QUESTIONS = [
  ...new Set([...TARGETS, ...ZONES.flatMap((zone) => NAMES.map((name) => absolute(name, zone)))]),
]
  .filter((name) => !name.startsWith('*'))
  .flatMap((name) => ['A', 'AAAA', 'CNAME', 'HTTPS', 'TXT', 'NS'].map((type) => `${name} ${type}`))

/** Possible contents of one name: the text after the name. */
const content = fc.oneof(
  fc.constant([]),
  fc.constantFrom(
    ['60 TXT "v"'],
    ['60 A 192.0.2.1'],
    ['60 A 192.0.2.1', '50 AAAA 2001:db8::1'],
    ['60 NS ns.example.net.'],
  ),
  fc.constantFrom(
    ['300 A 192.0.2.1 ; proxied'],
    ['300 A 192.0.2.1 ; proxied ipv4', '60 A 192.0.2.2'],
    ['300 AAAA 2001:db8::1 ; proxied ipv6', '60 HTTPS 1 .'],
  ),
  fc
    .tuple(
      fc.constantFrom(...TARGETS),
      fc.constantFrom('', ' ; flatten', ' ; proxied', ' ; flatten'),
      fc.boolean(),
    )
    .map(([target, words, hasText]) => [`300 CNAME ${target}.${words}`, ...(hasText ? ['60 TXT "t"'] : [])]),
)

const settings: fc.Arbitrary<Partial<WorldSettings>> = fc.record({
  flattenAllCnames: fc.boolean(),
  zoneMode: fc.constantFrom(
    'standard' as const,
    'standard' as const,
    'cdn_only' as const,
    'dns_only' as const,
  ),
  http2: fc.boolean(),
  multiProvider: fc.boolean(),
})

const zone = fc.constantFrom(...ZONES)
const change = fc.array(fc.tuple(fc.constantFrom(...NAMES), content), { minLength: 1, maxLength: 4 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('change' as const), zone, change }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('configure' as const), zone, settings }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('toggle' as const), zone }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), zone }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Model {
  readonly settings: WorldSettings
  readonly names: ReadonlyMap<string, readonly string[]>
}

test.each([
  ['with an edge', EDGE],
  ['without', []],
])('after any changes the answers equal those of a fresh load, %s', async (_, edge) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const world = createWorld({ edge, outside: OUTSIDE })
      const model = new Map<string, Model>()
      for (const each of [...ZONES.map((name) => ({ kind: 'toggle' as const, zone: name })), ...steps]) {
        await perform(world, model, each)
      }
      await world.pass()
      const fresh = createWorld({ edge, outside: OUTSIDE })
      for (const [apex, zone] of model) fresh.load({ [apex]: linesOf(zone) }, zone.settings)
      await fresh.pass()
      expect(answersOf(world)).toEqual(answersOf(fresh))
    }),
    { numRuns: 60 },
  )
})

async function perform(world: World, model: Map<string, Model>, each: Step): Promise<void> {
  const before = model.get(each.zone)
  if (each.kind === 'pass') return world.pass()
  if (each.kind === 'toggle') {
    if (before === undefined) {
      model.set(each.zone, { settings: STANDARD, names: new Map() })
      world.load({ [each.zone]: [] }, STANDARD)
    } else {
      model.delete(each.zone)
      world.remove(each.zone)
    }
  } else if (before !== undefined && each.kind === 'configure') {
    model.set(each.zone, { ...before, settings: { ...before.settings, ...each.settings } })
    world.configure(each.zone, each.settings)
  } else if (before !== undefined && each.kind === 'change') {
    const expected = new Map(each.change)
    const after = { ...before, names: new Map([...before.names, ...expected]) }
    model.set(each.zone, after)
    world.change(
      each.zone,
      linesOf({
        ...before,
        names: new Map([...expected.keys()].map((name) => [name, before.names.get(name) ?? []])),
      }),
      linesOf({ ...before, names: expected }),
    )
  }
}

const linesOf = ({ names }: Model): string[] =>
  [...names].flatMap(([name, lines]) => lines.map((line) => `${name} ${line}`))

/** Serials count changes, so they differ; everything else must be equal. */
const answersOf = (world: World): Record<string, string> =>
  Object.fromEntries(QUESTIONS.map((question) => [question, world.ask(question)]))

function absolute(name: string, apex: string): string {
  return name === '@' ? apex : `${name}.${apex}`
}
