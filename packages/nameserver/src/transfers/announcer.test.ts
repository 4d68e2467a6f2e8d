// When the serials of a zone with a digest are announced.
import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '@zonereeve/cooperate'
import { expect, test, vi } from 'vitest'
import { zoneOf } from '../asking.cases.ts'
import { createZoneTable } from '../zone-table.ts'
import { createAnnouncer } from './announcer.ts'
import { hasDigest, MAX_DIGEST_NAMES } from './content-digest.ts'

/** An announcer whose digests take some steps, and what happens. */
function setUp(hasDigest: boolean, semaphore = new Semaphore(1), preparing?: () => Iterable<undefined>) {
  const table = createZoneTable()
  table.load({ ...zoneOf('example.com', ''), hasDigest })
  const zone = table.zone('zone-example.com') ?? expect.fail('no zone')
  const seen: string[] = []
  const announce = createAnnouncer(zone, {
    own: {
      *preparing() {
        seen.push('begun')
        yield* preparing?.() ?? [undefined, undefined]
        seen.push('made')
      },
    },
    announced: () => void seen.push('announced'),
    semaphore,
    failed: (_, error) => void seen.push(String(error)),
  })
  return { announce, seen, zone }
}

test('a zone without a digest is announced at once, and only with a new serial', () => {
  const { announce, seen } = setUp(false)
  announce(false)
  announce(true)
  expect(seen).toEqual(['announced'])
})

test('a zone that is too large for one is announced at once, and this is reported once until it is smaller', async () => {
  const { announce, seen, zone } = setUp(true)
  const nodes = vi.spyOn(zone, 'nodes', 'get').mockReturnValue(MAX_DIGEST_NAMES + 1)
  expect(hasDigest(zone)).toBe(false)
  announce(true)
  announce(true)
  const tooLarge = `Error: it has more than ${MAX_DIGEST_NAMES} names`
  expect(seen).toEqual([tooLarge, 'announced', 'announced'])
  nodes.mockReturnValue(MAX_DIGEST_NAMES)
  expect(hasDigest(zone)).toBe(true)
  announce(true)
  await vi.waitFor(() => expect(seen.slice(3)).toEqual(['begun', 'made', 'announced']))
  nodes.mockReturnValue(MAX_DIGEST_NAMES + 1)
  announce(false)
  expect(seen.slice(6)).toEqual([tooLarge])
})

test('a zone with one is announced when that is made, and not before its client has a reply', async () => {
  const { announce, seen } = setUp(true)
  announce(true)
  expect(seen).toEqual([])
  await vi.waitFor(() => expect(seen).toEqual(['begun', 'made', 'announced']))
})

test('changes before the digest is begun are announced together, and one without a new serial is not', async () => {
  const { announce, seen } = setUp(true)
  for (const isNewSerial of [true, false, true]) announce(isNewSerial)
  await vi.waitFor(() => expect(seen).toEqual(['begun', 'made', 'announced']))
  announce(false)
  await vi.waitFor(() => expect(seen).toEqual(['begun', 'made', 'announced', 'begun', 'made']))
  await sleep(20)
  expect(seen).toHaveLength(5)
})

test('a change while it is made is announced after the next one', async () => {
  const later: { announce?: (isNewSerial: boolean) => void } = {}
  let runs = 0
  const { announce, seen } = setUp(true, undefined, function* () {
    yield undefined
    if ((runs += 1) === 1) later.announce?.(true)
  })
  later.announce = announce
  announce(true)
  await vi.waitFor(() => expect(seen).toEqual(['begun', 'made', 'announced', 'begun', 'made', 'announced']))
})

test('a digest that fails is reported, and the zone is announced without it', async () => {
  const { announce, seen } = setUp(true, undefined, () => {
    throw new Error('no memory')
  })
  announce(true)
  await vi.waitFor(() => expect(seen).toEqual(['begun', 'Error: no memory', 'announced']))
})

test('digests of two zones are not made at the same time', async () => {
  const semaphore = new Semaphore(1)
  const [one, other] = [setUp(true, semaphore), setUp(true, semaphore)]
  const release = await semaphore.acquire()
  one.announce(true)
  other.announce(true)
  await sleep(20)
  expect([one.seen, other.seen]).toEqual([[], []])
  release()
  await vi.waitFor(() => expect([one.seen.at(-1), other.seen.at(-1)]).toEqual(['announced', 'announced']))
})
