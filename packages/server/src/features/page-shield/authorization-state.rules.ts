// What an authorisation is worth now: it holds for one content, to the octet.

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

/** What the script is at present. */
export interface Present {
  readonly hash: string | null
  readonly contentSha256: string | null
  /** When it was last noticed that a browser ran what was never fetched; undefined = never. */
  readonly unfetchedAt: string | undefined
}

/** @param present undefined = the script is not there any more. */
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

/** The same octets are the same content, though another analysis may tell another hash of them. */
function isSameContent({ hash, contentSha256 }: Authorized, present: Present): boolean {
  // Authorisations that are older than the digests beside them have the hash alone.
  return contentSha256 === null ? hash === present.hash : contentSha256 === present.contentSha256
}
