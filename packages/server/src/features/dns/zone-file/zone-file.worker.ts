// The thread that reads a zone file, and makes all that replaces the records of a zone by those of the file.
import { parentPort } from 'node:worker_threads'
import { createPromise } from '@zonereeve/cooperate'
import { type Clock, DomainError, endIfMemoryIsUsedUp, randomIds, SYSTEM } from '@zonereeve/platform'
import { createRemoteChanges } from '../../changes/index.ts'
import { createRecordReplacement, fromRecordText, toRecordText } from '../dns-records/index.ts'
import { readDesired } from './desired-records.ts'
import type { FromThread, ToThread } from './file-thread.store.ts'

type Message<Kind> = Extract<ToThread, { readonly kind: Kind }>

const orders = {
  read: createPromise<Message<'read'>>(),
  replace: createPromise<Message<'replace'>>(),
  begun: createPromise<Message<'begun'>>(),
}
let takeResults: (results: readonly unknown[]) => void = () => {}

endIfMemoryIsUsedUp()
parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'results') takeResults(message.results)
  else orders[message.kind].resolve(message as never) // of this kind
})

try {
  await work()
} catch (failure) {
  // Any other failure ends this thread.
  if (!(failure instanceof DomainError)) throw failure
  send({ kind: 'refused', issues: failure.issues, notices: failure.notices })
}

function send(message: FromThread, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred)
}

async function work(): Promise<void> {
  const { records, releaseWhenRead, rules, edgeAddresses } = await read()
  const { zone, at, force } = await orders.replace.promise
  // Records are compared with those of the zone in a pass of its own, which an empty zone does not need.
  if (zone.recordCount === 0) releaseWhenRead()
  const clock: Clock = { now: Date.now, timestamp: () => at }
  const changes = createRemoteChanges({
    clock,
    send: (statements, transferred) => send({ kind: 'statements', statements }, transferred),
    sendAdded: (added, transferred) => send({ kind: 'added', added }, transferred),
    noteUnreadable: (...note) => send({ kind: 'unreadable', note }),
    async begin(header) {
      send({ kind: 'begin', header })
      return (await orders.begun.promise).position
    },
  })
  takeResults = changes.take
  const formats = { toText: toRecordText, fromText: fromRecordText }
  const deps = { clock, ids: randomIds(), rules, edgeAddresses, begin: changes.begin, ...formats }
  // The main thread knows the actor.
  const replaced = await createRecordReplacement(deps).replace(changes.tx, zone, records, SYSTEM, force)
  const { kinds, delta } = await changes.end()
  send({ kind: 'replaced', replaced, kinds, delta: delta?.sent }, delta?.moved)
}

/** In a function of its own, after which nothing refers to the file. */
async function read() {
  const { file, zone, clampTtl, rules, edgeAddresses } = await orders.read.promise
  const { signal } = new AbortController() // the main thread ends this one
  const desired = await readDesired(file, zone, { clampTtl, signal })
  const { errors, isEmpty, notices } = desired
  send({ kind: 'contents', errors: errors.map(({ line, message }) => ({ line, message })), isEmpty, notices })
  return { ...desired, rules, edgeAddresses }
}
