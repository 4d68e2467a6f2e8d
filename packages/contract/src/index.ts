// The API, defined once: schemas for validation, static types, and the OpenAPI document.
import { accounts } from './accounts.ts'
import { acmeChallenges } from './acme-challenges.ts'
import { accountWebhooks } from './account-webhooks.ts'
import { accountAccessRules, userAccessRules, zoneAccessRules } from './access-rules.ts'
import { auditExport, auditLogs, eventStreams } from './audit-logs.ts'
import { changes } from './changes.ts'
import { collector } from './collector.ts'
import { accountRecords, dnsRecords } from './dns-records.ts'
import { filters } from './filters.ts'
import { firewallDecisions, firewallTrace } from './firewall-trace.ts'
import { firewallRules } from './firewall-rules.ts'
import { accountDnsSettings, dnsSettings, ownDnsSettings } from './dns-settings.ts'
import { dnssec, dnssecKeys } from './dnssec.ts'
import type { Operation } from './operation.ts'
import { accountRulesets, zoneRulesets } from './rulesets.ts'
import { pageShieldAuthorizations } from './page-shield-authorizations.ts'
import { pageShieldExtensions } from './page-shield-extensions.ts'
import { pageShieldLoads } from './page-shield-loads.ts'
import { pageShieldSources } from './page-shield-sources.ts'
import { pageShield } from './page-shield.ts'
import { pageRules } from './page-rules.ts'
import { pageShieldPolicies, pageShieldPolicyTools } from './page-shield-policies.ts'
import { pageShieldEmailAlerts } from './page-shield-email-alerts.ts'
import { pageShieldPages } from './page-shield-pages.ts'
import { pageShieldWebhooks } from './page-shield-webhooks.ts'
import { query } from './query.ts'
import { recordScans } from './record-scans.ts'
import { secondaryCatalogs } from './secondary-catalogs.ts'
import { secondaryDnsIncoming } from './incoming-transfers.ts'
import {
  catalogZone,
  secondaryDnsAcls,
  secondaryDnsOutgoing,
  secondaryDnsPeers,
  secondaryDnsTsigs,
} from './secondary-dns.ts'
import { edge } from './edge.ts'
import { lists } from './lists.ts'
import { lockdowns, uaRules } from './zone-access.ts'
import { anomalyScores } from './anomaly-scores.ts'
import { leakedCredentials } from './leaked-credentials.ts'
import { managedHeaders } from './managed-headers.ts'
import { urlNormalization } from './url-normalization.ts'
import { securityEvents } from './security-events.ts'
import { serverHealth } from './server-health.ts'
import { passkeys } from './passkeys.ts'
import { managedUsers, sessions, signIn, signInUser } from './sign-in.ts'
import { threatFeeds } from './threat-feeds.ts'
import { accountTokens, userTokens } from './tokens.ts'
import { updateKeys } from './update-keys.ts'
import { users } from './users.ts'
import { zoneFile } from './zone-file.ts'
import { wafMigration, wafMigrationSteps } from './waf-migration.ts'
import { wafOverrides } from './waf-overrides.ts'
import { wafGroups, wafPackages, wafRules } from './waf-packages.ts'
import { zoneSettings } from './zone-settings.ts'
import { zoneAnswers } from './zone-answers.ts'
import { zoneAttention, zones, zoneSummaries } from './zones.ts'

