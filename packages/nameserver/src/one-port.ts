// UDP and TCP on one port (RFC 7766 §5: both are required).

/** How often another port is tried when the free port turns out to be free for TCP only. */
const PORT_ATTEMPTS = 20

interface Opened {
  readonly port: number
  close(): void | Promise<void>
}

/**
 * Opens TCP, and UDP at the same port; port 0 picks one that is free for both. @throws the system's error, with nothing
 * open
 */
export async function openOnOnePort<Tcp extends Opened, Udp>(
  port: number,
  openTcp: (port: number) => Tcp | Promise<Tcp>,
  openUdp: (port: number) => Udp | Promise<Udp>,
): Promise<[Tcp, Udp]> {
  for (let attempt = 1; ; attempt += 1) {
    const tcp = await openTcp(port)
    try {
      return [tcp, await openUdp(tcp.port)]
    } catch (error) {
      await tcp.close()
      if (port !== 0 || attempt === PORT_ATTEMPTS || !isPortTaken(error)) throw error
    }
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
