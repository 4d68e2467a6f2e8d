// The logger interface that the program uses: an event with fields, never a concatenated sentence.
export interface Log {
  debug(fields: object, event: string): void
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
  error(fields: object, event: string): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
