// Cookies into the inventory: those that the site sets, and those that only browsers send.
import type { Transaction } from '../../storage/index.ts'
import { defaultPath, isSentTo, readSetCookie, type CookieDefinition } from './cookies.rules.ts'
import {
  cookiesNamed,
  countCookies,
  deleteCookie,
  findCookie,
  saveCookie,
  type StoredCookie,
} from './cookies.store.ts'
import { isOfZone, mergePages, resourceId, type Page } from './resources.rules.ts'

export const MAX_COOKIES = 10_000

export interface CookieSighting {
  readonly zone: { readonly id: string; readonly name: string }
  readonly page: Page
  /** In whole seconds. */
  readonly seenAt: string
  /** Cookies seen last before this were deleted, as far as anybody can tell. */
  readonly forgottenBefore: string
}

/** A Set-Cookie header, or the name of a cookie that was sent. */
export type CookieSource =
  | { readonly kind: 'set'; readonly header: string }
  | { readonly kind: 'sent'; readonly name: string }

/** Between them, everybody else gets their turn. */
const COOKIES_AT_ONCE = 32

/** @returns how many cookies were stored or seen again, and how many were not. */
export async function recordCookies(
  tx: Transaction,
  sighting: CookieSighting,
  sources: readonly CookieSource[],
): Promise<{ readonly stored: number; readonly ignored: number }> {
  let stored = 0
  let ignored = 0
  for (const [index, source] of sources.entries()) {
    const isStored =
      source.kind === 'set'
        ? await recordSetCookie(tx, sighting, readSetCookie(source.header))
        : await recordSent(tx, sighting, source.name)
    if (isStored) stored += 1
    else ignored += 1
    if (index % COOKIES_AT_ONCE === COOKIES_AT_ONCE - 1) await tx.pause()
  }
  return { stored, ignored }
}

async function recordSetCookie(
  tx: Transaction,
  sighting: CookieSighting,
  definition: CookieDefinition | undefined,
): Promise<boolean> {
  if (definition === undefined) return false
  const { zone, page } = sighting
  const { name, domain } = definition
  // A browser takes no cookie for a domain that the page is not of (RFC 6265bis §5.7).
  if (domain !== null && !(isSentTo(page.host, { domain, isHostOnly: false }) && isOfZone(domain, zone.name)))
    return false
  const id = resourceId(zone.id, 'cookie', page.host, name, domain ?? '', definition.path ?? '')
  const isStored = await save(tx, sighting, {
    id,
    type: 'first_party',
    ...definition,
    domain: domain ?? page.host,
    isHostOnly: domain === null,
    path: definition.path ?? defaultPath(page),
  })
  // What was unknown so far is known now.
  if (isStored) await deleteCookie(tx, unknownId(sighting, name))
  return isStored
}

/** A name that no cookie of the site explains is unknown; one that is explained is seen again. */
async function recordSent(tx: Transaction, sighting: CookieSighting, name: string): Promise<boolean> {
  const { zone, page, forgottenBefore } = sighting
  const explaining = (await cookiesNamed(tx, zone.id, name)).filter(
    (cookie) =>
      cookie.type === 'first_party' && cookie.lastSeenAt >= forgottenBefore && isSentTo(page.host, cookie),
  )
  for (const cookie of explaining) await save(tx, sighting, cookie)
  if (explaining.length > 0) return true
  return save(tx, sighting, {
    id: unknownId(sighting, name),
    type: 'unknown',
    name,
    domain: page.host,
    isHostOnly: true,
    path: defaultPath(page),
    expires: null,
    maxAgeSeconds: null,
    httpOnly: false,
    secure: false,
    sameSite: null,
  })
}

const unknownId = ({ zone, page }: CookieSighting, name: string): string =>
  resourceId(zone.id, 'cookie', page.host, name, 'unknown')

type Described = Omit<
  StoredCookie,
  'zoneId' | 'host' | 'firstSeenAt' | 'lastSeenAt' | 'firstPageUrl' | 'pageUrls'
>

/** @returns false where there is no room for another one. */
async function save(tx: Transaction, sighting: CookieSighting, described: Described): Promise<boolean> {
  const { zone, page, seenAt, forgottenBefore } = sighting
  const found = await findCookie(tx, zone.id, described.id)
  const known = found !== undefined && found.lastSeenAt >= forgottenBefore ? found : undefined
  if (found === undefined && (await countCookies(tx, zone.id)) >= MAX_COOKIES) return false
  await saveCookie(tx, {
    ...described,
    zoneId: zone.id,
    host: known?.host ?? page.host,
    firstSeenAt: known?.firstSeenAt ?? seenAt,
    lastSeenAt: known !== undefined && known.lastSeenAt > seenAt ? known.lastSeenAt : seenAt,
    firstPageUrl: known?.firstPageUrl ?? page.pageUrl,
    pageUrls: mergePages([page.pageUrl], known?.pageUrls ?? []),
  })
  return true
}
