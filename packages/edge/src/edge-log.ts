// What the edge writes about its own work.

/** A log of events with fields. */
export interface EdgeLog {
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
}
