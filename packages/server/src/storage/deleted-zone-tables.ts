// Tables of what is left of zones that were deleted; the rest stands in database.ts.
export interface DeletedZoneTables {
  /** The last serial of each name whose zone was deleted. */
  zone_serials: { name: string; serial: number }
  /** Zones whose records are still to be swept, and where in the change log they were deleted. */
  deleted_zones: { zone_id: string; position: number }
}
