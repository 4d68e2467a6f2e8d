// What calls of the browser get and are named, and which of them a script makes itself.
import { MAX_OBSERVED } from './limits.ts'
import type { Machine } from './machine.ts'
import { seeText } from './observations.ts'
import type { UnknownValue, Value } from './values.ts'

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
  if (machine.observed.now.isUncalled) return
  const [first] = args
  const method = typeof first === 'object' && first?.kind === 'object' ? first.entries.get('method') : first
  perform(machine, name)
  if (typeof method === 'string' && (name === 'getFunction' || METHOD_OF_WALLET.test(method)))
    perform(machine, method)
}

/** By its name, without the types of its arguments: `approve(address,uint256)`. */
function perform({ observed: { performed } }: Machine, name: string): void {
  const [own = ''] = name.slice(0, MAX_NAME + 1).split('(', 1)
  if (own !== '' && own.length <= MAX_NAME && performed.size < MAX_OBSERVED) performed.add(own)
}

/** Members that are read to be called, by `call`, `bind` or a name of their own. */
const READ_TO_CALL = new Set(
  'approve increaseApproval increaseAllowance setApprovalForAll permit sendTransaction signAndSendTransaction sendRawTransaction signTypedData _signTypedData sendBitcoin writeContract'.split(
    ' ',
  ),
)

/** Notes a member that is read. What a script takes out of another file, it only passes on. */
export function noteRead(machine: Machine, { path }: UnknownValue, name: string): void {
  if (READ_TO_CALL.has(name) && path !== 'require()' && !machine.observed.now.isUncalled)
    perform(machine, name)
}
