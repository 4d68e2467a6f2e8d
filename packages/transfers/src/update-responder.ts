// Dynamic updates on the wire (RFC 2136): verifies the signature and signs the answer. Updates wait for the disk, so
// the queries behind them are answered first.
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
  byteAt,
} from '@zonereeve/dns'
import { createPerformedUpdates, plainAddress, type Peer, type RespondLater } from '@zonereeve/nameserver'
import type { Clock, Log } from '@zonereeve/platform'
import { headerAlone, replyTo, withIdOf } from './message-handler.ts'
import { hmac } from './hmac.ts'

export interface UpdateResponderDeps {
  /** Keys that sign updates. Keys for transfers do not sign updates, even if they have the same name. */
  readonly findKey: (name: Name, algorithm: TsigAlgorithm) => TsigKey | undefined
  /**
   * Performs an update, and resolves with its response code when it is durable; SERVFAIL: nothing was changed. Never
   * rejects.
   */
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
      log.error({ err: error }, 'dns update not answered')
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
    if (check.kind !== 'valid') return reject(octets, address, signed, check)
    const { key } = check
    const message = decodeMessage(unsigned)
    const rcode = performed.perform({ tsig, key }, () => update(message, { address, keyName: key.name }))
    if (rcode === undefined)
      return reject(octets, address, signed, { kind: 'refused', error: TSIG_ERROR.BADTIME, key })
    const signer = createTsigSigner(key, { hmac, requestMac: tsig.mac })
    return signer.sign(withIdOf(octets, replyTo(message, await rcode)), nowSeconds())
  }

  function reject(
    octets: Uint8Array,
    address: string,
    { unsigned, tsig }: SignedMessage,
    check: Extract<TsigCheck, { kind: 'refused' }>,
  ): Uint8Array {
    // At debug level, which is off by default, because anybody can cause it.
    log.debug({ address, keyName: tsig.keyName, problem: check.error }, 'dns signature refused')
    const refusal = withIdOf(octets, replyTo(decodeMessage(unsigned), RCODE.NOTAUTH))
    return signRefusal(refusal, tsig, check, { hmac, nowSeconds: nowSeconds() })
  }
}

/** True for an update request. Answers to updates are not handled here. */
function isUpdate(packet: Uint8Array): boolean {
  if (packet.length < HEADER_OCTETS) return false
  const flags = byteAt(packet, 2)
  return (flags & 0x80) === 0 && ((flags >> 3) & 0xf) === OPCODE.UPDATE
}