export * from './accounts.ts'
export * from './acme-challenges.ts'
export * from './account-webhooks.ts'
export * from './audit-logs.ts'
export * from './changes.ts'
export * from './collector.ts'
export * from './dns-records.ts'
export * from './dns-settings.ts'
export * from './dnssec.ts'
export * from './edge.ts'
export * from './envelope.ts'
export * from './filters.ts'
export * from './firewall-rules.ts'
export * from './firewall-trace.ts'
export * from './secondary-catalogs.ts'
export * from './incoming-transfers.ts'
export { requirementOf } from './requirement.ts'
export { openApiDocument, permissionText } from './openapi.ts'
export * from './page-shield-authorizations.ts'
export * from './page-shield-extensions.ts'
export * from './page-shield-loads.ts'
export * from './page-shield-sources.ts'
export * from './page-shield.ts'
export type { Operation, Permission, StaticOf, Upload } from './operation.ts'
export * from './page-rules.ts'
export * from './page-shield-policies.ts'
export * from './page-shield-email-alerts.ts'
export * from './page-shield-pages.ts'
export * from './page-shield-webhooks.ts'
export * from './permissions.ts'
export * from './rulesets.ts'
export * from './query.ts'
export * from './lists.ts'
export * from './access-rules.ts'
export * from './zone-access.ts'
export * from './anomaly-scores.ts'
export * from './leaked-credentials.ts'
export * from './managed-headers.ts'
export * from './url-normalization.ts'
export * from './security-events.ts'
export * from './server-health.ts'
export * from './record-scans.ts'
export * from './passkeys.ts'
export * from './sign-in.ts'
export * from './threat-feeds.ts'
export * from './secondary-dns.ts'
export * from './tokens.ts'
export * from './update-keys.ts'
export * from './users.ts'
export * from './zone-file.ts'
export * from './waf-migration.ts'
export * from './waf-overrides.ts'
export * from './waf-packages.ts'
export * from './zone-settings.ts'
export * from './zone-answers.ts'
export * from './zones.ts'

/** Every operation of the API, in the order of the document. */
export const OPERATIONS: readonly Operation[] = [
  ...Object.values(users),
  ...Object.values(signIn),
  ...Object.values(sessions),
  ...Object.values(signInUser),
  ...Object.values(passkeys),
  ...Object.values(managedUsers),
  ...Object.values(userTokens),
  ...Object.values(accounts),
  ...Object.values(auditLogs),
  ...Object.values(auditExport),
  ...Object.values(eventStreams),
  ...Object.values(accountWebhooks),
  ...Object.values(serverHealth),
  ...Object.values(accountTokens),
  ...Object.values(zones),
  ...Object.values(zoneSummaries),
  ...Object.values(zoneAttention),
  ...Object.values(zoneAnswers),
  ...Object.values(dnsRecords),
  ...Object.values(recordScans),
  ...Object.values(accountRecords),
  ...Object.values(dnsSettings),
  ...Object.values(ownDnsSettings),
  ...Object.values(accountDnsSettings),
  ...Object.values(dnssec),
  ...Object.values(dnssecKeys),
  ...Object.values(zoneSettings),
  ...Object.values(secondaryDnsOutgoing),
  ...Object.values(secondaryDnsIncoming),
  ...Object.values(secondaryDnsTsigs),
  ...Object.values(secondaryDnsAcls),
  ...Object.values(secondaryDnsPeers),
  ...Object.values(catalogZone),
  ...Object.values(secondaryCatalogs),
  ...Object.values(updateKeys),
  ...Object.values(pageShield),
  ...Object.values(pageShieldExtensions),
  ...Object.values(pageShieldAuthorizations),
  ...Object.values(pageShieldLoads),
  ...Object.values(pageShieldSources),
  ...Object.values(pageShieldWebhooks),
  ...Object.values(pageShieldEmailAlerts),
  ...Object.values(pageShieldPages),
  ...Object.values(collector),
  ...Object.values(threatFeeds),
  ...Object.values(zoneFile),
  ...Object.values(changes),
  ...Object.values(query),
  ...Object.values(wafPackages),
  ...Object.values(wafGroups),
  ...Object.values(wafRules),
  ...Object.values(wafOverrides),
  ...Object.values(wafMigration),
  ...Object.values(firewallTrace),
  ...Object.values(firewallDecisions),
  ...Object.values(securityEvents),
  ...Object.values(leakedCredentials),
  ...Object.values(managedHeaders),
  ...Object.values(urlNormalization),
  ...Object.values(anomalyScores),
  ...Object.values(edge),
  ...Object.values(acmeChallenges),
  ...Object.values(wafMigrationSteps),
  ...Object.values(filters),
  ...Object.values(lists),
  ...Object.values(zoneAccessRules),
  ...Object.values(accountAccessRules),
  ...Object.values(userAccessRules),
  ...Object.values(uaRules),
  ...Object.values(lockdowns),
  ...Object.values(zoneRulesets),
  ...Object.values(accountRulesets),
  ...Object.values(firewallRules),
  ...Object.values(pageRules),
  ...Object.values(pageShieldPolicies),
  ...Object.values(pageShieldPolicyTools),
]
