// What comes over UDP and is more than a question: handed to those who answer it.
import { isExchange } from './exchange.ts'
import type { ListenerDeps } from './listener.ts'
import type { Peer } from './peer.ts'

/**
 * Gives a packet to those who answer what is more than a question for data. Returns false when it is none of theirs. What
 * `sender` returns is called with the answer if there is one, before this returns or later.
 */
export function answerAside(
  { respondLater, exchange }: Pick<ListenerDeps, 'respondLater' | 'exchange'>,
  packet: Uint8Array,
  peer: Peer,
  sender: () => (answer: Uint8Array) => void,
): boolean {
  const later = respondLater?.(packet, peer)
  if (later !== undefined) {
    const send = sender()
    void later.then((answer) => {
      if (answer !== undefined) send(answer)
    })
    return true
  }
  if (exchange === undefined || !isExchange(packet, packet.length)) return false
  // A copy, since it may keep the packet, and the next one may be read into the same memory.
  const answered = exchange.answer(Uint8Array.from(packet), peer)
  if (answered instanceof Uint8Array) sender()(answered)
  return true
}
