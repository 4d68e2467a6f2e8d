// Evidence for auditors of payment pages: every script, who is responsible for it and whether it changed; as
// CSV, or as a printable page that runs no script and loads nothing.
import { joinInChunks, type StringChunks } from '@zonereeve/platform'
import { analysisStateOf, type AnalysisState } from './analysis-state.rules.ts'
import type { Evidence, EvidenceContent, EvidenceLine } from './authorizations.service.ts'
import { toCsv } from './csv.wire.ts'
import { toWireEvent } from './extensions.wire.ts'
import type { NumberedEvent } from './events.store.ts'
import type { RequirementAnswer } from './requirements.rules.ts'
import { isMalicious } from './scores.rules.ts'

/**
 * The page shows untrusted strings from browser reports: they are escaped, and this policy keeps them from
 * running or loading anything.
 */
export const EVIDENCE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

const COLUMNS = [
  'script_id',
  'url',
  'host',
  'status',
  'first_seen_at',
  'last_seen_at',
  'first_page_url',
  'page_urls',
  'authorization',
  'owner',
  'justification',
  'authorized_by',
  'authorized_at',
  'expires_at',
  'authorized_content_sha256',
  'hash',
  'content_sha256',
  'sri',
  'fetched_at',
  'versions',
  'analysis',
  'js_integrity_score',
  'malicious',
  'malicious_domain_categories',
  'malicious_url_categories',
] as const

export function toEvidenceCsv({ lines }: Evidence): StringChunks {
  return toCsv(COLUMNS, rowsOf(lines))
}

function* rowsOf(lines: readonly EvidenceLine[]) {
  for (const line of lines) yield rowOf(line)
}

const EVENT_COLUMNS = [
  'number',
  'at',
  'kind',
  'resource_id',
  'url',
  'host',
  'page_url',
  'previous_hash',
  'hash',
] as const

export function toEventsCsv({ events }: Evidence): StringChunks {
  return toCsv(EVENT_COLUMNS, eventRowsOf(events))
}

function* eventRowsOf(events: readonly NumberedEvent[]) {
  for (const event of events) yield toWireEvent(event)
}

const CONTENT_COLUMNS = [
  'script_id',
  'url',
  'host',
  'content_sha256',
  'hash',
  'bytes',
  'first_fetched_at',
  'last_fetched_at',
  'first_run_at',
  'last_run_at',
] as const

export function toContentsCsv({ contents }: Evidence): StringChunks {
  return toCsv(CONTENT_COLUMNS, contentRowsOf(contents))
}

function* contentRowsOf(contents: readonly EvidenceContent[]) {
  for (const { span, url, host, run } of contents)
    yield {
      script_id: span.scriptId,
      url,
      host,
      content_sha256: span.contentSha256,
      hash: span.hash,
      bytes: span.byteLength,
      first_fetched_at: span.firstFetchedAt,
      last_fetched_at: span.lastFetchedAt,
      first_run_at: run?.firstSeenAt,
      last_run_at: run?.lastSeenAt,
    }
}

function rowOf({ script, status, versions, authorization }: EvidenceLine) {
  const given = authorization?.authorization
  return {
    script_id: script.id,
    url: script.url,
    host: script.host,
    status,
    first_seen_at: script.firstSeenAt,
    last_seen_at: script.lastSeenAt,
    first_page_url: script.firstPageUrl,
    page_urls: script.pageUrls,
    authorization: authorization?.state ?? 'missing',
    owner: given?.owner,
    justification: given?.justification,
    authorized_by: given?.authorizedBy,
    authorized_at: given?.authorizedAt,
    expires_at: given?.expiresAt,
    authorized_content_sha256: given?.contentSha256,
    hash: script.hash,
    content_sha256: script.contentSha256,
    sri: script.sri,
    fetched_at: script.fetchedAt,
    versions,
    analysis: analysisStateOf(script),
    js_integrity_score: script.scores?.jsIntegrity,
    malicious: isMalicious(script, script.scores),
    malicious_domain_categories: script.domainCategories,
    malicious_url_categories: script.urlCategories,
  }
}

export function toEvidenceHtml(evidence: Evidence, requirements: readonly RequirementAnswer[]): StringChunks {
  return joinInChunks(htmlOf(evidence, requirements))
}

function* htmlOf(
  { zone, at, lines, events, eventCount, contents }: Evidence,
  requirements: readonly RequirementAnswer[],
): Generator<string> {
  const states = lines.map(({ authorization }) => authorization?.state ?? 'missing')
  const summary = STATES.map(
    (state) => `<li><b>${states.filter((one) => one === state).length}</b> ${STATE_WORDS[state]}</li>`,
  )
  const title = `Scripts of ${zone.name}`
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(title)}</h1>
<p>As of ${escape(at)}. ${lines.length} scripts that browsers reported on the pages of this zone, with their authorisations
and the integrity of their contents (PCI DSS 4.0.1, requirements 6.4.3 and 11.6.1).</p>
<ul class="summary">${summary.join('')}</ul>
<h2>Requirements</h2>
`
  yield* table(['PCI DSS 4.0.1', 'It description for', 'Data', 'Missing'], requirements, requirementCells)
  yield `
<h2>Scripts</h2>
`
  yield* table(['Script', 'Seen on', 'Authorisation', 'Justification', 'Integrity'], lines, scriptCells)
  const printed = contents.slice(0, MAX_PRINTED_CONTENTS)
  yield `
