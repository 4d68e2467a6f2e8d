// Workers whose code the script itself has: a blob, by its address.
import type { Effect } from './browser-requests.ts'
import { flow } from './browser-sinks.ts'
import { BLOB, BLOB_PARTS, codeBehind } from './code-addresses.ts'
import type { Machine } from './machine.ts'
import { hostObject, isUnknown, type Value } from './values.ts'

const WORKER = 'worker'

export const createObjectURL: Effect = (_, { args: [blob] }) => {
  if (!isUnknown(blob) || blob.entries?.has(BLOB_PARTS) !== true) return undefined
  const address = hostObject('blob address', '', blob.taint)
  address.entries?.set(BLOB, blob)
  return address
}

/** Loads its script; in a worker, `self` is the window, and what is posted to it is a message. */
export function makeWorker(machine: Machine, [address]: readonly Value[]): Value {
  flow(machine, 'script', address)
  return hostObject(codeBehind(machine, address) === undefined ? 'new Worker' : WORKER)
}

export const isWorkerOfScript = (value: Value): boolean => isUnknown(value) && value.path === WORKER
