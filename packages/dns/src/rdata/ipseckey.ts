// IPSECKEY: a public key for IPsec, and its gateway.

import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../address.ts'
import { TextError, WireError } from '../errors.ts'
import type { Name } from '../name.ts'
import type { TokenReader } from '../presentation.ts'
import type { Reader, Writer } from '../wire.ts'
import { defineRecordType } from './define.ts'
import type { Field } from './define.ts'
import { address, domainName, u8 } from './fields.ts'
import { optionalBase64Rest } from './octet-fields.ts'

/** A public key of a host (RFC 4025 §2.1). */
export interface Ipseckey {
  /** Lower is tried first. */
  readonly precedence: number
  /** 1 DSA, 2 RSA, 3 ECDSA; 0 = no key. */
  readonly algorithm: number
  readonly gateway: Gateway
  readonly publicKey: Uint8Array
}

/** None, an IPv4 address, an IPv6 address, or a name (RFC 4025 §2.5). */
export type Gateway =
  | { readonly type: 0 }
  | { readonly type: 1 | 2; readonly address: string }
  | { readonly type: 3; readonly name: Name }

const IPV4 = address(4, parseIpv4, formatIpv4)
const IPV6 = address(16, parseIpv6, formatIpv6)
const NAME = domainName()

/** The gateway's type precedes the algorithm, in text and octets; other types have only the generic form. */
export const ipseckey = defineRecordType<Ipseckey>({
  type: 'IPSECKEY',
  code: 45,
  refs: ['RFC 4025 §2', 'RFC 4025 §3'],
  fields: { precedence: u8, algorithm: u8, gateway: gatewayField(), publicKey: optionalBase64Rest },
  read: (r) => {
    const [precedence, type, algorithm] = [r.u8(), r.u8(), r.u8()]
    const gateway = readGateway(type, r)
    return { precedence, algorithm, gateway, publicKey: r.rest() }
  },
  write: (w, { precedence, algorithm, gateway, publicKey }) => {
    w.u8(precedence)
    w.u8(gateway.type)
    w.u8(algorithm)
    writeGateway(w, gateway)
    w.bytes(publicKey)
  },
  toText: ({ precedence, algorithm, gateway, publicKey }) =>
    [precedence, gateway.type, algorithm, gatewayText(gateway), optionalBase64Rest.toText(publicKey)]
      .filter((text) => text !== '')
      .join(' '),
  fromText: (tokens) => {
    const precedence = tokens.number()
    const { offset } = tokens
    const [type, algorithm] = [tokens.number(), tokens.number()]
    const gateway = gatewayFromText(type, tokens, offset)
    return { precedence, algorithm, gateway, publicKey: optionalBase64Rest.fromText(tokens) }
  },
})

/** Used for its check; the record type reads and writes the gateway, because its type is stored separately. */
function gatewayField(): Field<Gateway> {
  return {
    read: (r) => readGateway(r.u8(), r),
    write: writeGateway,
    toText: gatewayText,
    fromText: (tokens) => gatewayFromText(tokens.number(), tokens, tokens.offset),
    check: (gateway) => {
      if (gateway.type === 1) return IPV4.check(gateway.address)
      return gateway.type === 2 ? IPV6.check(gateway.address) : undefined
    },
  }
}

function readGateway(type: number, reader: Reader): Gateway {
  if (type === 0) return { type }
  if (type === 1) return { type, address: IPV4.read(reader) }
  if (type === 2) return { type, address: IPV6.read(reader) }
  if (type === 3) return { type, name: NAME.read(reader) }
  throw new WireError('wire.value', reader.offset, 'the type of the gateway is not 0 to 3')
}

function writeGateway(writer: Writer, gateway: Gateway): void {
  if (gateway.type === 3) NAME.write(writer, gateway.name)
  else if (gateway.type !== 0) (gateway.type === 1 ? IPV4 : IPV6).write(writer, gateway.address)
}

function gatewayText(gateway: Gateway): string {
  if (gateway.type === 0) return '.'
  if (gateway.type === 3) return NAME.toText(gateway.name)
  return (gateway.type === 1 ? IPV4 : IPV6).toText(gateway.address)
}

function gatewayFromText(type: number, tokens: TokenReader, typeOffset: number): Gateway {
  if (type === 1) return { type, address: IPV4.fromText(tokens) }
  if (type === 2) return { type, address: IPV6.fromText(tokens) }
  if (type === 3) return { type, name: NAME.fromText(tokens) }
  if (type !== 0)
    throw new TextError('ipseckey.gateway', typeOffset, 'the type of the gateway must be 0 to 3')
  const { text, offset } = tokens.next()
  if (text !== '.')
    throw new TextError('ipseckey.gateway', offset, 'gateway type 0 must have . as its gateway')
  return { type }
}
