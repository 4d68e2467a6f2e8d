// Gathers what a zone can show for the requirements of PCI DSS about scripts of payment pages.
import type { Clock } from '@zonereeve/platform'
import {
  type AlertFacts,
  type PageShield,
  requirementAnswers,
  type RequirementAnswer,
} from '../page-shield/index.ts'
import type { ZoneSubscription } from '../event-deliveries/index.ts'
import type { WatchedPages } from '../watched-pages/index.ts'

interface Listed<S extends ZoneSubscription> {
  list(zoneId: string): Promise<readonly S[]>
}

export interface RequirementsDeps {
  readonly clock: Clock
  readonly pageShield: Pick<PageShield, 'authorizations' | 'settings'>
  readonly watchedPages: Pick<WatchedPages, 'list'>
  readonly webhooks: Listed<ZoneSubscription>
  readonly emailAlerts: Listed<ZoneSubscription>
}

/** @throws DomainError: zone.unknown. */
export type AnswerRequirements = (zoneId: string) => Promise<readonly RequirementAnswer[]>

export function createRequirements({
  clock,
  pageShield,
  watchedPages,
  webhooks,
  emailAlerts,
}: RequirementsDeps): AnswerRequirements {
  return async (zoneId) => {
    const { enabled } = await pageShield.settings.get(zoneId)
    const { lines, contents } = await pageShield.authorizations.evidence(zoneId, 0)
    const pages = await watchedPages.list(zoneId)
    const alertsOf = async (
      kind: AlertFacts['kind'],
      { list }: Listed<ZoneSubscription>,
    ): Promise<AlertFacts[]> =>
      (await list(zoneId)).map(({ isEnabled, failures, kinds }) => ({ kind, isEnabled, failures, kinds }))
    return requirementAnswers({
      isEnabled: enabled,
      nowMillis: clock.now(),
      scripts: lines
        .filter(({ status }) => status !== 'inactive')
        .map(({ script, authorization }) => ({
          authorization: authorization?.state,
          fetchedAt: script.fetchedAt,
        })),
      contentsRun: contents.filter(({ run }) => run !== undefined).length,
      pages: pages.map(({ page, current }) => ({
        url: page.url,
        intervalMinutes: page.intervalMinutes,
        failures: page.failures,
        seenAt: current === undefined ? null : current.lastSeenAt,
        missingPolicies: current === undefined ? 0 : current.missingPolicies.length,
      })),
      alerts: [...(await alertsOf('webhook', webhooks)), ...(await alertsOf('e-mail alert', emailAlerts))],
    })
  }
}
