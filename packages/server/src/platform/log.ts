// What the rest of the program needs of a logger: an event with fields, never a sentence built by hand.
export interface Log {
  debug(fields: object, event: string): void
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
  error(fields: object, event: string): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
