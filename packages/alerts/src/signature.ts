// Signatures of requests to webhooks.
import { createHmac } from 'node:crypto'

/**
 * `t=SECONDS,v1=HEX`: the time is signed together with the body, so that replays of old deliveries are
 * detected.
 *
 * @param nowMillis milliseconds since 1970
 */
export function signatureOf(secret: string, body: string, nowMillis: number): string {
  const seconds = Math.floor(nowMillis / 1000)
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${digest}`
}
