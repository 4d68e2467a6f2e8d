// HMACs for transaction signatures, from the platform.
import { createHmac } from 'node:crypto'
import type { Hmac } from '@zonereeve/dns'

export const hmac: Hmac = (algorithm, secret, parts) => {
  const running = createHmac(algorithm.slice('hmac-'.length), secret)
  for (const part of parts) running.update(part)
  return new Uint8Array(running.digest())
}
