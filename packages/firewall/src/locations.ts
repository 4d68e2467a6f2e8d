// The database of locations that the operator supplies, if there is one. There is one for the whole process.
import type { GeoFacts, Ip } from '@zonereeve/expr'

export interface Locations {
  /** What is known of an address; without members if nothing is. Never throws. */
  readonly locationOf: (ip: Ip) => GeoFacts
}

let current: Locations | undefined

/** The one in use; undefined if the operator supplied none. */
export const locations = (): Locations | undefined => current

/** Uses a database from now on, or none. */
export function installLocations(found: Locations | undefined): void {
  current = found
}
