// The path and query that the origin gets.
import type { Bytes } from '@zonereeve/expr'
import { targetForOrigin } from '@zonereeve/firewall'
import type { EdgeDecision, EdgeRequest } from '../engine.ts'

/** Only where a rule or the zone says so is it not the client's. */
export const forwardedTarget = (
  { zone, forwarded }: Pick<EdgeDecision, 'zone' | 'forwarded'>,
  { target }: Pick<EdgeRequest, 'target'>,
): Bytes =>
  zone === undefined ? target : targetForOrigin(forwarded?.target ?? target, zone.deciding.normalization)
