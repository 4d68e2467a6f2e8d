// HTTP for content-security policies and what they do.
import { pageShieldPolicies as operations, pageShieldPolicyTools as tools } from '@zonereeve/contract'
import { pageOf, readPage, route, type Route } from '../../../http/index.ts'
import type { OriginHeader } from '@zonereeve/csp'
import type { PageShieldPolicies, Written } from './page-shield-policies.service.ts'
import { toFields, toPatch, toWirePolicy } from './page-shield-policies.wire.ts'
import type { PolicyTools } from './policy-tools.service.ts'
import { toWireHeaders, toWireSimulation, toWireSuggestion, toWireViolation } from './policy-tools.wire.ts'

/** The maximum number of policies of a zone: clients without paging get all of them. */
const DEFAULT_PER_PAGE = 100
const DEFAULT_VIOLATIONS = 50
/** The expression of a policy that is sent with every page. */
const ALL_PAGES = 'true'

export interface PolicyRoutesDeps {
  readonly policies: PageShieldPolicies
  readonly tools: PolicyTools
  readonly rules: { readonly policySwitchAsSent: boolean }
}

export function pageShieldPolicyRoutes({ policies, tools: service, rules }: PolicyRoutesDeps): Route[] {
  const isAsSent = rules.policySwitchAsSent
  const writeReply = ({ policy, notices }: Written) => ({ result: toWirePolicy(policy, isAsSent), notices })
  return [
    route(operations.list, async ({ params, query }) => {
      const all = await policies.list(params.zone_id)
      return pageOf(
        all.map((policy) => toWirePolicy(policy, isAsSent)),
        query,
        DEFAULT_PER_PAGE,
      )
    }),
    route(operations.get, async ({ params }) => ({
      result: toWirePolicy(await policies.get(params.zone_id, params.policy_id), isAsSent),
    })),
    route(operations.create, async ({ params, body, actor }) =>
      writeReply(await policies.create(params.zone_id, toFields(body), actor)),
    ),
    route(operations.update, async ({ params, body, actor }) =>
      writeReply(
        await policies.edit(params.zone_id, params.policy_id, toPatch(body, params.policy_id), actor),
      ),
    ),
    route(operations.remove, async ({ params, actor }) => {
      await policies.remove(params.zone_id, params.policy_id, actor)
      return { result: null }
    }),
    route(tools.headers, async ({ params, query }) => ({
      result: toWireHeaders(
        await service.headers(params.zone_id, {
          url: query.url,
          method: query.method ?? 'GET',
          status: query.status ?? 200,
          contentType: query.content_type ?? 'text/html',
          origin: originHeaders(query.origin_policy, query.origin_policy_report_only),
        }),
      ),
    })),
    route(tools.simulate, async ({ params, body, signalOnce }) => ({
      result: toWireSimulation(
        await service.simulate(params.zone_id, body.value, body.expression ?? ALL_PAGES, signalOnce()),
      ),
    })),
    route(tools.suggestion, async ({ params, query, signalOnce }) => ({
      result: toWireSuggestion(
        await service.suggest(params.zone_id, query.host, partsOf(query.inline_hashes), signalOnce()),
      ),
    })),
    route(tools.violations, async ({ params, query }) => {
      const filter = { policyId: query.policy_id, directive: query.directive?.toLowerCase() }
      return readPage(query, DEFAULT_VIOLATIONS, async (range) => {
        const found = await service.violations(params.zone_id, { ...filter, ...range })
        return { items: found.violations.map(toWireViolation), totalCount: found.totalCount }
      })
    }),
  ]
}

function originHeaders(enforced: string | undefined, reportOnly: string | undefined): OriginHeader[] {
  return [
    ...(enforced === undefined ? [] : [{ name: 'content-security-policy', value: enforced } as const]),
    ...(reportOnly === undefined
      ? []
      : [{ name: 'content-security-policy-report-only', value: reportOnly } as const]),
  ]
}

const partsOf = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').filter((part) => part.trim() !== '')
