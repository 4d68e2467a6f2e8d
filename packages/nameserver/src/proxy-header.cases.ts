// For tests: headers of the PROXY protocol.

export interface Proxied {
  /** 4 or 16 octets, as those of `server`. */
  readonly client: Uint8Array
  readonly server: Uint8Array
  readonly ports: readonly [client: number, server: number]
  readonly transport: 'udp' | 'tcp'
  /** Extensions behind the addresses. */
  readonly extensions?: Uint8Array
}

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')

/** A header that says that what follows is from `client`. */
export function proxyHeader({
  client,
  server,
  ports,
  transport,
  extensions = new Uint8Array(0),
}: Proxied): Buffer {
  const family = ((client.length === 4 ? 1 : 2) << 4) | (transport === 'tcp' ? 1 : 2)
  const body = [...client, ...server, ...ports.flatMap((port) => [port >> 8, port & 0xff]), ...extensions]
  return Buffer.from([...SIGNATURE, 0x21, family, body.length >> 8, body.length & 0xff, ...body])
}

/** A header with which the proxy speaks for itself. */
export const localHeader = Buffer.from([...SIGNATURE, 0x20, 0, 0, 0])
