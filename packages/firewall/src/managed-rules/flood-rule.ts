// The rule of the HTTP DDoS ruleset: a rate limit with published defaults, for each client address.

/** Requests per period that are one too many, by the sensitivity of an override. */
export type FloodLimits = Readonly<Record<'default' | 'medium' | 'low', number>>

/** Seconds over which requests are counted. */
export const FLOOD_PERIOD_SECONDS = 10
/** Seconds for which the action lasts after a client has sent too many requests. */
export const FLOOD_MITIGATION_SECONDS = 60
/** Clients choose from the addresses of a whole IPv6 network of 64 bits. */
export const FLOOD_CHARACTERISTIC = 'cidr(ip.src, 32, 64)'

export const FLOOD_RULE = {
  id: '5bb5a20f4b7d11f29e0638717411a792',
  ref: 'f1ec66b300f9d019b3beeec28ecc04ba',
  description: 'HTTP flood: one client sends far more requests than people and ordinary programs do.',
  categories: ['generic'],
  action: 'block',
  enabled: true,
  limits: { default: 2_000, medium: 5_000, low: 20_000 } satisfies FloodLimits,
} as const
