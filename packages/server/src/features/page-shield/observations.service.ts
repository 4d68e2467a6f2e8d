// Pages and what they loaded, told by a proxy, a crawler or a test with a token: refused whole where anything is wrong.
import { DomainError, refuse, type Issue } from '../../platform/domain-error.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { demandZone, type Zone } from '../zones/index.ts'
import { recordCookies } from './cookies.service.ts'
import { cutoffsAt, wholeSeconds } from './life-cycle.rules.ts'
import {
  isOfZone,
  readConnection,
  readPage,
  readScript,
  readUrl,
  type Page,
  type Resource,
} from './resources.rules.ts'
import { retentionOf, settingsOf } from './settings.store.ts'
import { recordSightings, type RecordingDeps, type Sighting } from './sightings.service.ts'

/** One page view. */
export interface Observation {
  readonly pageUrl: string
  /** ISO 8601; undefined = now. */
  readonly observedAt: string | undefined
  readonly scripts: readonly string[]
  readonly connections: readonly string[]
  readonly setCookies: readonly string[]
  readonly cookie: string
}

export interface Observed {
  readonly scripts: number
  readonly connections: number
  readonly cookies: number
  readonly ignored: number
}

export interface ObservationsDeps extends RecordingDeps {
  readonly storage: Storage
}

const DAY_MILLIS = 86_400_000
/** Clocks differ a little. */
const AHEAD_MILLIS = 60_000

export type Observations = ReturnType<typeof createObservations>

export function createObservations({ storage, ...deps }: ObservationsDeps) {
  const { clock } = deps
  return { observe }

  /** @throws DomainError: zone.unknown, page_shield.disabled, page_shield.page_url, page_shield.observed_at, page_shield.url. */
  function observe(zoneId: string, observations: readonly Observation[]): Promise<Observed> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const settings = await settingsOf(tx, zone)
      if (!settings.enabled) throw new DomainError({ reason: 'page_shield.disabled' })
      const read = observations.map((observation, index) =>
        readObservation(observation, `/observations/${index}`, {
          zone,
          withPath: settings.useConnectionUrlPath,
          nowMillis: clock.now(),
        }),
      )
      refuse(read.flatMap(({ issues }) => issues))
      let total: Observed = { scripts: 0, connections: 0, cookies: 0, ignored: 0 }
      const { cookiesForgottenBefore } = cutoffsAt(clock.now(), await retentionOf(tx, zoneId))
      for (const view of read) total = plus(total, await store(tx, zone, view, cookiesForgottenBefore))
      return total
    })
  }

  async function store(
    tx: Transaction,
    zone: Zone,
    { page, seenAt, observation, scripts, connections }: PageView,
    forgottenBefore: string,
  ): Promise<Observed> {
    if (page === undefined) throw new Error('a page that was refused is stored')
    const sighting = (kind: Sighting['kind'], resource: Resource): Sighting => ({
      zoneId: zone.id,
      kind,
      host: page.host,
      ...resource,
      pageUrls: [page.pageUrl],
      seenAt,
      pageViews: 1,
      browserHashes: [],
    })
    const found = {
      script: present(scripts),
      connection: present(connections),
    }
    const script = await recordSightings(
      tx,
      deps,
      found.script.map((one) => sighting('script', one)),
    )
    const connection = await recordSightings(
      tx,
      deps,
      found.connection.map((one) => sighting('connection', one)),
    )
    const { setCookies, cookie } = observation
    const cookies = await recordCookies(tx, { zone, page, seenAt, setCookies, cookie, forgottenBefore })
    const passedOver = [...scripts, ...connections].filter((one) => one === undefined).length
    return {
      scripts: script.stored,
      connections: connection.stored,
      cookies: cookies.stored,
      ignored: passedOver + script.refused + connection.refused + cookies.ignored,
    }
  }
}

/** Each once: what a page loads twice is one sighting in its view. */
const present = (resources: readonly (Resource | undefined)[]): readonly Resource[] => [
  ...new Map(resources.flatMap((one) => (one === undefined ? [] : [[one.url, one]]))).values(),
]

const plus = (a: Observed, b: Observed): Observed => ({
  scripts: a.scripts + b.scripts,
  connections: a.connections + b.connections,
  cookies: a.cookies + b.cookies,
  ignored: a.ignored + b.ignored,
})

interface PageView {
  readonly observation: Observation
  /** undefined where it was refused. */
  readonly page: Page | undefined
  readonly seenAt: string
  /** undefined where it has no place in the inventory. */
  readonly scripts: readonly (Resource | undefined)[]
  readonly connections: readonly (Resource | undefined)[]
  readonly issues: readonly Issue[]
}

interface Surroundings {
  readonly zone: Zone
  readonly withPath: boolean
  readonly nowMillis: number
}

function readObservation(
  observation: Observation,
  at: string,
  { zone, withPath, nowMillis }: Surroundings,
): PageView {
  const page = readPage(observation.pageUrl)
  const isOwn = page !== undefined && isOfZone(page.host, zone.name)
  const millis = observation.observedAt === undefined ? nowMillis : Date.parse(observation.observedAt)
  const isTimely = millis >= nowMillis - DAY_MILLIS && millis <= nowMillis + AHEAD_MILLIS
  const { scripts, connections } = observation
  const values = { zone: zone.name }
  return {
    observation,
    page: isOwn ? page : undefined,
    seenAt: wholeSeconds(isTimely ? millis : nowMillis),
    scripts: scripts.map(readScript),
    connections: connections.map((url) => readConnection(url, withPath)),
    issues: [
      ...(isOwn ? [] : [{ reason: 'page_shield.page_url', pointer: `${at}/page_url`, values } as const]),
      ...(isTimely ? [] : [{ reason: 'page_shield.observed_at', pointer: `${at}/observed_at` } as const]),
      ...urlIssues(scripts, `${at}/scripts`),
      ...urlIssues(connections, `${at}/connections`),
    ],
  }
}

const urlIssues = (urls: readonly string[], at: string): Issue[] =>
  urls.flatMap((url, index) =>
    readUrl(url) !== undefined
      ? []
      : [{ reason: 'page_shield.url', pointer: `${at}/${index}`, values: { url } } as const],
  )
