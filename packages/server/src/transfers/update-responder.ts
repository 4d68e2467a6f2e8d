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
  TSIG_ERROR,
  WireError,
  type Message,
  type Name,
  type SignedMessage,
  type TsigAlgorithm,
  type TsigCheck,
  type TsigKey,
} from '@zonereeve/dns'
import type { Peer, RespondLater } from '../nameserver/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { headerAlone, replyTo, withIdOf } from './exchange.ts'
import { hmac } from './hmac.ts'
import { createPerformedUpdates } from './performed-updates.ts'
import { plainAddress } from './policy.ts'

export interface UpdateResponderDeps {
  /** Keys that sign updates. Those that sign transfers sign no updates, even of the same name. */
  readonly findKey: (name: Name, algorithm: TsigAlgorithm) => TsigKey | undefined
  /** Does an update, and resolves with its response code when that is durable; SERVFAIL: nothing was done. Never rejects. */
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
  const performed = createPerformedUpdates(nowSeconds)

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
    const address = plainAddress(peer.address)
    if (signed === undefined) {
      const message = decodeMessage(octets)
      return replyTo(message, await update(message, { address, keyName: undefined }))
    }
    const { unsigned, tsig } = signed
    const check = checkTsig(signed, { findKey, hmac, nowSeconds: nowSeconds() })
    if (check.kind !== 'valid') return refuse(octets, address, signed, check)
    const { key } = check
    const message = decodeMessage(unsigned)
    const rcode = performed.perform({ tsig, key }, () => update(message, { address, keyName: key.name }))
    if (rcode === undefined)
      return refuse(octets, address, signed, { kind: 'refused', error: TSIG_ERROR.BADTIME, key })
    const signer = createTsigSigner(key, { hmac, requestMac: tsig.mac })
    return signer.sign(withIdOf(octets, replyTo(message, await rcode)), nowSeconds())
  }

  function refuse(
    octets: Uint8Array,
    address: string,
    { unsigned, tsig }: SignedMessage,
    check: Extract<TsigCheck, { kind: 'refused' }>,
  ): Uint8Array {
    // At a level that is usually off, because anybody can cause it.
    log.debug({ address, keyName: tsig.keyName, error: check.error }, 'dns signature refused')
    const refusal = withIdOf(octets, replyTo(decodeMessage(unsigned), RCODE.NOTAUTH))
    return signRefusal(refusal, tsig, check, { hmac, nowSeconds: nowSeconds() })
  }
}

/** A request to update; answers to updates are nobody's here. */
function isUpdate(packet: Uint8Array): boolean {
  const flags = packet[2] ?? 0
  return packet.length >= HEADER_OCTETS && (flags & 0x80) === 0 && ((flags >> 3) & 0xf) === OPCODE.UPDATE
}
