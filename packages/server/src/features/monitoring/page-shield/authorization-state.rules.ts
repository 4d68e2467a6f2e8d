// The current state of an authorization: it is valid for exactly one content, byte for byte.

export type AuthorizationState =
  | 'valid'
  | 'unverified'
  | 'expired'
  | 'changed'
  | 'bytes_changed'
  | 'unfetched'

export interface Authorized {
  readonly authorizedAt: string
  /** null = never. */
  readonly expiresAt: string | null
  readonly hash: string | null
  readonly contentSha256: string | null
}

/** The current state of the script. */
export interface Present {
  readonly hash: string | null
  readonly contentSha256: string | null
  /** When a browser was last reported to run content that was never fetched; undefined = never. */
  readonly unfetchedAt: string | undefined
}

/** @param present undefined = the script no longer exists. */
export function authorizationStateOf(
  authorized: Authorized,
  present: Present | undefined,
  nowMillis: number,
): AuthorizationState {
  const { authorizedAt, expiresAt, hash, contentSha256 } = authorized
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMillis) return 'expired'
  if (hash === null && contentSha256 === null) return 'unverified'
  if (present === undefined || present.contentSha256 === null) return 'unverified'
  if (!isSameContent(authorized, present))
    return hash !== null && hash === present.hash ? 'bytes_changed' : 'changed'
  return present.unfetchedAt !== undefined && present.unfetchedAt > authorizedAt ? 'unfetched' : 'valid'
}

/** Equal bytes are equal content, even if another analysis version computes another structure hash. */
function isSameContent({ hash, contentSha256 }: Authorized, present: Present): boolean {
  // Authorizations from before digests were stored have only the structure hash.
  return contentSha256 === null ? hash === present.hash : contentSha256 === present.contentSha256
}
