// Where an address is, from databases in MaxMind's format that the operator supplies: places, autonomous systems, or both.
import { readFileSync } from 'node:fs'
import { BoundedMap } from '@zonereeve/cooperate'
import { type GeoFacts, type GeoText, ipText, utf8 } from '@zonereeve/expr'
import { installLocations, type Locations } from '@zonereeve/firewall'
import { Reader, type AsnResponse, type CityResponse } from 'mmdb-lib'
import type { EdgeLog } from './edge-log.ts'
import { useSuppliedFiles } from './supplied-files.ts'

/** Parts of a database that stay decoded. */
const MAX_DECODED = 10_000
/** The vendor's code for an address whose country is not known. */
const UNKNOWN_COUNTRY = 'XX'

/**
 * Uses databases for all decisions of the process, and their newer versions when the files change. What cannot be used is
 * logged, and what was there before stays.
 *
 * @returns a function that stops looking.
 */
export const useLocations = (paths: readonly string[], log: EdgeLog, lookMillis?: number): (() => void) =>
  useSuppliedFiles(
    paths,
    { name: 'locations', open: openLocations, install: installLocations },
    log,
    lookMillis,
  )

/** What databases say about an address; each database has some of the members. */
type Entry = Partial<CityResponse> & Partial<AsnResponse>

/**
 * Reads databases into memory.
 *
 * @throws Error naming a file that is no database, or one without places and autonomous systems.
 */
export function openLocations(paths: readonly string[]): Locations {
  const readers = paths.map((path) => {
    try {
      return new Reader<CityResponse>(readFileSync(path), { cache: decodedParts() })
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
  return {
    locationOf: (ip) => {
      const text = ipText(ip)
      let entry: Entry = {}
      for (const reader of readers) entry = { ...entry, ...entryIn(reader, text) }
      return factsIn(entry)
    },
  }
}

/** A database of version 4 has no addresses of version 6, and one that is damaged may have any entry. */
function entryIn(reader: Reader<CityResponse>, address: string): Entry | null {
  try {
    return reader.get(address)
  } catch {
    return null
  }
}

function decodedParts() {
  const parts = new BoundedMap<string | number, unknown>(MAX_DECODED)
  return {
    get: (key: string | number) => parts.touch(key),
    set: (key: string | number, value: unknown) => parts.set(key, value),
  }
}

function factsIn(entry: Entry): GeoFacts {
  const { autonomous_system_number: asnum, country } = entry
  const strings: Partial<Record<GeoText, string>> = {}
  for (const [name, read] of Object.entries(STRINGS)) {
    const value = read(entry)
    if (value !== undefined) strings[name as GeoText] = utf8(String(value)) // a name of the table
  }
  return {
    ...(typeof asnum === 'number' && { asnum }),
    isInEuropeanUnion: country?.is_in_european_union === true,
    strings,
  }
}

const firstLevel = ({ subdivisions }: Entry) => subdivisions?.[0]

/** ISO 3166-2: the country, a hyphen, and the code of the subdivision. */
function subdivisionCode({ country, subdivisions }: Entry, level: number): string | undefined {
  const code = subdivisions?.[level]?.iso_code
  return code === undefined || country === undefined ? undefined : `${country.iso_code}-${code}`
}

const STRINGS: Readonly<Record<GeoText, (entry: Entry) => string | number | undefined>> = {
  city: ({ city }) => city?.names.en,
  continent: ({ continent }) => continent?.code,
  // Rules such as `ip.src.country ne "DE"` must also match addresses that are in no database.
  country: ({ country }) => country?.iso_code ?? UNKNOWN_COUNTRY,
  lat: ({ location }) => location?.latitude,
  lon: ({ location }) => location?.longitude,
  metro_code: ({ location }) => location?.metro_code,
  postal_code: ({ postal }) => postal?.code,
  region: (entry) => firstLevel(entry)?.names.en,
  region_code: (entry) => firstLevel(entry)?.iso_code,
  subdivision_1_iso_code: (entry) => subdivisionCode(entry, 0),
  subdivision_2_iso_code: (entry) => subdivisionCode(entry, 1),
  'timezone.name': ({ location }) => location?.time_zone,
}
