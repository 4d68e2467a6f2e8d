// Passkeys (WebAuthn): what browsers are asked, and whether their replies are right. User verification is always
// required, so that a passkey is the only factor that is needed.
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { isIP } from 'node:net'
import { createTickets } from './tickets.ts'

export const PASSKEY_CHALLENGE_MILLIS = 5 * 60_000

type Registration = Parameters<typeof verifyRegistrationResponse>[0]['response']
type Assertion = Parameters<typeof verifyAuthenticationResponse>[0]['response']

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** Host name. */
  readonly id: string
  readonly origin: string
}

/** A passkey as it is stored. */
export interface StoredPasskey {
  readonly credentialId: string
  /** COSE key in base64url. */
  readonly publicKey: string
  /** Signatures so far; 0 if the authenticator does not count them. */
  readonly counter: number
  readonly transports: readonly string[]
  /** Host name. */
  readonly site: string
}

/**
 * The relying party of a site; undefined where browsers have no passkeys: under an IP address, and over plain HTTP
 * except on localhost.
 */
export function relyingPartyOf(site: {
  readonly origin: string
  readonly name: string
  readonly isSecure: boolean
}): RelyingParty | undefined {
  const isLocal = site.name === 'localhost' || site.name.endsWith('.localhost')
  if (isIP(site.name.replace(/^\[|\]$/g, '')) !== 0 || !(site.isSecure || isLocal)) return undefined
  return { id: site.name, origin: site.origin }
}

export type PasskeyChecks = ReturnType<typeof createPasskeyChecks>

/** @param now milliseconds since the epoch. */
export function createPasskeyChecks(now: () => number) {
  const tickets = createTickets(now, PASSKEY_CHALLENGE_MILLIS)
  const challengeFor = (purpose: string) => Buffer.from(tickets.issue(purpose), 'base64url')
  return { registrationOptions, acceptRegistration, assertionOptions, acceptAssertion }

  /** What `navigator.credentials.create` needs. @param sessionId only this session may send the reply. */
  function registrationOptions(
    party: RelyingParty,
    sessionId: string,
    user: { readonly id: string; readonly email: string; readonly name: string | null },
    known: readonly StoredPasskey[],
  ) {
    return generateRegistrationOptions({
      rpName: 'Zonereeve',
      rpID: party.id,
      userID: Buffer.from(user.id),
      userName: user.email,
      userDisplayName: user.name ?? user.email,
      challenge: challengeFor(`register ${sessionId}`),
      timeout: PASSKEY_CHALLENGE_MILLIS,
      excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  /** @returns the new passkey; undefined if the reply is wrong, late or was sent before. */
  async function acceptRegistration(
    party: RelyingParty,
    sessionId: string,
    response: unknown,
  ): Promise<StoredPasskey | undefined> {
    const verified = await unlessRefused(() =>
      verifyRegistrationResponse({
        response: response as Registration, // the library checks each member
        expectedChallenge: (challenge) => tickets.take(challenge, `register ${sessionId}`),
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
      }),
    )
    if (verified?.registrationInfo === undefined) return undefined
    const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports,
      site: party.id,
    }
  }

  /** What `navigator.credentials.get` needs. @param sessionId to confirm a session; undefined = to sign in. */
  function assertionOptions(party: RelyingParty, sessionId?: string, allowed: readonly StoredPasskey[] = []) {
    return generateAuthenticationOptions({
      rpID: party.id,
      challenge: challengeFor(purposeOf(sessionId)),
      timeout: PASSKEY_CHALLENGE_MILLIS,
      userVerification: 'required',
      allowCredentials: allowed.map(({ credentialId }) => ({ id: credentialId })),
    })
  }

  /** @returns the new counter; undefined if the reply is wrong, late or was sent before, also for another site. */
  async function acceptAssertion(
    party: RelyingParty,
    passkey: StoredPasskey,
    response: unknown,
    sessionId?: string,
  ): Promise<number | undefined> {
    if (passkey.site !== party.id) return undefined
    const verified = await unlessRefused(() =>
      verifyAuthenticationResponse({
        response: response as Assertion, // the library checks each member
        expectedChallenge: (challenge) => tickets.take(challenge, purposeOf(sessionId)),
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      }),
    )
    return verified?.verified === true ? verified.authenticationInfo.newCounter : undefined
  }
}

const purposeOf = (sessionId: string | undefined): string =>
  sessionId === undefined ? 'sign in' : `confirm ${sessionId}`

/** The library throws for a reply that is malformed or wrong, also for a counter that did not grow: all are refused. */
async function unlessRefused<Result>(check: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await check()
  } catch {
    return undefined
  }
}
