// A secondary zone compared with a model, whatever its primary does: it has the last version that was sent
// complete and valid.
import type { TsigKey } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Script } from '@zonereeve/transfers/scripted-primary.cases.ts'
import { KEY } from '@zonereeve/transfers/asking.cases.ts'
import { APEX, startSecondaryWorld, type SecondaryWorld } from './secondary-world.cases.ts'

const NS = `${APEX} 3600 NS ns1.${APEX}.`
const WRONG: TsigKey = { ...KEY, secret: new Uint8Array(32).fill(7) }
const host = (at: number, last: number): string => `h${at}.${APEX} 60 A 192.0.2.${last}`
/** The serial wraps around with the third change (RFC 1982). */
const FIRST_SERIAL = 0xffff_fffd
const later = (serial: number, by: number): number => (serial + by) % 2 ** 32

interface Model {
  serial: number
  records: readonly string[]
}

const whole = (serial: number, records: readonly string[]): string[][] => [
  [`SOA ${serial}`, NS],
  ...records.map((line) => [line]),
  [`SOA ${serial}`],
]
const scriptOf = ({ serial, records }: Model): Script => ({ key: KEY, serial, axfr: whole(serial, records) })

function differenceOf(from: Model, to: Model): string[][] {
  const removed = from.records.filter((line) => !to.records.includes(line))
  const added = to.records.filter((line) => !from.records.includes(line))
  return [
    [`SOA ${to.serial}`, `SOA ${from.serial}`],
    removed,
    [`SOA ${to.serial}`],
    added,
    [`SOA ${to.serial}`],
  ].filter((lines) => lines.length > 0)
}

/** Errors that a primary can make with a version newer than ours. */
const BREAKERS: Readonly<Record<string, (next: Model) => Script>> = {
  'a cut in the middle': (next) => ({
    ...scriptOf(next),
    axfr: whole(next.serial, next.records).slice(0, -1),
    cuts: true,
  }),
  'another secret in the middle': (next) => ({
    ...scriptOf(next),
    mangle: (all) => all.map((message, at) => (at === 1 ? changedMac(message) : message)),
  }),
  'another secret': (next) => ({ ...scriptOf(next), key: WRONG }),
  'no signature': ({ serial, records }) => ({ serial, axfr: whole(serial, records) }),
  'no signature at the end': (next) => ({ ...scriptOf(next), signs: 1 }),
  'glue of another zone': ({ serial, records }) =>
    scriptOf({ serial, records: [...records, 'ns1.elsewhere.example 60 A 192.0.2.9'] }),
  'no SOA first': (next) => ({ ...scriptOf(next), axfr: whole(next.serial, next.records).slice(1) }),
  'no name servers': ({ serial, records }) => ({
    ...scriptOf({ serial, records }),
    axfr: [[`SOA ${serial}`, ...records, `SOA ${serial}`]],
  }),
  // In one message: at the end of a message, an additional SOA would end the zone.
  'an SOA too many': (next) => ({
    ...scriptOf(next),
    axfr: [[`SOA ${next.serial}`, NS, `SOA ${next.serial}`, host(1, 9), `SOA ${next.serial}`]],
  }),
  'another SOA in the middle': ({ serial, records }) =>
    scriptOf({ serial, records: [`SOA ${later(serial, 1)}`, ...records, host(1, 9)] }),
  'records beside an alias': ({ serial, records }) =>
    scriptOf({ serial, records: [...records, `h9.${APEX} 60 CNAME x.${APEX}.`, host(9, 9)] }),
  'another answer': (next) => ({ ...scriptOf(next), id: (id) => id ^ 1 }),
  'a refusal': (next) => ({ ...scriptOf(next), rcode: 5 }),
}

function changedMac(message: Uint8Array): Uint8Array {
  const at = message.length - 7
  return message.with(at, (message[at] ?? 0) ^ 1)
}

type Command =
  | {
      readonly kind: 'change'
      readonly by: number
      readonly records: readonly string[]
      readonly form: string
    }
  | { readonly kind: 'break'; readonly how: string; readonly records: readonly string[] }
  | { readonly kind: 'back'; readonly by: number; readonly records: readonly string[] }
  | { readonly kind: 'force'; readonly by: number; readonly records: readonly string[] }
  | { readonly kind: 'restart' }

