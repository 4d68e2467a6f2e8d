// cidr(address, v4 bits, v6 bits), cidr6(address, v6 bits)
import { networkAddress } from '../ip.ts'
import { IP } from '../types.ts'
import { isIp, type Maybe } from '../values.ts'
import { defineFunction, type Parameter } from './definition.ts'
import { literalInt } from './parameters.ts'

const address: Parameter = { name: 'address', kind: 'field', types: [IP] }
const V6_BITS = literalInt('IPv6 network bits', 1, 128)

export const cidr = defineFunction({
  name: 'cidr',
  summary: 'The address of the network around an address, by the prefix length of its family.',
  parameters: [address, literalInt('IPv4 network bits', 1, 32), V6_BITS],
  returns: IP,
  implement:
    () =>
    ([ip, v4Bits, v6Bits]) =>
      network(ip, v4Bits, v6Bits),
})

export const cidr6 = defineFunction({
  name: 'cidr6',
  summary: 'The same for IPv6 alone; an IPv4 address comes back unchanged.',
  parameters: [address, V6_BITS],
  returns: IP,
  implement:
    () =>
    ([ip, v6Bits]) =>
      network(ip, 32, v6Bits),
})

const network = (ip: Maybe, v4Bits: Maybe, v6Bits: Maybe): Maybe =>
  isIp(ip) ? networkAddress(ip, Number(ip.family === 4 ? v4Bits : v6Bits)) : undefined
