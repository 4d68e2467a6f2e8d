// Records cookies in the inventory: those that the site sets, and those of which only the name is known, because browsers
// send them or scripts can read them.
import type { Transaction } from '@zonereeve/storage'
import { findZone } from '../../zones/index.ts'
import { defaultPath, isSentTo, readSetCookie, type CookieDefinition } from './cookies.rules.ts'
import {
  cookiesNamed,
  countCookies,
  deleteCookie,
  findCookie,
  saveCookie,
  type StoredCookie,
} from './cookies.store.ts'
import { cutoffsAt } from './life-cycle.rules.ts'
import { createReporterBudget, type BudgetDeps } from './reporters.service.ts'
import { isOfZone, mergePages, resourceId, type Page } from './resources.rules.ts'
import { retentionOf } from './settings.store.ts'

export const MAX_COOKIES = 10_000

export interface CookieDetection {
  readonly zone: { readonly id: string; readonly name: string }
  readonly page: Page
  /** In whole seconds. */
  readonly seenAt: string
  /** Cookies last seen before this are assumed to be deleted. */
  readonly forgottenBefore: string
}

/** A Set-Cookie header or what a script has set, written like one; or the name of a cookie from a Cookie header. */
export type CookieSource =
  | { readonly kind: 'set'; readonly header: string; readonly setBy: 'response' | 'script' }
  | { readonly kind: 'sent'; readonly name: string }

/** @returns how many cookies were recorded and how many were not. */
export async function recordCookies(
  tx: Transaction,
  detection: CookieDetection,
  sources: readonly CookieSource[],
): Promise<{ readonly stored: number; readonly ignored: number }> {
  let stored = 0
  let ignored = 0
  for (const source of sources) {
    const isStored =
      source.kind === 'set'
        ? await recordSetCookie(tx, detection, source.setBy, readSetCookie(source.header))
        : await recordName(tx, detection, { ...source, setBy: null, isReadable: false })
    if (isStored) stored += 1
    else ignored += 1
    await tx.yieldIfDue()
  }
  return { stored, ignored }
}

async function recordSetCookie(
  tx: Transaction,
  detection: CookieDetection,
  setBy: 'response' | 'script',
  definition: CookieDefinition | undefined,
): Promise<boolean> {
  if (definition === undefined) return false
  // Browsers ignore such a cookie: scripts cannot set what they cannot read.
  if (setBy === 'script' && definition.httpOnly) return false
  const { zone, page } = detection
  const { name, domain } = definition
  // Browsers reject a cookie whose domain does not match the page's host (RFC 6265bis §5.7).
  if (domain !== null && !(isSentTo(page.host, { domain, isHostOnly: false }) && isOfZone(domain, zone.name)))
    return false
  const [ownDomain, path] = [domain ?? '', definition.path ?? ''] // in the ID, '' stands for none
  const id = resourceId(zone.id, 'cookie', page.host, name, ownDomain, path)
  const isStored = await save(tx, detection, {
    id,
    type: 'first_party',
    ...definition,
    domain: domain ?? page.host,
    isHostOnly: domain === null,
    path: definition.path ?? defaultPath(page),
    setBy,
  })
  // The cookie was unknown so far; now its definition is known.
  if (isStored) await deleteCookie(tx, unknownId(detection, name))
  return isStored
}

/** The name of a cookie that the monitoring script of a page has reported. */
export interface CookieName {
  readonly zoneId: string
  readonly page: Page
  readonly name: string
  /** Whether it was set while the page was open: by a script, as far as its response is not known to have set it. */
  readonly isChanged: boolean
  /** In whole seconds. */
  readonly seenAt: string
  /** The network that first reported it. */
  readonly reporter: string
}