const records = fc.uniqueArray(
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
    .map(([at, last]) => host(at, last)),
  { maxLength: 5 },
)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      by: fc.constantFrom(1, 2, 0x7fff_ffff),
      records,
      form: fc.constantFrom('axfr', 'whole for ixfr', 'ixfr', 'ixfr that does not fit'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('break' as const),
      how: fc.constantFrom(...Object.keys(BREAKERS)),
      records,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('back' as const),
      by: fc.constantFrom(1, 0x7fff_ffff, 0x8000_0000),
      records,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('force' as const),
      by: fc.constantFrom(0, 1, 2 ** 32 - 1),
      records,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
)

test('the zone has the last version that was sent complete and valid', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 12 }), async (commands) => {
      const model: Model = { serial: FIRST_SERIAL, records: [host(1, 1)] }
      const world = await startSecondaryWorld(scriptOf(model))
      try {
        await world.followPrimary(true)
        await world.until(({ soa_serial: serial }) => serial === model.serial)
        for (const each of commands) {
          await obey(world, model, each)
          await expectModel(world, model)
        }
      } finally {
        await world.close()
      }
    }),
    { numRuns: 8 },
  )
})

async function obey(world: SecondaryWorld, model: Model, each: Command): Promise<void> {
  const { checked_on: before } = await world.statusOf()
  world.clock.advance(1_000)
  if (each.kind === 'restart') {
    await world.restart()
    await world.until((status) => status.checked_on !== before)
    return
  }
  const next: Model = {
    serial: later(model.serial, each.kind === 'back' ? 2 ** 32 - each.by : 1),
    records: each.records,
  }
  if (each.kind === 'change' || each.kind === 'force') next.serial = later(model.serial, each.by)
  world.primary.script = each.kind === 'break' ? (BREAKERS[each.how] ?? scriptOf)(next) : scriptOf(next)
  if (each.kind === 'change')
    world.primary.script = { ...scriptOf(next), ...answerToIxfr(each.form, model, next) }
  if (each.kind === 'force') await world.must('POST', `/zones/${world.zoneId}/secondary_dns/force_axfr`)
  else expect(await world.notify(KEY)).toBe(0)
  const { problem } = await world.until((status) => status.checked_on !== before)
  const isTaken = each.kind === 'change' || each.kind === 'force'
  expect({ each, isTaken: problem === null }).toEqual({ each, isTaken })
  if (isTaken) Object.assign(model, next)
}

function answerToIxfr(form: string, from: Model, to: Model): Pick<Script, 'ixfr'> {
  if (form === 'ixfr') return { ixfr: differenceOf(from, to) }
  // A record is deleted that never existed: the secondary requests the whole zone instead.
  if (form === 'ixfr that does not fit')
    return { ixfr: differenceOf({ ...from, records: [...from.records, host(7, 7)] }, to) }
  return {}
}

async function expectModel(world: SecondaryWorld, { serial, records: expected }: Model): Promise<void> {
  const { zoneId } = world
  const { state, soa_serial: ours } = await world.statusOf()
  expect([state, ours]).toEqual(['current', serial])
  const soa = `${APEX} 3600 SOA ${APEX}. ${APEX}. ${serial} 3600 600 86400 60`
  expect((await world.ask(APEX, 'SOA')).records).toEqual([soa])
  for (const at of [1, 2, 3, 7, 9]) {
    const { records: answered } = await world.ask(`h${at}.${APEX}`, 'A')
    expect(answered.toSorted()).toEqual(expected.filter((line) => line.startsWith(`h${at}.`)).toSorted())
  }
  const listed = await world.must<{ name: string; ttl: number; type: string; content: string }[]>(
    'GET',
    `/zones/${zoneId}/dns_records?type=A`,
  )
  expect(
    listed.map(({ name, ttl, type, content }) => `${name} ${ttl} ${type} ${content}`).toSorted(),
  ).toEqual(expected.toSorted())
  const [last] = await world.must<{ serial: number | null }[]>('GET', `/zonereeve/zones/${zoneId}/changes`)
  expect(last?.serial).toBe(serial)
}
