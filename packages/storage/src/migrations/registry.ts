// All migrations, in order. Never edit a released migration: add a new one.
import { first } from './0001-first.ts'
import { settings } from './0002-settings.ts'
import { zoneSerials } from './0003-zone-serials.ts'
import { recordSettings } from './0004-record-settings.ts'
import { recordScans } from './0005-record-scans.ts'
import { previousFirewall } from './0006-previous-firewall.ts'
import { rulesets } from './0007-rulesets.ts'
import { pageShield } from './0008-page-shield.ts'
import { pageShieldPolicies } from './0009-page-shield-policies.ts'
import { wafMigration } from './0010-waf-migration.ts'
import { secondaryDns } from './0013-secondary-dns.ts'
import { securityEvents } from './0011-security-events.ts'
import { scriptFetches } from './0012-script-fetches.ts'
import { threatFeeds } from './0014-threat-feeds.ts'
import { dnssec } from './0015-dnssec.ts'
import { updateKeys } from './0016-update-keys.ts'
import { incomingTransfers } from './0017-incoming-transfers.ts'
import { threatFeedSwitch } from './0018-threat-feed-switch.ts'
import { pageShieldSampling } from './0019-page-shield-sampling.ts'
import { scriptTurns } from './0021-script-turns.ts'
import { authorizedContents } from './0022-authorized-contents.ts'
import { deletedZones } from './0023-deleted-zones.ts'
import { dsTtl } from './0024-ds-ttl.ts'
import { mostViewedTurns } from './0026-most-viewed-turns.ts'
import { pageShieldWebhooks } from './0027-page-shield-webhooks.ts'
import { checksums } from './0028-checksums.ts'
import { historyFloors } from './0029-history-floors.ts'
import { signIn } from './0030-sign-in.ts'
import { anomalyScores } from './0031-anomaly-scores.ts'
import { codeAndLoads } from './0032-code-and-loads.ts'
import { auditLog } from './0033-audit-log.ts'
import { scriptSources } from './0034-script-sources.ts'
import { lists } from './0036-lists.ts'
import { opBlocks } from './0039-op-blocks.ts'
import { shortBodies } from './0040-short-bodies.ts'
import { accessRules } from './0043-access-rules.ts'
import { pageShieldEmailAlerts } from './0047-page-shield-email-alerts.ts'
import { watchedPages } from './0048-watched-pages.ts'
import { uninspectedFields } from './0049-uninspected-fields.ts'
import { shortTypeIndex } from './0050-short-type-index.ts'
import { accountWebhooks } from './0055-account-webhooks.ts'
import { reportBudgets } from './0056-report-budgets.ts'
import { pageScans } from './0057-page-scans.ts'
import { computedWhenRead } from './0058-computed-when-read.ts'
import { answersOfEvents } from './0059-answers-of-events.ts'
import { secondaryCatalogs } from './0060-secondary-catalogs.ts'
import { presigned } from './0061-presigned.ts'
import { zoneOrders } from './0062-zone-orders.ts'
import { zonesNeedingAttention } from './0063-zones-needing-attention.ts'
import { bodiesOfRows } from './0064-bodies-of-rows.ts'
import { noGeneratedBody } from './0065-no-generated-body.ts'
import type { Migration } from './migration.ts'

export const MIGRATIONS: readonly Migration[] = [
  first,
  settings,
  zoneSerials,
  recordSettings,
  recordScans,
  previousFirewall,
  rulesets,
  pageShield,
  pageShieldPolicies,
  wafMigration,
  securityEvents,
  scriptFetches,
  secondaryDns,
  threatFeeds,
  dnssec,
  updateKeys,
  incomingTransfers,
  threatFeedSwitch,
  pageShieldSampling,
  scriptTurns,
  authorizedContents,
  deletedZones,
  dsTtl,
  mostViewedTurns,
  pageShieldWebhooks,
  checksums,
  historyFloors,
  signIn,
  anomalyScores,
  codeAndLoads,
  auditLog,
  scriptSources,
  lists,
  opBlocks,
  shortBodies,
  accessRules,
  pageShieldEmailAlerts,
  watchedPages,
  uninspectedFields,
  shortTypeIndex,
  accountWebhooks,
  reportBudgets,
  pageScans,
  computedWhenRead,
  answersOfEvents,
  secondaryCatalogs,
  presigned,
  zoneOrders,
  zonesNeedingAttention,
  bodiesOfRows,
  noGeneratedBody,
]
