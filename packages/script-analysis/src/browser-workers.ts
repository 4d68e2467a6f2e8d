// Workers whose code the script itself has: a blob, by its address.
import type { Effect } from './browser-requests.ts'
import { flow, runsAddressed } from './browser-sinks.ts'
import { BLOB, BLOB_PARTS } from './code-addresses.ts'
import type { Machine } from './machine.ts'
import { MESSAGES_OF_WORKER, POSTS, WORKER } from './message-targets.ts'
import { hostObject, isUnknown, type Value } from './values.ts'

export const createObjectURL: Effect = (_, { args: [blob] }) => {
  if (!isUnknown(blob) || blob.entries?.has(BLOB_PARTS) !== true) return undefined
  const address = hostObject('blob address', '', blob.taint)
  address.entries?.set(BLOB, blob)
  return address
}

/** Loads its script; in a worker, `self` is the window, and what is posted to it is a message. What an unknown code gets, it may post back. */
export function makeWorker(machine: Machine, [address]: readonly Value[]): Value {
  const isKnown = runsAddressed(machine, address)
  if (!isKnown) flow(machine, 'script', address)
  if (!isKnown && (!isUnknown(address) || address.entries?.has(BLOB) !== true))
    return hostObject('new Worker')
  const worker = hostObject(WORKER)
  if (!isKnown) worker.entries?.set(POSTS, MESSAGES_OF_WORKER[0])
  return worker
}