/** Stores reported names, unless the zone was deleted. @returns how many were not, because of which limit. */
export async function recordCookieNames(
  tx: Transaction,
  deps: BudgetDeps,
  zoneId: string,
  names: readonly CookieName[],
): Promise<{ readonly refused: number; readonly overBudget: number }> {
  const zone = await findZone(tx, zoneId)
  if (zone === undefined) return { refused: 0, overBudget: 0 }
  const budget = createReporterBudget(tx, deps, zoneId)
  const { cookiesForgottenBefore } = cutoffsAt(deps.clock.now(), await retentionOf(tx, zoneId))
  let refused = 0
  let overBudget = 0
  for (const { page, name, isChanged, seenAt, reporter } of names) {
    const detection = { zone, page, seenAt, forgottenBefore: cookiesForgottenBefore }
    const seenName = { name, setBy: isChanged ? ('script' as const) : null, isReadable: true }
    if (!(await isKnown(tx, detection, seenName)) && !(await budget.admits([reporter], 'resources')))
      overBudget += 1
    else if (!(await recordName(tx, detection, seenName))) refused += 1
    await tx.yieldIfDue()
  }
  await budget.save()
  return { refused, overBudget }
}

interface SeenName {
  readonly name: string
  readonly setBy: 'script' | null
  /** Scripts can read it, so it is not HttpOnly. */
  readonly isReadable: boolean
}

const isKnown = async (tx: Transaction, detection: CookieDetection, seenName: SeenName): Promise<boolean> =>
  (await definitionsOf(tx, detection, seenName)).length > 0 ||
  (await findCookie(tx, detection.zone.id, unknownId(detection, seenName.name))) !== undefined

/** The known definitions that explain a name. */
const definitionsOf = async (
  tx: Transaction,
  { zone, page, forgottenBefore }: CookieDetection,
  { name, isReadable }: SeenName,
): Promise<readonly StoredCookie[]> =>
  (await cookiesNamed(tx, zone.id, name)).filter(
    (cookie) =>
      cookie.type === 'first_party' &&
      cookie.lastSeenAt >= forgottenBefore &&
      isSentTo(page.host, cookie) &&
      !(isReadable && cookie.httpOnly),
  )

/**
 * Records an unknown cookie if no known definition explains the name; otherwise updates that cookie's last
 * detection.
 */
async function recordName(tx: Transaction, detection: CookieDetection, seenName: SeenName): Promise<boolean> {
  const { page } = detection
  const { name, setBy } = seenName
  const explaining = await definitionsOf(tx, detection, seenName)
  for (const cookie of explaining) await save(tx, detection, cookie)
  if (explaining.length > 0) return true
  return save(tx, detection, {
    id: unknownId(detection, name),
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
    setBy,
  })
}

const unknownId = ({ zone, page }: CookieDetection, name: string): string =>
  resourceId(zone.id, 'cookie', page.host, name, 'unknown')

type Described = Omit<
  StoredCookie,
  'zoneId' | 'host' | 'firstSeenAt' | 'lastSeenAt' | 'firstPageUrl' | 'pageUrls'
>

/** @returns false if the limit is reached. */
async function save(tx: Transaction, detection: CookieDetection, described: Described): Promise<boolean> {
  const { zone, page, seenAt, forgottenBefore } = detection
  const found = await findCookie(tx, zone.id, described.id)
  const known = found !== undefined && found.lastSeenAt >= forgottenBefore ? found : undefined
  if (found === undefined && (await countCookies(tx, zone.id)) >= MAX_COOKIES) return false
  await saveCookie(tx, {
    ...described,
    setBy: described.setBy ?? known?.setBy ?? null, // null = not known now, and was not known before
    zoneId: zone.id,
    host: known?.host ?? page.host,
    firstSeenAt: known?.firstSeenAt ?? seenAt,
    lastSeenAt: known !== undefined && known.lastSeenAt > seenAt ? known.lastSeenAt : seenAt,
    firstPageUrl: known?.firstPageUrl ?? page.pageUrl,
    pageUrls: mergePages([page.pageUrl], known?.pageUrls ?? []), // the first detection
  })
  return true
}
