// Zones between wire and domain form.
import type { WirePlan, WireZone, ZoneDraft, ZoneListQuery, ZonePatch } from '@zonereeve/contract'
import { DomainError, pageRange } from '@zonereeve/platform'
import type { Plan } from './zones.rules.ts'
import { PAGE_RULE_QUOTAS, toAscii } from './zones.rules.ts'
import type { ZoneDefinition, ZoneEdit } from './zones.service.ts'
import type { TextFilter, TextOperator, ZoneInAccount, ZoneQuery } from './zones.store.ts'

/** Plans with the ids that clients know, as far as the public API has shown them. */
const PLAN_FACTS: Readonly<Record<Plan, { id: string; name: string }>> = {
  free: { id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Free Website' },
  pro: { id: '1feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Pro Website' },
  business: { id: '2feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Business Website' },
  enterprise: { id: '94f3b7b768b0458b56d2cac4fe5ec0f9', name: 'Enterprise Website' },
}

const PERMISSIONS = ['#dns_records:edit', '#dns_records:read', '#zone:edit', '#zone:read']

export function toWireZone(zone: ZoneInAccount): WireZone {
  return {
    id: zone.id,
    name: zone.displayName,
    status: zone.status,
    paused: zone.paused,
    type: zone.type,
    development_mode: 0,
    name_servers: [...zone.nameServers],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    modified_on: zone.modifiedOn,
    created_on: zone.createdOn,
    activated_on: zone.activatedOn,
    vanity_name_servers: [...zone.vanityNameServers],
    vanity_name_servers_ips: null,
    meta: {
      step: zone.status === 'active' ? 4 : 2,
      custom_certificate_quota: 0,
      page_rule_quota: PAGE_RULE_QUOTAS[zone.plan],
      phishing_detected: false,
    },
    owner: { id: null, type: 'user', email: null },
    account: { id: zone.accountId, name: zone.accountName },
    tenant: { id: null, name: null },
    tenant_unit: { id: null },
    permissions: PERMISSIONS,
    plan: toWirePlan(zone.plan),
  }
}

function toWirePlan(plan: Plan): WirePlan {
  return {
    ...PLAN_FACTS[plan],
    price: 0,
    currency: 'USD',
    frequency: '',
    is_subscribed: plan !== 'free',
    can_subscribe: false,
    legacy_id: plan,
    legacy_discount: false,
    externally_managed: false,
  }
}

export function toZoneDefinition(draft: ZoneDraft): ZoneDefinition {
  return {
    name: draft.name,
    accountId: draft.account?.id,
    type: draft.type ?? undefined,
    plan: readPlan(draft.plan ?? undefined),
    vanityNameServers: draft.vanity_name_servers ?? [], // none unless sent
  }
}

/** @throws DomainError: zone.plan. */
export function toZoneEdit(patch: ZonePatch): ZoneEdit {
  const plan = readPlan(patch.plan)
  return {
    ...(patch.paused === undefined ? {} : { paused: patch.paused }),
    ...(patch.type === undefined ? {} : { type: patch.type }),
    ...(plan === undefined ? {} : { plan }),
    ...(patch.vanity_name_servers === undefined ? {} : { vanityNameServers: patch.vanity_name_servers }),
  }
}

function readPlan(choice: { id?: string; legacy_id?: string } | undefined): Plan | undefined {
  if (choice === undefined || (choice.id === undefined && choice.legacy_id === undefined)) return undefined
  for (const [plan, { id }] of Object.entries(PLAN_FACTS)) {
    if (choice.legacy_id === plan || choice.id === id || choice.id === plan) return plan as Plan // a key of the table
  }
  throw new DomainError({ reason: 'zone.plan', pointer: '/plan' })
}

const PER_PAGE = 20

export function toZoneQuery(query: ZoneListQuery): ZoneQuery & { page: number } {
  const page = query.page ?? 1
  const accountId = query['account.id']
  const accountName = query['account.name']
  return {
    ...(query.name === undefined ? {} : { name: readNameFilter(query.name) }),
    ...(accountName === undefined ? {} : { accountName: readFilter(accountName) }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(query.type === undefined ? {} : { types: query.type.split(',') }),
    match: query.match ?? 'all',
    order: query.order ?? 'name',
    descending: query.direction === 'desc',
    page,
    ...pageRange(page, query.per_page ?? PER_PAGE),
  }
}

const FILTER = /^(equal|not_equal|starts_with|ends_with|contains)(_case_sensitive)?:(.*)$/s

function readFilter(text: string): TextFilter {
  const [, name = 'equal', suffix, sent = text] = FILTER.exec(text) ?? []
  const operator = name as TextOperator // one of the alternatives of the pattern
  return suffix === undefined
    ? { operator, value: sent.toLowerCase(), caseSensitive: false }
    : { operator, value: sent, caseSensitive: true }
}

/** Zone names match by their A-labels and U-labels, in any case, with or without a trailing dot. */
function readNameFilter(text: string): TextFilter {
  const { operator, value, caseSensitive } = readFilter(text)
  // Stored names are in lower case; converting capitals to A-labels would hide their case.
  const name = value === value.toLowerCase() ? toAscii(value) || value : value
  // For contains and starts_with, a trailing dot is part of the text to find.
  const endsThere = operator !== 'contains' && operator !== 'starts_with'
  return { operator, value: endsThere ? name.replace(/\.$/, '') : name, caseSensitive }
}
