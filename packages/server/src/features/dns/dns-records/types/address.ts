// A and AAAA: an address as content.
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '@zonereeve/dns'
import type { ErrorCode } from '@zonereeve/platform'
import { defineWireType, type ReadValue, type ValueInput } from './wire-type.ts'

function readAddress(
  { content }: ValueInput,
  parse: (text: string) => Uint8Array | undefined,
  format: (octets: Uint8Array) => string,
  reason: ErrorCode,
) {
  const octets = content === undefined ? undefined : parse(content.trim())
  if (octets === undefined) return [{ reason, pointer: '/content' }]
  return { value: { address: format(octets) } } satisfies ReadValue<'A'>
}

export const a = defineWireType({
  type: 'A',
  proxiable: true,
  read: (input) => readAddress(input, parseIpv4, formatIpv4, 'record.a_content'),
  show: ({ address }) => ({ content: address }),
  judge: () => [],
})

export const aaaa = defineWireType({
  type: 'AAAA',
  proxiable: true,
  read: (input) => readAddress(input, parseIpv6, formatIpv6, 'record.aaaa_content'),
  show: ({ address }) => ({ content: address }),
  judge: () => [],
})
