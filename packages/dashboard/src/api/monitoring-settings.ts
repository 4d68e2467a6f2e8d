// Sampling, retention, counters of reports and webhooks of a zone's monitoring.
import { queryOptions } from '@tanstack/react-query'
import type {
  collector,
  EmailAlertPost,
  FetchingPut,
  pageShieldEmailAlerts,
  pageShieldExtensions,
  pageShieldSources,
  pageShieldWebhooks,
  RetentionPut,
  SamplingPut,
  WebhookPost,
  WireDeliveryTest,
  WireEmailAlert,
  WireFetching,
  WireRetention,
  WireSampling,
  WireWebhook,
} from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type {
  WireEmailAlert,
  WireFetching,
  WireRetention,
  WireSampling,
  WireWebhook,
} from '@zonereeve/contract'

const base = (zoneId: string) => [...zoneKeys.of(zoneId), 'monitoring'] as const
const ROOT = '/zonereeve/zones/{zone_id}/page_shield'
const SAMPLING = `${ROOT}/sampling` as const
const RETENTION = `${ROOT}/retention` as const
const WEBHOOKS = `${ROOT}/webhooks` as const
const EMAIL_ALERTS = `${ROOT}/email_alerts` as const
const FETCHING = `${ROOT}/fetching` as const

export const samplingOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'sampling'],
    queryFn: async ({ signal }): Promise<WireSampling> => {
      const route = { method: 'GET', path: SAMPLING } as const
      const input = { params: { zone_id: zoneId } }
      return (await call<typeof pageShieldExtensions.getSampling>(route, input, { signal })).result
    },
  })

export async function changeSampling(zoneId: string, body: SamplingPut): Promise<void> {
  const route = { method: 'PUT', path: SAMPLING } as const
  await call<typeof pageShieldExtensions.putSampling>(route, { params: { zone_id: zoneId }, body })
}

export const retentionOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'retention'],
    queryFn: async ({ signal }): Promise<WireRetention> => {
      const route = { method: 'GET', path: RETENTION } as const
      const input = { params: { zone_id: zoneId } }
      return (await call<typeof pageShieldExtensions.getRetention>(route, input, { signal })).result
    },
  })

export async function changeRetention(zoneId: string, body: RetentionPut): Promise<void> {
  const route = { method: 'PUT', path: RETENTION } as const
  await call<typeof pageShieldExtensions.putRetention>(route, { params: { zone_id: zoneId }, body })
}

export const reportCountsOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'counts'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/page_shield/collector' } as const
      return (await call<typeof collector.counts>(route, { params: { zone_id: zoneId } }, { signal })).result
    },
  })

const MAX_WEBHOOKS = 100

export const webhooksOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'webhooks'],
    queryFn: async ({ signal }): Promise<readonly WireWebhook[]> => {
      const route = { method: 'GET', path: WEBHOOKS } as const
      const input = { params: { zone_id: zoneId }, query: { per_page: MAX_WEBHOOKS } }
      return (await call<typeof pageShieldWebhooks.list>(route, input, { signal })).result
    },
  })

export async function createWebhook(zoneId: string, body: WebhookPost): Promise<WireWebhook> {
  const route = { method: 'POST', path: WEBHOOKS } as const
  const input = { params: { zone_id: zoneId }, body }
  return (await call<typeof pageShieldWebhooks.create>(route, input)).result
}

export async function switchWebhook(zoneId: string, id: string, enabled: boolean): Promise<void> {
  const route = { method: 'PATCH', path: `${WEBHOOKS}/{webhook_id}` } as const
  const params = { zone_id: zoneId, webhook_id: id }
  await call<typeof pageShieldWebhooks.edit>(route, { params, body: { enabled } })
}

export async function deleteWebhook(zoneId: string, id: string): Promise<void> {
  const route = { method: 'DELETE', path: `${WEBHOOKS}/{webhook_id}` } as const
  await call<typeof pageShieldWebhooks.delete>(route, { params: { zone_id: zoneId, webhook_id: id } })
}

export const emailAlertsOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'email alerts'],
    queryFn: async ({ signal }): Promise<readonly WireEmailAlert[]> => {
      const route = { method: 'GET', path: EMAIL_ALERTS } as const
      const input = { params: { zone_id: zoneId }, query: { per_page: MAX_WEBHOOKS } }
      return (await call<typeof pageShieldEmailAlerts.list>(route, input, { signal })).result
    },
  })

export async function createEmailAlert(zoneId: string, body: EmailAlertPost): Promise<void> {
  const route = { method: 'POST', path: EMAIL_ALERTS } as const
  await call<typeof pageShieldEmailAlerts.create>(route, { params: { zone_id: zoneId }, body })
}

export async function switchEmailAlert(zoneId: string, id: string, enabled: boolean): Promise<void> {
  const route = { method: 'PATCH', path: `${EMAIL_ALERTS}/{alert_id}` } as const
  const params = { zone_id: zoneId, alert_id: id }
  await call<typeof pageShieldEmailAlerts.edit>(route, { params, body: { enabled } })
}

export async function testEmailAlert(zoneId: string, id: string): Promise<WireDeliveryTest> {
  const route = { method: 'POST', path: `${EMAIL_ALERTS}/{alert_id}/test` } as const
  const input = { params: { zone_id: zoneId, alert_id: id }, body: {} }
  return (await call<typeof pageShieldEmailAlerts.test>(route, input)).result
}

export async function deleteEmailAlert(zoneId: string, id: string): Promise<void> {
  const route = { method: 'DELETE', path: `${EMAIL_ALERTS}/{alert_id}` } as const
  await call<typeof pageShieldEmailAlerts.delete>(route, { params: { zone_id: zoneId, alert_id: id } })
}

export const fetchingOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'fetching'],
    queryFn: async ({ signal }): Promise<WireFetching> => {
      const route = { method: 'GET', path: FETCHING } as const
      return (
        await call<typeof pageShieldSources.getFetching>(route, { params: { zone_id: zoneId } }, { signal })
      ).result
    },
  })

export async function changeFetching(zoneId: string, body: FetchingPut): Promise<void> {
  const route = { method: 'PUT', path: FETCHING } as const
  await call<typeof pageShieldSources.putFetching>(route, { params: { zone_id: zoneId }, body })
}

/** Where a browser gets the evidence for audits of payment pages. */
export const evidencePath = (zoneId: string, format: 'html' | 'csv' | 'csv_events'): string =>
  `/client/v4/zonereeve/zones/${zoneId}/page_shield/evidence?format=${format}`
