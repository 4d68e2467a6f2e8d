// HTTP routes of our own extensions to monitoring.
import {
  pageShieldAuthorizations as authorizing,
  pageShieldExtensions as operations,
} from '@zonereeve/contract'
import { readPage, route, type Route } from '../../../http/index.ts'
import type { Authorizations } from './authorizations.service.ts'
import type { Contents } from './contents.service.ts'
import { CSV_TYPE, csvName } from './csv.wire.ts'
import type { Events } from './events.service.ts'
import {
  EVIDENCE_HEADERS,
  toContentsCsv,
  toEventsCsv,
  toEvidenceCsv,
  toEvidenceHtml,
} from './evidence.wire.ts'
import {
  toAuthorizationDraft,
  toObservation,
  toSamplingPatch,
  toWireAuthorization,
  toWireBeacon,
  toWireContents,
  toWireEvent,
  toWireExplanation,
  toWireRequirement,
  toWireSampling,
} from './extensions.wire.ts'
import type { Inventory } from './inventory.service.ts'
import type { Observations } from './observations.service.ts'
import { toRetentionPatch, toWireRetention } from './page-shield.wire.ts'
import type { RequirementAnswer } from './requirements.rules.ts'
import type { Reporting } from './reporting.service.ts'
import type { PageShieldSettings } from './settings.service.ts'

export interface ExtensionRoutesDeps {
  readonly settings: PageShieldSettings
  readonly inventory: Inventory
  readonly observations: Observations
  readonly reporting: Pick<Reporting, 'beacon'>
  readonly contents: Pick<Contents, 'fetchNow'>
  readonly authorizations: Authorizations
  readonly events: Events
  readonly requirements: (zoneId: string) => Promise<readonly RequirementAnswer[]>
}

const EVENTS_PER_PAGE = 50
const AUTHORIZATIONS_PER_PAGE = 50
/** The latest events; the CSV file has as many as other exports have lines. */
const EVENTS_OF_EVIDENCE = { csv: 0, csv_contents: 0, csv_events: 50_000, html: 500 } as const

const EVIDENCE_TABLES = {
  csv: ['evidence', toEvidenceCsv],
  csv_events: ['events', toEventsCsv],
  csv_contents: ['contents', toContentsCsv],
} as const

export function pageShieldExtensionRoutes(deps: ExtensionRoutesDeps): Route[] {
  return [...monitoringRoutes(deps), ...evidenceRoutes(deps)]
}

function monitoringRoutes({
  settings,
  inventory,
  observations,
  contents,
  reporting,
}: ExtensionRoutesDeps): Route[] {
  return [
    route(operations.getRetention, async ({ params }) => ({
      result: toWireRetention(await settings.getRetention(params.zone_id)),
    })),
    route(operations.putRetention, async ({ params, body, actor }) => ({
      result: toWireRetention(await settings.editRetention(params.zone_id, toRetentionPatch(body), actor)),
    })),
    route(operations.getSampling, async ({ params }) => ({
      result: toWireSampling(await settings.getSampling(params.zone_id)),
    })),
    route(operations.putSampling, async ({ params, body, actor }) => ({
      result: toWireSampling(await settings.editSampling(params.zone_id, toSamplingPatch(body), actor)),
    })),
    route(operations.beacon, async ({ params, query }) => ({
      result: toWireBeacon(await reporting.beacon(params.zone_id, query.path ?? '/')),
    })),
    route(operations.observe, async ({ params, body }) => ({
      result: await observations.observe(params.zone_id, body.observations.map(toObservation)),
    })),
    route(operations.contents, async ({ params }) => ({
      result: toWireContents(await inventory.contents(params.zone_id, params.script_id)),
    })),
    route(operations.fetchNow, async ({ params }) => {
      await contents.fetchNow(params.zone_id, params.script_id)
      return { result: toWireContents(await inventory.contents(params.zone_id, params.script_id)) }
    }),
    route(operations.explanation, async ({ params }) => ({
      result: toWireExplanation(await inventory.contents(params.zone_id, params.script_id)),
    })),
  ]
}

function evidenceRoutes({ authorizations, events, requirements }: ExtensionRoutesDeps): Route[] {
  return [
    route(authorizing.get, async ({ params }) => ({
      result: toWireAuthorization(await authorizations.get(params.zone_id, params.script_id)),
    })),
    route(authorizing.list, async ({ params, query }) => {
      const ids = query.script_ids?.split(',')
      return readPage(query, AUTHORIZATIONS_PER_PAGE, async (range) => {
        const { items, totalCount } = await authorizations.list(params.zone_id, ids, range)
        return { items: items.map(toWireAuthorization), totalCount }
      })
    }),
    route(authorizing.put, async ({ params, body, actor }) => ({
      result: toWireAuthorization(
        await authorizations.put(params.zone_id, params.script_id, toAuthorizationDraft(body), actor),
      ),
    })),
    route(authorizing.delete, async ({ params, actor }) => {
      await authorizations.remove(params.zone_id, params.script_id, actor)
      return { result: { script_id: params.script_id } }
    }),
    route(operations.events, async ({ params, query }) => {
      return readPage(query, EVENTS_PER_PAGE, async (range) => {
        const found = await events.list(params.zone_id, { kind: query.kind, ...range })
        return { items: found.events.map(toWireEvent), totalCount: found.totalCount }
      })
    }),
    route(operations.requirements, async ({ params }) => ({
      result: (await requirements(params.zone_id)).map(toWireRequirement),
    })),
    route(operations.evidence, async ({ params, query }) => {
      const format = query.format ?? 'csv'
      const evidence = await authorizations.evidence(params.zone_id, EVENTS_OF_EVIDENCE[format])
      if (format === 'html') {
        const file = toEvidenceHtml(evidence, await requirements(params.zone_id))
        return { file, type: 'text/html; charset=utf-8', headers: EVIDENCE_HEADERS }
      }
      const [noun, write] = EVIDENCE_TABLES[format]
      return { file: write(evidence), type: CSV_TYPE, name: csvName(noun, evidence.zone.name, evidence.at) }
    }),
  ]
}
