// Locations: what databases say about addresses, replaced files, and files that are none.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseIp } from '@zonereeve/expr'
import { locations } from '@zonereeve/firewall'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { bitsOf, PLACES, SYSTEMS, writeDatabase } from './location-database.cases.ts'
import { openLocations, useLocations } from './location-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'locations-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (name: string, content: Buffer | string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const places = written('places.mmdb', writeDatabase(PLACES))
const systems = written('systems.mmdb', writeDatabase(SYSTEMS))
const at = (paths: readonly string[], address: string) =>
  openLocations(paths).locationOf(parseIp(address) ?? expect.fail(address))

describe('an address', () => {
  test('has all that both databases know, as octets of UTF-8', () => {
    expect(at([places, systems], '192.0.2.77')).toEqual({
      asnum: 64_500,
      isInEuropeanUnion: false,
      strings: {
        city: 'Z\u00c3\u00bcrich',
        continent: 'EU',
        country: 'CH',
        lat: '47.25',
        lon: '8.5',
        postal_code: '8001',
        region: 'Zurich',
        region_code: 'ZH',
        subdivision_1_iso_code: 'CH-ZH',
        'timezone.name': 'Europe/Zurich',
      },
    })
  })
  test.each([
    ['in the union', '198.51.100.1', { isInEuropeanUnion: true, strings: { country: 'DE' } }],
    ['next to a network', '198.51.100.128', { isInEuropeanUnion: false, strings: { country: 'XX' } }],
    [
      'with a system alone',
      '203.0.113.5',
      { asnum: 4_200_000_000, isInEuropeanUnion: false, strings: { country: 'XX' } },
    ],
    ['of version 6', '2001:db8::1', { isInEuropeanUnion: false, strings: { country: 'XX' } }],
  ])('%s', (_name, address, facts) => expect(at([places, systems], address)).toEqual(facts))
})

test.each([
  ['a missing file', join(folder, 'none.mmdb')],
  ['a text', written('text.mmdb', 'not a database')],
  ['an empty file', written('empty.mmdb', '')],
])('%s is refused by its path', (_name, path) => expect(() => openLocations([path])).toThrow(path))

test('a damaged database makes nothing fail', () => {
  const whole = writeDatabase(PLACES)
  const tree = whole.indexOf(Buffer.alloc(16))
  const damaged = Buffer.from(whole)
  damaged.fill(0xff, 0, Math.min(tree, 600))
  const path = written('damaged.mmdb', damaged)
  for (const address of ['192.0.2.1', '255.255.255.255', '::', 'ffff::'])
    expect(at([path], address).strings.country).toBeDefined()
})

test('a file that is replaced takes effect, and one that cannot be used changes nothing', async () => {
  const path = written('current.mmdb', writeDatabase(PLACES))
  const events: string[] = []
  const log = {
    info: (_: object, event: string) => void events.push(event),
    warn: (_: object, event: string) => void events.push(event),
  }
  const country = (): string | undefined =>
    locations()?.locationOf(parseIp('192.0.2.1') ?? expect.fail('address')).strings.country
  const stop = useLocations([path], log, 20)
  expect(country()).toBe('CH')
  writeFileSync(path, 'broken')
  await vi.waitFor(() => expect(events).toContain('locations not usable'))
  expect(country()).toBe('CH')
  writeFileSync(
    path,
    writeDatabase({ [bitsOf('192.0.2.0/24')]: { country: { iso_code: 'FR', names: { en: 'France' } } } }),
  )
  await vi.waitFor(() => expect(country()).toBe('FR'))
  stop()
  useLocations([], log)
  expect(locations()).toBeUndefined()
})
