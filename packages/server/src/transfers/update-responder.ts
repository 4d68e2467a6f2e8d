// Dynamic updates on the wire (RFC 2136): whose signature it is, and an answer that is signed in turn. They wait for the
// disk, so they are answered beside the questions that come behind them.
import {
  checkTsig,
  createTsigSigner,
  decodeMessage,
  OPCODE,
  RCODE,
  readTsig,
  signRefusal,
  WireError,
  type Message,
  type Name,
  type TsigAlgorithm,
  type TsigKey,
} from '@zonereeve/dns'
import type { Peer, RespondLater } from '../nameserver/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { headerAlone, replyTo, withIdOf } from './exchange.ts'
import { hmac } from './hmac.ts'
import { plainAddress } from './policy.ts'

export interface UpdateResponderDeps {
  /** Keys that sign updates. Those that sign transfers sign no updates, even of the same name. */
  readonly findKey: (name: Name, algorithm: TsigAlgorithm) => TsigKey | undefined
  /** Does an update, and resolves with its response code when that is durable. Never rejects. */
  readonly update: (
    message: Message,
    sender: { readonly address: string; readonly keyName: Name | undefined },
  ) => Promise<number>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

const HEADER_OCTETS = 12

export function createUpdateResponder({ findKey, update, clock, log }: UpdateResponderDeps): RespondLater {
  const nowSeconds = (): number => Math.floor(clock.now() / 1000)

  return (packet, peer) => {
    if (!isUpdate(packet)) return undefined
    const octets = new Uint8Array(packet)
    return answer(octets, peer).catch((error: unknown) => {
      if (error instanceof WireError) return headerAlone(octets, RCODE.FORMERR)
      log.error({ error }, 'dns update not answered')
      return headerAlone(octets, RCODE.SERVFAIL)
    })
  }

  async function answer(octets: Uint8Array, peer: Peer): Promise<Uint8Array> {
    const signed = readTsig(octets)
    if (signed === undefined) return perform(octets, peer, undefined)
    const check = checkTsig(signed, { findKey, hmac, nowSeconds: nowSeconds() })
    if (check.kind === 'valid') {
      const signer = createTsigSigner(check.key, { hmac, requestMac: signed.tsig.mac })
      const reply = await perform(signed.unsigned, peer, check.key.name)
      return signer.sign(withIdOf(octets, reply), nowSeconds())
    }
    const { keyName } = signed.tsig
    // At a level that is usually off, because anybody can cause it.
    log.debug({ address: peer.address, keyName, error: check.error }, 'dns signature refused')
    const refusal = withIdOf(octets, replyTo(decodeMessage(signed.unsigned), RCODE.NOTAUTH))
    return signRefusal(refusal, signed.tsig, check, { hmac, nowSeconds: nowSeconds() })
  }

  async function perform(octets: Uint8Array, peer: Peer, keyName: Name | undefined): Promise<Uint8Array> {
    const message = decodeMessage(octets)
    return replyTo(message, await update(message, { address: plainAddress(peer.address), keyName }))
  }
}

/** A request to update; answers to updates are nobody's here. */
function isUpdate(packet: Uint8Array): boolean {
  const flags = packet[2] ?? 0
  return packet.length >= HEADER_OCTETS && (flags & 0x80) === 0 && ((flags >> 3) & 0xf) === OPCODE.UPDATE
}
