// A logger for tests that do not check the log.
import type { Log } from './log.ts'

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
