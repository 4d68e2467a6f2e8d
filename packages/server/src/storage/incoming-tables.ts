// Tables of zones that follow a primary elsewhere; the rest stands in database.ts.
export interface IncomingTables {
  incoming_transfers: {
    zone_id: string
    /** JSON: ids of peers. */
    peers: string
    auto_refresh_seconds: number
    created_on: string
    modified_on: string
  }
  followed_zones: {
    zone_id: string
    /** Rdata of the primary's SOA; null before the first transfer. */
    soa: Uint8Array | null
    soa_ttl: number | null
    /** When a primary was last asked, whatever came of it. */
    checked_on: string | null
    /** Milliseconds since 1970: when a primary last said that the zone is as it is here. */
    refreshed_at: number | null
    transferred_on: string | null
    /** What the primary said last, followed or not. */
    primary_serial: number | null
    /** Why the last attempt came to nothing. */
    problem: string | null
  }
}