<h2>Contents</h2>
<p>Which content of each script was fetched when, and when browsers reported to have run it. ${printed.length} of ${contents.length}; Firefox
reports no hashes of contents.</p>
`
  yield* table(['Script', 'Content', 'Fetched', 'Run by browsers'], printed, contentCells)
  yield `
<h2>Changes</h2>
<p>${events.length} of ${eventCount}, newest first.</p>
`
  yield* table(['When', 'What', 'Script or connection', 'Page', 'Content'], events, eventCells)
  yield `
</body>
</html>
`
}

const STATES = ['valid', 'unverified', 'expired', 'changed', 'bytes_changed', 'unfetched', 'missing'] as const

const STATE_WORDS = {
  valid: 'authorised',
  unverified: 'whose authorization names no content yet',
  expired: 'with an authorization that has expired',
  changed: 'that changed since they were authorized',
  bytes_changed: 'whose bytes changed since, with the same structure',
  unfetched: 'for which browsers ran content that was never fetched',
  missing: 'without authorisation',
} as const

const requirementCells = ({ requirement, description, data, missing }: RequirementAnswer): string[] => [
  requirement,
  escape(description),
  data.map(escape).join('<br>'),
  missing.length === 0
    ? '<b class="valid">nothing</b>'
    : missing.map((text) => `<b class="missing">${escape(text)}</b>`).join('<br>'),
]

function scriptCells({ script, status, versions, authorization }: EvidenceLine): string[] {
  const given = authorization?.authorization
  const state = authorization?.state ?? 'missing'
  return [
    `<code>${escape(script.url)}</code><br><small>${script.id}</small>`,
    `${escape(script.host)}<br><small>${status}, ${script.firstSeenAt} to ${script.lastSeenAt}</small>`,
    given === undefined
      ? `<b class="${state}">none</b>`
      : `<b class="${state}">${state}</b><br>${escape(given.owner)}<br><small>by ${escape(given.authorizedBy)}, ${escape(given.authorizedAt)}${given.expiresAt === null ? '' : ` until ${escape(given.expiresAt)}`}</small>`,
    given === undefined ? '' : escape(given.justification),
    script.contentSha256 === null || script.fetchedAt === null
      ? 'not fetched'
      : `<small>SHA-256 <code>${escape(script.contentSha256)}</code><br>${versions} ${versions === 1 ? 'version' : 'versions'}, fetched ${escape(script.fetchedAt)}</small>${isMalicious(script, script.scores) ? '<br><b class="missing">malicious</b>' : ''}${NOT_SCORED[analysisStateOf(script)]}`,
  ]
}

/** A missing score must be explained: otherwise the row looks as if nothing was found. */
const NOT_SCORED: Readonly<Record<AnalysisState, string>> = {
  waiting: '',
  unconfirmed: '',
  scored: '',
  too_long: '<br>not scored: too long',
  too_deep: '<br><b class="changed">not scored: nested too deeply to be parsed</b>',
  no_script: '<br>not scored: no script that could be parsed',
  out_of_time: '<br><b class="changed">not scored: its analysis took too long</b>',
  broken_off: '<br><b class="changed">not scored: its analysis broke off</b>',
}

const MAX_PRINTED_CONTENTS = 2000

const contentCells = ({ span, url, host, run }: EvidenceContent): string[] => [
  `<code>${escape(url)}</code><br><small>${escape(host)}</small>`,
  `<small>SHA-256 <code>${escape(span.contentSha256)}</code><br>${span.byteLength} bytes</small>`,
  `${escape(span.firstFetchedAt)} to ${escape(span.lastFetchedAt)}`,
  run === undefined ? 'not reported' : `${escape(run.firstSeenAt)} to ${escape(run.lastSeenAt)}`,
]

const eventCells = (event: NumberedEvent): string[] => [
  escape(event.at),
  escape(event.kind),
  `<code>${escape(event.url)}</code>`,
  escape(event.pageUrl),
  event.hash === null ? '' : `<small><code>${escape(event.hash)}</code></small>`,
]

function* table<Row>(
  heads: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly string[],
): Generator<string> {
  yield `<table><thead><tr>${heads.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead><tbody>`
  for (const row of rows)
    yield `<tr>${cellsOf(row)
      .map((cell) => `<td>${cell}</td>`)
      .join('')}</tr>\n`
  yield '</tbody></table>'
}

const escape = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)

const STYLE = `
body{font:14px/1.45 system-ui,sans-serif;color:#1b2430;margin:1.5rem auto;max-width:70rem;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:1.6rem}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #d9dfe6;padding:.35rem .5rem;text-align:left;vertical-align:top}
th{background:#f6f8fa}code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}small{color:#56616f}
.summary{display:flex;flex-wrap:wrap;gap:1.5rem;list-style:none;padding:0}
.valid{color:#0b6b43}.expired,.changed,.bytes_changed,.unverified{color:#8a4b00}.missing,.unfetched{color:#b3261e}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark}body{color:#e3e8ee;background:#14181d}
th,td{border-color:#39424d}th{background:#1d232a}small{color:#a3adb9}
.valid{color:#5fd3a0}.expired,.changed,.bytes_changed,.unverified{color:#f0b35a}
.missing,.unfetched{color:#ff8f85}}
@media print{body{margin:0;max-width:none}thead{display:table-header-group}tr{break-inside:avoid}}
`
