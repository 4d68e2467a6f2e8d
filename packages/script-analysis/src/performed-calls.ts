// What calls of the browser get and are named, and which of them a script makes itself.
import { MAX_OBSERVED } from './limits.ts'
import type { Machine } from './machine.ts'
import { seeText } from './observations.ts'
import type { Value } from './values.ts'

const MAX_NAME = 60
/** Methods of a wallet, which are asked for by name. */
const METHOD_OF_WALLET = /^[a-z]{2,10}_\w{2,40}$/iu

export function noteStrings(machine: Machine, args: readonly Value[]): void {
  for (const arg of args) {
    if (typeof arg !== 'string') continue
    machine.spend(arg.length >> 5)
    seeText(machine.observed, arg)
  }
}

/** Notes a call. A library that leaves its functions to the page makes none with them. */
export function noteCall(machine: Machine, name: string, args: readonly Value[]): void {
  noteStrings(machine, args)
  const { now, performed } = machine.observed
  if (now.isUncalled) return
  const [first] = args
  const method = typeof first === 'object' && first?.kind === 'object' ? first.entries.get('method') : first
  for (const one of [name, method])
    if (typeof one === 'string' && one !== '' && one.length <= MAX_NAME && performed.size < MAX_OBSERVED)
      if (one === name || METHOD_OF_WALLET.test(one)) performed.add(one)
}
