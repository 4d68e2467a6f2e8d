// What a script writes where its own listeners and later reads find it: the address of the page, the state of its history, and
// errors.
import { giveOwn, ON_ERROR } from './browser-events.ts'
import type { Effect } from './browser-requests.ts'
import type { Machine } from './machine.ts'
import { TAINT, taintOf, taintOfText, textStart, UNKNOWN, unknownValue, type Value } from './values.ts'

const SECRETS = TAINT.card | TAINT.password

/** `history.pushState(state, '', address)` */
export const changeState: Effect = (machine, { self, args }) => {
  const [state, , address] = args
  if (!self.path.endsWith('history')) return undefined
  self.entries?.set('state', state)
  noteAddress(machine, address)
  giveOwn(machine, 'popstate', [['state', state]])
  return UNKNOWN
}

/** Secrets in the address, which every later read of it may contain: a search or a name of a page is there in honest scripts, too. */
export function noteAddress(machine: Machine, address: Value): void {
  const taint = taintOf(address) & SECRETS
  if (taint === 0) return
  machine.inAddress |= taint
  giveOwn(machine, 'hashchange', [['newURL', unknownValue({ taint })]])
}

/** What a handler of errors gets. */
export function noteError(machine: Machine, error: Value): void {
  const message = unknownValue({ taint: taintOfText(error), prefix: textStart(error) })
  for (const name of ['error', ON_ERROR])
    giveOwn(machine, name, [
      ['error', error],
      ['message', message],
    ])
}

export const reportError: Effect = (machine, { args }) => {
  noteError(machine, args[0])
  return UNKNOWN
}
