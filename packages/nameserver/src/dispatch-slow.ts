// Passes UDP messages that are more than a question to their handlers.
import { needsMessageHandler } from './message-handler.ts'
import type { ListenerDeps } from './listener.ts'
import type { Peer } from './peer.ts'

/**
 * Passes a packet to a handler if it is more than a question for data. Returns false if no handler takes it. The
 * function that `sender` returns is called with the answer, if there is one, before this returns or later.
 */
export function dispatchSlow(
  { respondLater, messageHandler }: Pick<ListenerDeps, 'respondLater' | 'messageHandler'>,
  packet: Uint8Array,
  peer: Peer,
  sender: () => (answer: Uint8Array) => void,
): boolean {
  const later = respondLater?.(packet, peer)
  if (later === undefined && (messageHandler === undefined || !needsMessageHandler(packet, packet.length)))
    return false
  // A copy, because the handler may keep the packet, and the next one may be read into the same memory.
  const answered = later ?? messageHandler?.answer(Uint8Array.from(packet), peer)
  const send = sender()
  if (answered instanceof Uint8Array) send(answered)
  else if (answered instanceof Promise)
    void answered.then((answer) => {
      if (answer instanceof Uint8Array) send(answer)
    })
  return true
}
