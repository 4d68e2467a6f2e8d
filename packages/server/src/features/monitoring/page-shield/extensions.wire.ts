// Maps our own extensions to monitoring between wire format and domain model.
import type {
  AuthorizationPut,
  SamplingPut,
  WireAuthorization,
  WireBeacon,
  WireContents,
  WireEvent,
  WireExplanation,
  WireObservation,
  WireRequirement,
  WireSampling,
} from '@zonereeve/contract'
import { analysisStateOf } from './analysis-state.rules.ts'
import type { AuthorizationDraft, ShownAuthorization } from './authorizations.service.ts'
import type { Observation } from './observations.service.ts'
import type { NumberedEvent } from './events.store.ts'
import type { ScriptContents } from './inventory.service.ts'
import { wireScores } from './page-shield.wire.ts'
import type { RequirementAnswer } from './requirements.rules.ts'
import type { ShownBeacon } from './reporting.service.ts'
import type { SamplingPatch } from './sampling.rules.ts'
import { MALICIOUS_BELOW, NO_SCORES, verdictsOn } from './scores.rules.ts'
import type { ShownSampling } from './settings.service.ts'

export const toObservation = ({
  page_url: pageUrl,
  observed_at: observedAt,
  scripts = [],
  connections = [],
  frames = [],
  set_cookie: setCookies = [],
  script_cookies: scriptCookies = [],
  cookie = '',
}: WireObservation): Observation => ({
  pageUrl,
  observedAt,
  scripts,
  connections,
  frames,
  setCookies,
  scriptCookies,
  cookie,
})

export const toSamplingPatch = (body: SamplingPut): SamplingPatch => ({
  mode: body.mode,
  oneIn: body.one_in,
  wholePaths: body.whole_paths,
  alsoReport: body.also_report,
  beacon: body.beacon,
})

export const toWireSampling = ({ sampling, reportsADay, oneInNow }: ShownSampling): WireSampling => ({
  mode: sampling.mode,
  one_in: sampling.mode === 'fixed' ? sampling.oneIn : null,
  whole_paths: [...sampling.wholePaths],
  also_report: [...sampling.alsoReport],
  beacon: sampling.beacon,
  now: { one_in: oneInNow, reports_a_day: reportsADay },
})

export const toWireBeacon = ({
  isEnabled,
  scriptUrl,
  integrity,
  reportUrl,
  expiresAt,
  oneIn,
}: ShownBeacon): WireBeacon => ({
  enabled: isEnabled,
  script_url: scriptUrl,
  integrity,
  report_url: reportUrl,
  expires_at: expiresAt,
  one_in: oneIn,
  // None of the values has a character that could end an attribute.
  element: `<script async src="${scriptUrl}" integrity="${integrity}" crossorigin="anonymous" data-report="${reportUrl.replaceAll('&', '&amp;')}"></script>`,
})

export const toWireEvent = (event: NumberedEvent): WireEvent => ({
  number: event.number,
  at: event.at,
  kind: event.kind,
  resource_id: event.resourceId,
  url: event.url,
  host: event.host,
  page_url: event.pageUrl,
  previous_hash: event.previousHash,
  hash: event.hash,
})

export const toAuthorizationDraft = (body: AuthorizationPut): AuthorizationDraft => ({
  owner: body.owner,
  justification: body.justification,
  authorizedBy: body.authorized_by,
  expiresAt: body.expires_at ?? null,
  contentSha256: body.content_sha256,
})

export const toWireAuthorization = ({ authorization, state }: ShownAuthorization): WireAuthorization => ({
  script_id: authorization.scriptId,
  url: authorization.url,
  host: authorization.host,
  owner: authorization.owner,
  justification: authorization.justification,
  authorized_by: authorization.authorizedBy,
  authorized_at: authorization.authorizedAt,
  expires_at: authorization.expiresAt,
  hash: authorization.hash,
  content_sha256: authorization.contentSha256,
  state,
})

const latestReasons = ([latest]: ScriptContents['versions']) => latest?.reasons ?? [] // never fetched

const toWireContent = ({ span, run, isStored }: ScriptContents['history'][number]) => ({
  content_sha256: span.contentSha256,
  hash: span.hash,
  bytes: span.byteLength,
  first_fetched_at: span.firstFetchedAt,
  last_fetched_at: span.lastFetchedAt,
  first_run_at: run?.firstSeenAt ?? null,
  last_run_at: run?.lastSeenAt ?? null,
  source: isStored,
})

export function toWireContents({ script, versions, browserHashes, history }: ScriptContents): WireContents {
  return {
    content_sha256: script.contentSha256,
    sri: script.sri,
    next_fetch_at: script.fetchDueAt,
    failures: script.fetchFailures,
    problem: script.fetchProblem,
    analysis: analysisStateOf(script),
    reasons: [...latestReasons(versions)],
    history: history.map(toWireContent),
    browser_hashes: browserHashes.map(({ hash, firstSeenAt, lastSeenAt, isFetched }) => ({
      hash,
      first_seen_at: firstSeenAt,
      last_seen_at: lastSeenAt,
      fetched: isFetched,
    })),
    versions: versions.map(({ hash, contentSha256, sri, scores, fetchedAt, reasons }) => ({
      hash,
      content_sha256: contentSha256,
      sri,
      ...wireScores(scores ?? NO_SCORES),
      fetched_at: fetchedAt,
      reasons: [...reasons],
    })),
  }
}

export function toWireExplanation({ script, versions }: ScriptContents): WireExplanation {
  const verdicts = verdictsOn(script, script.scores)
  return {
    script_id: script.id,
    url: script.url,
    malicious: verdicts.length > 0,
    because: [...verdicts],
    threshold: MALICIOUS_BELOW,
    hash: script.hash,
    ...wireScores(script.scores ?? NO_SCORES),
    analysis: analysisStateOf(script),
    reasons: [...latestReasons(versions)],
    fetched_at: script.fetchedAt,
    next_fetch_at: script.fetchDueAt,
    problem: script.fetchProblem,
    versions: versions.map(({ hash, scores, fetchedAt, reasons }) => ({
      hash,
      ...wireScores(scores ?? NO_SCORES),
      fetched_at: fetchedAt,
      reasons: [...reasons],
    })),
  }
}

export const toWireRequirement = ({
  requirement,
  description,
  data,
  missing,
}: RequirementAnswer): WireRequirement => ({
  requirement,
  description,
  state: missing.length === 0 ? 'answered' : 'incomplete',
  data: [...data],
  missing: [...missing],
})
